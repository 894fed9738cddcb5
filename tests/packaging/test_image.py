"""The image for SD cards: what can be checked of it without building it, which only a Pi can do."""

import base64
import hashlib
import json
import lzma
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from pi_app.config import load_config

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "packaging" / "image"
LAYERS = sorted((IMAGE / "layer").glob("*.yaml"))
CONFIGS = sorted((IMAGE / "config").glob("*.yaml"))
KEPT = IMAGE / "layer" / "allcity-kept.d" / "customize.overlay"
SEED = IMAGE / "layer" / "allcity-imager.d" / "customize.overlay"

THEIRS = {
    "debian-trixie-arm64-multi",
    "image-rota",
    "image-rpios",
    "network-manager",
    "openssh-server",
    "rpi-debian-trixie",
    "rpi-essential-base",
    "rpi-misc-skel",
    "rpi-misc-utils",
    "rpi4",
    "rpi5",
    "systemd-timesyncd",
    "wireless-regulatory",
}
"""Layers that come with rpi-image-gen 2, of those that we name."""
IMAGE_OPTIONS = {
    "image-rpios": {"layer", "name", "boot_part_size", "root_part_size"},
    "image-rota": {"layer", "name", "boot_part_size", "system_part_size", "data_part_size"},
}
FIELDS = {"Name", "Category", "Desc", "Version", "Requires", "Provides", "RequiresProvider", "Conflicts"}
OF_A_VARIABLE = {"Desc", "Required", "Valid", "Set"}
WANTED_BY_IMAGER = {
    "name": str,
    "description": str,
    "icon": str,
    "url": str,
    "release_date": str,
    "extract_size": int,
    "extract_sha256": str,
    "image_download_size": int,
    "devices": list,
}


def told(layer: Path) -> dict[str, str]:
    """The fields of a layer's header, as Debian's control files are read."""
    text = layer.read_text(encoding="utf-8")
    begin, end = text.index("# METABEGIN\n"), text.index("# METAEND\n")
    assert begin == 0, "the header comes first"
    fields: dict[str, str] = {}
    name = ""
    for line in text[begin:end].splitlines()[1:]:
        assert line.startswith("#"), line
        field = line[1:].removeprefix(" ")
        if field.startswith(" "):
            fields[name] += " " + field.strip()
        elif field:
            name, _, value = field.partition(":")
            assert name not in fields, f"{name} is told twice"
            fields[name] = value.strip()
    return fields


def built(layer: Path) -> Mapping[str, Any]:
    made: Mapping[str, Any] = yaml.safe_load(layer.read_text(encoding="utf-8"))["mmdebstrap"]
    return made


NAMES = {told(layer)["X-Env-Layer-Name"] for layer in LAYERS}


def hooks() -> Iterator[tuple[str, str]]:
    for layer in LAYERS:
        for number, hook in enumerate(built(layer).get("customize-hooks", [])):
            yield f"{layer.stem}-{number}", hook


@pytest.mark.parametrize("layer", LAYERS, ids=lambda path: path.stem)
def test_a_layers_header_is_whole(layer: Path) -> None:
    fields = told(layer)
    for name in ("Name", "Category", "Desc", "Version"):
        assert fields[f"X-Env-Layer-{name}"], name
    assert fields["X-Env-Layer-Name"] == layer.stem
    assert re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", fields["X-Env-Layer-Version"])
    assert set(fields["X-Env-Layer-Requires"].split(",")) <= THEIRS | NAMES
    known = {f"X-Env-Layer-{name}" for name in FIELDS} | {"X-Env-VarPrefix"}
    assert all(name in known or name.startswith("X-Env-Var-") for name in fields)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda path: path.stem)
def test_a_layers_variables_are_declared_with_all_that_belongs_to_them(layer: Path) -> None:
    fields = told(layer)
    variables = {name.split("-")[3] for name in fields if name.startswith("X-Env-Var-")}
    assert ("X-Env-VarPrefix" in fields) == bool(variables)
    for variable in variables:
        more = {name.split("-")[4] for name in fields if name.startswith(f"X-Env-Var-{variable}-")}
        assert f"X-Env-Var-{variable}" in fields
        assert more == OF_A_VARIABLE, variable
    used = set(re.findall(r"\$\{?IGconf_(\w+?)_(\w+)", json.dumps(dict(built(layer)))))
    assert used <= {(fields.get("X-Env-VarPrefix"), variable) for variable in variables}


@pytest.mark.parametrize("layer", LAYERS, ids=lambda path: path.stem)
def test_a_layer_asks_for_nothing_that_mmdebstrap_does_not_know(layer: Path) -> None:
    made = built(layer)
    assert set(made) <= {"packages", "customize-hooks"}
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", package) for package in made["packages"])
    assert len(set(made["packages"])) == len(made["packages"])


@pytest.mark.parametrize(("name", "hook"), list(hooks()), ids=[name for name, _ in hooks()])
def test_what_a_layer_runs_is_sound_shell(name: str, hook: str, tmp_path: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is missing: ./setup.sh test installs it where there is apt-get")
    (tmp_path / "hook").write_text(f"#!/bin/sh\nset -eu\n{hook}\n", encoding="utf-8")
    # What begins with IGconf comes from the configuration.
    said = subprocess.run(
        ["shellcheck", "--exclude=SC2154", tmp_path / "hook"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_a_configuration_names_layers_and_options_that_there_are(config: Path) -> None:
    made = yaml.safe_load(config.read_text(encoding="utf-8"))
    assert set(made) == {"device", "image", "layer"}
    assert made["image"]["name"] == config.stem, "the image is looked for under this name"
    assert set(made["image"]) == IMAGE_OPTIONS[made["image"]["layer"]]
    for option, value in made["image"].items():
        if option.endswith("_size"):
            assert re.fullmatch(r"\d+[MG]", value), option
    assert {made["device"]["layer"], made["image"]["layer"], *made["layer"].values()} <= THEIRS | NAMES


def test_the_two_images_differ_in_who_customises_them_and_what_is_kept() -> None:
    layers = {config.stem: yaml.safe_load(config.read_text())["layer"].values() for config in CONFIGS}
    assert set(layers) == {"allcity", "allcity-slots"}
    assert "allcity-imager" in layers["allcity"]
    assert "allcity-imager" not in layers["allcity-slots"], "cloud-init cannot write into a slot"
    assert "allcity-kept" in layers["allcity-slots"]


# --- what an update of the slots keeps --------------------------------------------------------


def kept_paths() -> list[str]:
    lines = (KEPT / "etc/rpi-image-gen/slot-shared.d/allcity.conf").read_text(encoding="ascii").splitlines()
    assert lines[0] == "Version=1", "any other is skipped"
    assert all(line.startswith("Path=/") for line in lines[1:])
    return [line.removeprefix("Path=") for line in lines[1:]]


def test_everything_that_the_service_may_write_is_kept() -> None:
    unit = (ROOT / "packaging/debian/allcity.service").read_text(encoding="utf-8")
    state = re.findall(r"^StateDirectory=(\S+)$", unit, re.MULTILINE)
    writable = re.findall(r"^ReadWritePaths=(\S+)$", unit, re.MULTILINE)
    assert sorted(kept_paths()) == sorted([*(f"/var/lib/{name}" for name in state), *writable])


def test_networks_are_kept_by_the_layer_that_declares_them() -> None:
    assert "network-manager" in told(IMAGE / "layer" / "allcity-kept.yaml")["X-Env-Layer-Requires"].split(",")


def test_a_slot_has_nothing_of_its_own_where_something_is_kept(tmp_path: Path) -> None:
    """It would be copied over what is kept, at every start."""
    (tmp_path / "etc/allcity").mkdir(parents=True)
    supplied = (ROOT / "packaging/debian/allcity.toml").read_bytes()
    (tmp_path / "etc/allcity/allcity.toml").write_bytes(supplied)
    for hook in built(IMAGE / "layer" / "allcity-kept.yaml")["customize-hooks"]:
        subprocess.run(["sh", "-euc", hook, "hook", str(tmp_path)], check=True)
    assert list((tmp_path / "etc/allcity").iterdir()) == []
    rules = (KEPT / "usr/lib/tmpfiles.d/allcity-kept.conf").read_text(encoding="utf-8").splitlines()
    copied = next(rule.split() for rule in rules if rule.startswith("C "))
    assert copied[1] == "/etc/allcity/allcity.toml"
    assert (tmp_path / copied[6].lstrip("/")).read_bytes() == supplied


def test_the_user_has_the_same_number_in_every_image() -> None:
    hook = built(IMAGE / "layer" / "allcity.yaml")["customize-hooks"][0]
    assert '--uid "$IGconf_allcity_uid"' in hook
    made = (ROOT / "packaging/debian/allcity.postinst").read_text(encoding="utf-8")
    assert "if ! getent passwd allcity" in made, "the package takes the user that is there"


# --- the first start --------------------------------------------------------------------------


def test_cloud_init_looks_where_imager_writes() -> None:
    config = yaml.safe_load((SEED / "etc/cloud/cloud.cfg.d/99_allcity.cfg").read_text(encoding="utf-8"))
    assert config["datasource_list"] == ["NoCloud", "None"]
    place = config["datasource"]["NoCloud"]["seedfrom"].removeprefix("file://").strip("/")
    seeds = {path.name: path.read_text(encoding="utf-8") for path in (SEED / place).iterdir()}
    assert set(seeds) == {"user-data", "meta-data", "network-config"}, "without one of them it takes none"
    assert seeds["user-data"].startswith("#cloud-config\n")
    assert yaml.safe_load(seeds["meta-data"])["instance-id"]
    assert yaml.safe_load(seeds["network-config"])["version"] == 2
    renderer = yaml.safe_load((SEED / "usr/lib/netplan/00-network-manager-all.yaml").read_text())
    assert renderer["network"]["renderer"] == "NetworkManager"


def test_a_fresh_card_opens_a_network_of_its_own() -> None:
    assert load_config(ROOT / "packaging/debian/allcity.toml", ("en",)).wifi.enabled
    assert {"dnsmasq-base", "polkitd"} <= set(built(IMAGE / "layer" / "allcity.yaml")["packages"])
    assert tomllib.loads((ROOT / "packaging/debian/allcity.toml").read_text())["web"]["port"] == 80


# --- for Raspberry Pi Imager ------------------------------------------------------------------


def listed(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    asked = [sys.executable, IMAGE / "imager-list", *words]
    return subprocess.run(asked, capture_output=True, text=True, check=False)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """Three megabytes and a bit, as no card is written."""
    made = tmp_path / "allcity-rpi5.img"
    made.write_bytes(bytes(range(256)) * 12_345)
    return made


def test_imager_gets_what_it_needs_to_customise_the_image(image: Path) -> None:
    packed = image.with_suffix(".img.xz")
    packed.write_bytes(lzma.compress(image.read_bytes()))
    said = listed(packed, "--url", "https://example.org/allcity.img.xz", "--device", "pi5-64bit")
    assert said.returncode == 0, said.stderr
    told_imager = json.loads(said.stdout)
    assert list(told_imager) == ["os_list"]
    (system,) = told_imager["os_list"]
    for name, kind in WANTED_BY_IMAGER.items():
        assert isinstance(system[name], kind), name
        assert system[name], name
    assert system["init_format"] == "cloudinit-rpi"
    assert (system["url"], system["devices"]) == ("https://example.org/allcity.img.xz", ["pi5-64bit"])
    assert (system["extract_size"], system["image_download_size"]) == (image.stat().st_size, packed.stat().st_size)
    assert system["extract_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert system["image_download_sha256"] == hashlib.sha256(packed.read_bytes()).hexdigest()
    assert date.fromisoformat(system["release_date"])
    kind, _, drawn = system["icon"].partition(";base64,")
    assert kind == "data:image/svg+xml"
    assert base64.b64decode(drawn).startswith(b"<svg")


def test_an_image_that_is_not_packed_is_listed_where_it_lies(image: Path) -> None:
    (system,) = json.loads(listed(image).stdout)["os_list"]
    assert system["url"] == image.as_uri()
    assert system["extract_sha256"] == system["image_download_sha256"]
    assert len(system["devices"]) == 2


def test_imager_is_not_told_to_customise_what_cannot_be(image: Path) -> None:
    (system,) = json.loads(listed(image, "--slots").stdout)["os_list"]
    assert system["init_format"] == "none"


def test_what_is_no_image_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "torn.img.xz").write_bytes(b"no xz at all")
    for name in ("torn.img.xz", "nothing.img"):
        said = listed(tmp_path / name)
        assert said.returncode == 2
        assert said.stderr.startswith("imager-list: ")
        assert said.stderr.count("\n") == 1


def test_the_build_says_where_it_cannot_be_done() -> None:
    said = subprocess.run([IMAGE / "build", "nonsense"], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (1, "build: there is no image 'nonsense'; try allcity or allcity-slots\n")
