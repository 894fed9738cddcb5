"""The Debian package and its service, judged by Debian's and systemd's own tools."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEBIAN = ROOT / "packaging" / "debian"
UNIT = DEBIAN / "allcity.service"
SCRIPTS = [
    ROOT / "setup.sh",
    ROOT / "packaging" / "build-deb",
    ROOT / "packaging" / "wheels",
    ROOT / "packaging" / "service.sh",
    ROOT / "packaging" / "try-arm64",
    ROOT / "packaging" / "image" / "build",
    DEBIAN / "allcity.sh",
    *(DEBIAN / f"allcity.{part}" for part in ("postinst", "prerm", "postrm")),
]
WORST_EXPOSURE = 5.0
"""Below it systemd says OK."""


def run(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    asked = [str(word) for word in words]
    return subprocess.run(
        asked, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **environment}
    )


def need(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is missing: ./setup.sh test installs it where there is apt-get")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without a network, from what `./setup.sh test` has fetched."""
    for tool in ("dpkg-buildpackage", "dh"):
        need(tool)
    wheels = sorted((ROOT / ".cache").glob("wheels-*"))
    if not wheels:
        pytest.skip("the wheels that the package carries are missing: ./setup.sh test fetches them")
    made = run("packaging/build-deb", tmp_path_factory.mktemp("deb"), WHEELS=str(wheels[-1].resolve()))
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip().splitlines()[-1])


def contents(package: Path) -> list[str]:
    listed = run("dpkg-deb", "--contents", package).stdout.splitlines()
    return [line.split(maxsplit=5)[5].removeprefix("./") for line in listed]


def test_lintian_has_nothing_to_say(package: Path) -> None:
    need("lintian")
    said = run("lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error,warning", package)
    assert said.returncode == 0, said.stdout


def test_the_package_carries_the_program_with_its_data_and_nothing_with_machine_code(package: Path) -> None:
    names = contents(package)
    assert any(name.endswith("site-packages/pi_app/__main__.py") for name in names)
    for part in ("web/strings/fr.toml", "web/openapi.json", "web/static/js/base.js", "screens/en.toml", ".onnx"):
        assert any(name.endswith(part) for name in names), part
    assert [name for name in names if re.search(r"\.so\b|\.pyc$|direct_url", name)] == []
    assert not any(re.search(r"site-packages/(numpy|cv2|PIL|markupsafe)/", name) for name in names)


def test_the_package_runs_with_the_systems_python_and_lets_systems_packages_through(package: Path) -> None:
    names = contents(package)
    assert "opt/allcity/bin/python3 -> /usr/bin/python3" in names
    unpacked = subprocess.run(
        f"dpkg-deb --fsys-tarfile {package} | tar -xO ./opt/allcity/pyvenv.cfg",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "include-system-site-packages = true" in unpacked
    assert "/tmp" not in unpacked


def test_configuration_files_are_kept_when_somebody_has_changed_them(package: Path) -> None:
    kept = run("dpkg-deb", "--info", package, "conffiles").stdout.split()
    assert set(kept) == {"/etc/allcity/allcity.toml", "/etc/avahi/services/allcity.service"}


def test_the_package_brings_what_the_wifi_and_the_console_need(package: Path) -> None:
    names = contents(package)
    units = "lib/systemd/system"
    for name in (
        "usr/share/polkit-1/rules.d/50-allcity.rules",
        "usr/lib/tmpfiles.d/allcity.conf",
        f"{units}/allcity-console.path",
        f"{units}/allcity-console.service",
    ):
        assert any(found.endswith(name) for found in names), name


def test_the_service_may_change_networks_and_nothing_else() -> None:
    rule = (DEBIAN / "allcity.rules").read_text(encoding="utf-8")
    assert 'subject.user == "allcity"' in rule
    needed = re.search(r"needed = \[(.*)\]", rule)
    assert needed is not None
    assert re.findall(r'"([a-z.]+)"', needed[1].replace("-", ".")) == [
        "network.control",
        "settings.modify.system",
        "wifi.scan",
        "wifi.share.protected",
    ]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing: ./setup.sh test installs it")
@pytest.mark.parametrize(
    ("user", "action", "answer"),
    [
        ("allcity", "org.freedesktop.NetworkManager.settings.modify.system", "yes"),
        ("allcity", "org.freedesktop.NetworkManager.enable-disable-wifi", "undefined"),
        ("allcity", "org.freedesktop.systemd1.manage-units", "undefined"),
        ("allcity", "com.example.wifi.scan", "undefined"),
        ("pi", "org.freedesktop.NetworkManager.settings.modify.system", "undefined"),
    ],
)
def test_polkit_is_told_so(user: str, action: str, answer: str) -> None:
    """The rule as polkit would run it."""
    rule = (DEBIAN / "allcity.rules").read_text(encoding="utf-8")
    world = "let rule; const polkit = { Result: { YES: 'yes' }, addRule: (given) => { rule = given; } };"
    asked = f"console.log(String(rule({{ id: '{action}' }}, {{ user: '{user}' }})));"
    assert run("node", "-e", world + rule + asked).stdout.strip() == answer


def test_the_packaged_configuration_can_be_used(tmp_path: Path) -> None:
    from pi_app.config import load_config  # noqa: PLC0415 - the only test here that needs the program

    config = load_config(DEBIAN / "allcity.toml", ("en",))
    assert (config.web.port, config.web.second_port, config.hardware.camera.kind) == (80, 8080, "auto")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shell_scripts_are_sound(script: Path) -> None:
    need("shellcheck")
    said = run("shellcheck", "--external-sources", script)
    assert said.returncode == 0, said.stdout


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit as it would be on a machine where the program is there."""
    (tmp_path / "allcity").write_text("#!/bin/sh\n")
    (tmp_path / "allcity").chmod(0o755)
    text = UNIT.read_text(encoding="utf-8").replace("/usr/bin/allcity", str(tmp_path / "allcity"))
    (tmp_path / "allcity.service").write_text(text, encoding="utf-8")
    return tmp_path / "allcity.service"


def test_systemd_understands_the_unit(unit: Path) -> None:
    need("systemd-analyze")
    said = run("systemd-analyze", "verify", unit)
    ours = [line for line in said.stderr.splitlines() if "allcity" in line]
    assert (said.returncode, ours) == (0, [])


@pytest.mark.parametrize("name", ["allcity-console.path", "allcity-console.service"])
def test_systemd_understands_the_consoles_units(name: str, tmp_path: Path) -> None:
    need("systemd-analyze")
    for unit in ("allcity-console.path", "allcity-console.service"):
        shutil.copy(DEBIAN / f"allcity.{unit}", tmp_path / unit)
    said = run("systemd-analyze", "verify", tmp_path / name)
    ours = [line for line in said.stderr.splitlines() if "allcity" in line]
    assert (said.returncode, ours) == (0, [])


def test_systemd_calls_the_exposure_ok_or_better(unit: Path) -> None:
    need("systemd-analyze")
    said = run("systemd-analyze", "security", "--offline=yes", f"--threshold={int(10 * WORST_EXPOSURE)}", unit)
    assert said.returncode == 0, said.stdout[-300:]


def test_the_service_is_watched_waits_for_no_network_and_names_no_group_that_may_be_missing() -> None:
    lines = dict(
        line.split("=", 1) for line in UNIT.read_text(encoding="utf-8").splitlines() if "=" in line and line[0] != "#"
    )
    assert (lines["Type"], lines["WatchdogSec"], lines["Restart"], lines["User"]) == (
        "notify",
        "60",
        "always",
        "allcity",
    )
    assert "network" not in lines["After"]
    assert "Wants" not in lines
    assert "SupplementaryGroups" not in lines
    assert lines["WorkingDirectory"] == f"/var/lib/{lines['StateDirectory']}"


def test_the_rule_for_the_pico_names_the_usb_numbers_that_we_look_for() -> None:
    from hardware.real.serial_ports import PICO_USB  # noqa: PLC0415

    rule = (DEBIAN / "allcity.udev").read_text(encoding="utf-8")
    assert f'ATTRS{{idVendor}}=="{PICO_USB[0]:04x}", ATTRS{{idProduct}}=="{PICO_USB[1]:04x}"' in rule


@pytest.mark.parametrize("command", ["install", "update", "uninstall"])
def test_every_command_of_the_service_says_what_it_does(command: str) -> None:
    said = run("./setup.sh", command, "--help")
    assert said.returncode == 0
    assert f"./setup.sh {command}" in said.stdout
