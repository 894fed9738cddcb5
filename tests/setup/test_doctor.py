"""The doctor: every finding that is not good is provoked here, and says how it is, what it means, and what to do."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.ports import Condition, Status
from pi_app.setup import doctor, machine
from pi_app.setup.camera import clean_file, lens_file
from pi_app.storage.store import Store
from tests.setup.test_workshop import Clock
from vision.flicker import stripes
from web.people import Refused
from web.setup import explained
from web.text import LANGUAGES, Text, load
from web.workshop import Said

DOCS = Path(__file__).parents[2] / "docs" / "when-it-goes-wrong.md"
NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)

Provoke = Callable[[Path], Iterable[Said]]


def root(folder: Path, **files: str) -> Path:
    """A machine with these files: `sys/class/...` with __ for a slash."""
    for name, text in files.items():
        path = folder / "root" / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "root").mkdir(exist_ok=True)
    return folder / "root"


def mounted(folder: Path, source: str) -> dict[str, str]:
    number = folder.stat().st_dev
    line = f"22 1 {os.major(number)}:{os.minor(number)} / / rw - ext4 {source} rw"
    return {"proc__self__mountinfo": line}


def throttled(bits: int) -> Callable[[], str]:
    return lambda: f"throttled={bits:#x}\n"


def hot(folder: Path, degrees: int) -> Path:
    return root(folder, sys__class__thermal__thermal_zone0__temp=f"{degrees}000\n")


def no_firmware() -> str:
    raise FileNotFoundError("vcgencmd")


def a_store(folder: Path) -> Path:
    Store(folder / "allcity.db").close()
    return folder / "allcity.db"


def a_damaged_store(folder: Path) -> Path:
    path = a_store(folder)
    data = bytearray(path.read_bytes())
    data[4096 : 2 * 4096] = b"\xa5" * 4096
    path.write_bytes(bytes(data))
    return path


def anothers_store(folder: Path) -> Path:
    path = folder / "allcity.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name)")
        db.commit()
    return path


def backed_up(folder: Path, days_ago: int, enabled: bool = True, trouble: str | None = None) -> doctor.Check:
    """A store that was changed today, and a backup of some days ago; -1: none."""
    path = a_store(folder)
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    kept = folder / "backups"
    kept.mkdir()
    if days_ago >= 0:
        (kept / f"allcity-{NOON.date() - timedelta(days=days_ago)}.zip").touch()
    return doctor.backups(lambda: doctor.Backups(enabled, kept, trouble), path, NOON.date)


def plugged(folder: Path) -> Path:
    return root(folder, dev__ttyACM0="")


def the_clock(known: date | None, synchronised: bool) -> doctor.Check:
    return machine.clock(lambda: known, lambda: NOON, lambda: synchronised)


def no_picture() -> Sequence[Said]:
    raise Refused("setup.no_picture")


def broken() -> Iterable[Said]:
    raise OSError("gone")


def of(device: str, condition: Condition, **facts: Any) -> doctor.Check:
    return doctor.devices(lambda: [Status(device, condition, facts)])


FIRMWARE = {"found": "1.0.0", "wanted": "2.0.0", "port": "ttyACM0"}

PROVOKED: dict[tuple[str, str], Provoke] = {
    ("doctor.power.low", "bad"): lambda at: machine.power(throttled(0x50005))(),
    ("doctor.power.was_low", "warn"): lambda at: machine.power(throttled(0x50000))(),
    ("doctor.heat.hot", "bad"): lambda at: machine.heat(throttled(0x4), hot(at, 60))(),
    ("doctor.heat.warm", "warn"): lambda at: machine.heat(no_firmware, hot(at, 77))(),
    ("doctor.disk.warn", "warn"): lambda at: machine.disk(at, lambda path: 900_000_000)(),
    ("doctor.disk.bad", "bad"): lambda at: machine.disk(at, lambda path: 90_000_000)(),
    ("doctor.card.errors", "bad"): lambda at: machine.card(
        at, root(at, **mounted(at, "/dev/mmcblk0p2"), sys__fs__ext4__mmcblk0p2__errors_count="3\n"), lambda path: False
    )(),
    ("doctor.card.read_only", "bad"): lambda at: machine.card(at, root(at), lambda path: True)(),
    ("doctor.card.worn", "warn"): lambda at: machine.card(
        at,
        root(at, **mounted(at, "/dev/mmcblk0p2"), sys__class__block__mmcblk0__device__life_time="0x02 0x0A\n"),
        lambda path: False,
    )(),
    ("doctor.access.denied", "bad"): lambda at: machine.access(["ttyACM*"], plugged(at), lambda path: False)(),
    ("doctor.network.none", "warn"): lambda at: doctor.addresses(list)(),
    ("doctor.clock.alone", "warn"): lambda at: the_clock(None, synchronised=False)(),
    ("doctor.clock.behind", "bad"): lambda at: the_clock(date(2026, 5, 6), synchronised=True)(),
    ("doctor.backup.off", "warn"): lambda at: backed_up(at, 0, enabled=False)(),
    ("doctor.backup.old", "warn"): lambda at: backed_up(at, 5)(),
    ("doctor.backup.old", "bad"): lambda at: backed_up(at, 50)(),
    ("doctor.backup.failed", "bad"): lambda at: backed_up(at, 0, trouble="No space left on device")(),
    ("store.damaged", "bad"): lambda at: doctor.store(a_damaged_store(at))(),
    ("store.other_program", "bad"): lambda at: doctor.store(anothers_store(at))(),
    ("recorder.full", "warn"): lambda at: doctor.recorder(lambda: doctor.Recording(True, at, ("recorder.full", {})))(),
    ("doctor.clean.none", "warn"): lambda at: doctor.kept_pictures(lens_file(at), clean_file(at))(),
    ("doctor.picture.none", "warn"): lambda at: doctor.picture(no_picture)(),
    ("doctor.program.safe", "warn"): lambda at: doctor.safe_mode(),
    ("doctor.doctor.failed", "bad"): lambda at: doctor.Doctor([broken]).findings(),
    ("hardware.camera.absent", "bad"): lambda at: of("camera", Condition.ABSENT, why="Device or resource busy")(),
    ("hardware.camera.lost", "bad"): lambda at: of("camera", Condition.LOST, why="no picture")(),
    ("hardware.lights.lost", "bad"): lambda at: of("lights", Condition.LOST, why="no answer")(),
    ("hardware.lights.absent", "bad"): lambda at: of("lights", Condition.ABSENT, why="no Pico found")(),
    ("hardware.lights.wrong_version", "bad"): lambda at: of("lights", Condition.WRONG_VERSION, **FIRMWARE)(),
    ("hardware.buttons.stuck", "bad"): lambda at: of("buttons", Condition.STUCK, button="undo")(),
    ("hardware.buttons.absent", "bad"): lambda at: of("buttons", Condition.ABSENT, why="no Pico found")(),
    ("hardware.sound.absent", "bad"): lambda at: of("sound", Condition.ABSENT, why="gpiozero is not installed")(),
}
TELL_WHAT_TO_DO = ("hardware.", "check.")
"""These say in one sentence how it is and what to do."""
ELSEWHERE = {"doctor.camera.simulated", "doctor.program.silent"}
"""In tests/test_cli_doctor.py."""
INFORMATION = {"good", "none", "off", "unknown", "soon", "nothing", "running"}
"""States in which nothing is wrong, if not provoked above."""


@pytest.mark.parametrize(("key", "severity"), PROVOKED)
def test_whatever_is_wrong_is_found(key: str, severity: str, tmp_path: Path) -> None:
    found: dict[tuple[str, str], Said] = {(said.key, said.severity): said for said in PROVOKED[key, severity](tmp_path)}
    assert (key, severity) in found
    for language in LANGUAGES:
        told = explained(found[key, severity], Text(language))
        assert all(told[part] for part in ("text", "means"))
        assert told["do"] or key.startswith(TELL_WHAT_TO_DO)
        assert "{" not in "".join(map(str, told.values()))


def test_every_sentence_about_trouble_is_provoked() -> None:
    states = {key for key in load("en") if key.startswith("doctor.") and key.count(".") == 2}
    wrong = {key for key in states if key.rpartition(".")[2] not in {*INFORMATION, "means", "do"}}
    assert wrong - {key for key, _ in PROVOKED} - ELSEWHERE == set()


def test_what_the_camera_finds_tells_what_it_means_for_play() -> None:
    """Their causes are provoked in tests/vision/test_checks.py."""
    for key in load("en"):
        parts = key.split(".")
        if parts[0] == "check" and parts[2] in ("warn", "bad"):
            assert f"doctor.{parts[1]}.means" in load("en"), key


def test_every_finding_has_a_section_in_the_docs() -> None:
    text = DOCS.read_text(encoding="utf-8")
    names = {key.split(".")[1] for key in load("en") if key.startswith("doctor.") and key.endswith(".means")}
    assert {name for name in names if f"(`{name}`" not in text and f", `{name}`" not in text} == set()


HEALTHY: dict[str, Provoke] = {
    "power": lambda at: machine.power(throttled(0))(),
    "power of another machine": lambda at: machine.power(no_firmware)(),
    "heat": lambda at: machine.heat(throttled(0), hot(at, 50))(),
    "heat of another machine": lambda at: machine.heat(no_firmware, root(at))(),
    "disk": lambda at: machine.disk(at / "not" / "yet", lambda path: 9_000_000_000)(),
    "card": lambda at: machine.card(at, root(at), lambda path: False)(),
    "access": lambda at: machine.access(["ttyACM*"], plugged(at), lambda path: True)(),
    "network": lambda at: doctor.addresses(lambda: ["http://192.168.0.7"])(),
    "clock": lambda at: the_clock(NOON.date(), synchronised=True)(),
    "backup": lambda at: backed_up(at, 1)(),
    "no backup yet": lambda at: backed_up(at, -1)(),
    "store": lambda at: doctor.store(a_store(at))(),
    "no store yet": lambda at: doctor.store(at / "allcity.db")(),
    "recorder": lambda at: doctor.recorder(lambda: doctor.Recording(True, at))(),
    "no recorder": lambda at: doctor.recorder(lambda: doctor.Recording(False, at))(),
    "programs": lambda at: machine.programs(root(at))(),
    "lights": lambda at: doctor.devices(lambda: [Status("lights", facts={"firmware": "2.0.0", "port": "ttyACM0"})])(),
    "no lights": lambda at: of("lights", Condition.OFF)(),
}


@pytest.mark.parametrize("what", HEALTHY)
def test_what_is_well_is_left_in_peace(what: str, tmp_path: Path) -> None:
    found = list(HEALTHY[what](tmp_path))
    assert found
    for said in found:
        told = explained(said, Text("en"))
        assert (told["severity"], told["means"], told["do"]) == ("good", "", "")


def test_this_very_machine_can_be_looked_at(tmp_path: Path) -> None:
    """With the real commands, files and clock: whatever they say, nothing fails."""
    checks = [
        machine.power(),
        machine.heat(),
        machine.disk(tmp_path),
        machine.card(tmp_path),
        machine.access(["ttyACM*", "video*"]),
        machine.clock(lambda: None),
        machine.programs(),
    ]
    found = doctor.Doctor(checks).findings()
    assert {said.name for said in found} >= {"power", "heat", "disk", "card", "access", "clock", "version", "system"}


def test_the_firmware_of_the_lights_is_told() -> None:
    pico = Status("lights", facts={"firmware": "2.0.0", "port": "ttyACM0"})
    assert [said.name for said in doctor.devices(lambda: [pico])()] == ["lights", "firmware"]


def test_a_store_is_looked_through_only_after_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, looked = a_store(tmp_path), list[Path]()
    monkeypatch.setattr(doctor, "check_store", looked.append)
    check = doctor.store(path)
    for _ in range(3):
        list(check())
    assert len(looked) == 1
    os.utime(path, (1, 1))
    list(check())
    assert len(looked) == 2


def test_a_table_that_rests_needs_no_new_backup(tmp_path: Path) -> None:
    check = backed_up(tmp_path, 20)
    long_ago = (NOON - timedelta(days=21)).timestamp()
    os.utime(tmp_path / "allcity.db", (long_ago, long_ago))
    [said] = check()
    assert said.severity == "good"


def test_the_doctor_does_not_run_for_everybody_who_asks() -> None:
    clock, asked = Clock(), list[float]()

    def check() -> list[Said]:
        asked.append(clock.s)
        return []

    looking = doctor.Doctor([check], clock)
    for _ in range(3):
        looking.findings()
    clock.s += 10
    looking.findings()
    assert asked == [100.0, 110.0]


# --- flicker ----------------------------------------------------------------------------------


def picture(light: Any = 1.0) -> Any:
    """A textured table in a light that may differ from row to row."""
    rng = np.random.default_rng(1)
    surface = rng.uniform(40, 160, (540, 960, 1)) * np.ones(3)
    seen = surface * np.broadcast_to(np.asarray(light, float).reshape(-1, 1, 1), surface.shape)
    return np.clip(seen + rng.normal(0, 4, surface.shape), 0, 255).astype(np.uint8)


def mains(phase: float, depth: float) -> Any:
    """Three stripes of lamps that pulse with the mains."""
    return 1 + depth * np.sin(np.linspace(0, 6 * np.pi, 540) + phase)


def test_pulsing_lamps_are_told_by_their_stripes() -> None:
    weak, strong = (stripes(picture(mains(0, depth)), picture(mains(2.5, depth))) for depth in (0.03, 0.15))
    assert 0.04 < weak < strong
    assert strong > 0.15


def test_hands_and_lamps_that_are_switched_do_not_flicker() -> None:
    still = picture()
    assert stripes(still, picture()) < 0.02
    assert stripes(still, picture(0.6)) < 0.02
    covered = picture()
    covered[100:300, 200:500] = 90
    assert stripes(still, covered) < 0.02
