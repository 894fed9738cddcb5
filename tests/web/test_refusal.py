"""What people are told holds no path of this machine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.ports import Condition, Status
from pi_app.setup import doctor
from tests.web.house import opened
from tests.web.workshop import opened_workshop
from web.people import Refused
from web.refusal import without_paths
from web.workshop import Said


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("/home/pi/games/allcity.db", "allcity.db"),
        ("/home/pi/my games/allcity.db", "allcity.db"),
        ("../games/allcity.db", "allcity.db"),
        ("~/games/allcity.db", "allcity.db"),
        ("[Errno 13] Permission denied: '/home/pi/my games/allcity.db'", "[Errno 13] Permission denied: 'allcity.db'"),
        ("could not open port /dev/ttyACM0: busy", "could not open port ttyACM0: busy"),
        ("http://192.168.0.7:8080", "http://192.168.0.7:8080"),
        ("http://allcity.local/seat", "http://allcity.local/seat"),
        ("2/3", "2/3"),
        ("A / B", "A / B"),
        ("allcity.db", "allcity.db"),
        (["/a/b", 3], ["b", 3]),
        (7, 7),
        (None, None),
    ],
)
def test_a_file_is_told_by_its_name(told: Any, shown: Any) -> None:
    assert without_paths({"why": told}) == {"why": shown}


def test_neither_doctor_nor_refusals_tell_where_files_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = [Status("lights", Condition.LOST, {"why": "cannot open /dev/serial/by-id/pico"})]
    stopped = doctor.Recording(True, tmp_path, ("recorder.failed", {"why": f"disk full: '{tmp_path}/ring/1.jpg'"}))

    def damaged() -> Iterator[Said]:
        yield Said("store", "bad", "store.damaged", {"file": str(tmp_path / "allcity.db"), "why": "malformed"})

    checks: Sequence[doctor.Check] = (doctor.devices(lambda: gone), doctor.recorder(lambda: stopped), damaged)
    workshop = replace(opened_workshop(tmp_path).workshop, doctor=doctor.Doctor(checks))
    with opened(tmp_path, workshop=workshop) as at:
        found = at.client.get("/api/doctor").text
        assert "pico" in found
        assert "llcity.db is damaged" in found
        assert "/dev" not in found
        assert str(tmp_path) not in found

        def failing(*_: object) -> Any:
            raise Refused("store.busy", file=str(tmp_path / "allcity.db"))

        monkeypatch.setattr(at.house.history, "games", failing)
        for path in ("/games", "/api/games"):
            refused = at.client.get(path).text
            assert "allcity.db" in refused
            assert str(tmp_path) not in refused
