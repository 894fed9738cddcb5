"""A dashboard with a workshop behind it: real profiles, kits and photographs, a camera that says what it is told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from hardware.ports import Status
from pi_app.engine.contract import Game
from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.setup import doctor, machine
from pi_app.setup.backup import Place, Summary
from pi_app.setup.backup_page import Backups
from pi_app.setup.kits import KitMaker
from pi_app.setup.light_test import LampTest
from pi_app.setup.lights import LightsSetup
from pi_app.setup.photos import Photos
from pi_app.setup.profiles import Shelf
from pi_app.table.lights import PLAYERS
from tests.playing import TAG_CITY
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate, Refused
from web.refusal import Refusal
from web.workshop import CleanState, Json, LearnedLook, LensState, PiecesState, Said, WifiNetwork, WifiState, Workshop

PIN = "123456"
AT = "2026-01-02T20:00:00.000Z"
HEARD = (WifiNetwork("Home", 82, "password"), WifiNetwork("Café", 40, "open"), WifiNetwork("Office", 30, "unusable"))


class NoTable:
    def command(self, name: str, args: Mapping[str, Any], seat: int | None = None) -> Refusal | None:
        return Refusal("table.no_game")

    def mover(self, event: Mapping[str, Any]) -> int | None:
        return None

    def placements(self, seat: int, piece: int) -> dict[str, Any] | None:
        return None

    def picture(self, board: str) -> bytes | None:
        return None

    def wrong(self, board: str) -> bytes | None:
        return None

    def candidate(self, number: int) -> bytes | None:
        return None


@dataclass
class ToldCamera:
    """Answers as it is told, and remembers what was asked of it."""

    found: Sequence[Said] = (Said("focus", "good", "check.focus.good"),)
    asked: list[str] = field(default_factory=list)
    trouble: Refused | None = None
    kept: CleanState = field(default_factory=lambda: CleanState(None))
    shown: bytes = b"\xff\xd8 a picture of somebody's room"

    def picture(self) -> bytes:
        self._ask("picture")
        return self.shown

    def findings(self) -> Sequence[Said]:
        self._ask("findings")
        return self.found

    def lens(self) -> LensState:
        return LensState(False, 0, 0, 6, [False] * 9)

    def take_lens_picture(self) -> LensState:
        self._ask("take")
        return self.lens()

    def measure_lens(self) -> LensState:
        self._ask("measure")
        return self.lens()

    def forget_lens(self) -> LensState:
        self._ask("forget")
        return self.lens()

    def clean(self) -> CleanState:
        return self.kept

    def take_clean(self, anyway: bool) -> CleanState:
        self._ask(f"clean {anyway}")
        self.kept = CleanState("2026-01-02T20:00:00+00:00", ["hq", "city-1"], ["city-2"])
        return self.kept

    def _ask(self, what: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.asked.append(what)


@dataclass
class ToldPieces:
    """What it learns is two reds that look alike."""

    kept: PiecesState = field(default_factory=lambda: PiecesState(()))
    shown: bytes = b"\xff\xd8 a piece"

    def state(self) -> PiecesState:
        return self.kept

    def sheet(self) -> bytes:
        return b"%PDF a sheet"

    def learn(self) -> PiecesState:
        looks = [LearnedLook("red", "#c02030", 15.6), LearnedLook("ruby", "#b82838", 16.1)]
        self.kept = PiecesState(["red", "ruby"], "2026-01-02T20:00:00+00:00", looks, [("red", "ruby")])
        return self.kept

    def forget(self) -> PiecesState:
        self.kept = PiecesState(self.kept.wanted)
        return self.kept

    def picture(self, piece: str) -> bytes:
        if piece not in self.kept.wanted:
            raise Refused("web.not_found")
        return self.shown


@dataclass
class ToldWifi:
    """A radio that remembers what was asked of it."""

    now: WifiState = field(default_factory=lambda: WifiState("alone", networks=HEARD))
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def state(self) -> WifiState:
        return self.now

    def join(self, name: str, password: str, hidden: bool) -> None:
        self.asked.append((name, password, hidden))
        self.now = replace(self.now, state="joining", name=name)

    def open_hotspot(self, is_open: bool) -> None:
        self.asked.append((is_open,))
        self.now = replace(self.now, state="joining", name="")


@dataclass
class Dashboard:
    """What tests hold: a browser without a token, one of the host's, and what lies behind."""

    client: FlaskClient
    camera: ToldCamera
    shelf: Shelf
    press: KitMaker
    lamps: LampTest
    token: str
    hub: Hub
    begun: list[Summary]
    wifi: ToldWifi

    def get(self, path: str, host: bool = True, **headers: str) -> Any:
        return self.client.get(path, headers={**self._token(host), **headers})

    def post(self, path: str, send: Any, host: bool = True, **headers: str) -> Any:
        kind = {"data": send} if isinstance(send, bytes) else {"json": send}
        return self.client.post(path, headers={**self._token(host), **headers}, **kind)

    def _token(self, host: bool) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if host else {}


def dashboard(folder: Path) -> Dashboard:
    bench = opened_workshop(folder)
    hub = Hub()
    app = create_app(
        House(
            hub,
            NoTable(),
            folder,
            PinGate(PIN),
            write_private,
            PLAYERS,
            GAMES,
            "tag_city",
            workshop=bench.workshop,
        )
    )
    client = app.test_client()
    token = client.post("/api/host", json={"pin": PIN}).get_json()["token"]
    return Dashboard(client, bench.camera, bench.shelf, bench.press, bench.lamps, token, hub, bench.begun, bench.wifi)


@dataclass
class Opened:
    """A workshop, and what tests hold of it."""

    workshop: Workshop
    camera: ToldCamera
    shelf: Shelf
    press: KitMaker
    lamps: LampTest
    pieces: ToldPieces
    begun: list[Summary]
    """What was staged for the program to begin anew with."""
    wifi: ToldWifi


def opened_workshop(folder: Path, makes_kits: bool = True, game: Game[Any] = TAG_CITY) -> Opened:
    """`makes_kits`: at once; else they are begun and never ready."""
    begun: list[Summary] = []
    shelf, camera, lamps = Shelf(folder, game), ToldCamera(), LampTest(lambda: 0.0)
    press = KitMaker(shelf, folder, (lambda work: work()) if makes_kits else (lambda work: None))
    checks = (machine.programs(), machine.disk(folder), doctor.addresses(lambda: ["http://192.168.0.7:8080"]))
    lights = LightsSetup(lamps, lambda: Status("lights"))
    photos, pieces = Photos(folder, game.edition.measurable), ToldPieces()

    def support(with_pictures: bool, findings: Sequence[Json]) -> bytes:
        return json.dumps({"pictures": with_pictures, "findings": findings}).encode()

    backups = Backups(Place(folder / "allcity.db"), folder / "backups", lambda: AT, begun.append)
    wifi = ToldWifi()
    workshop = Workshop(
        game.name, camera, lights, shelf, press, photos, pieces, doctor.Doctor(checks), backups, support, wifi
    )
    return Opened(workshop, camera, shelf, press, lamps, pieces, begun, wifi)
