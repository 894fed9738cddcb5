"""`allcity run`: a game at the table."""

import argparse
import logging
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.theme import Theme

from hardware.build import found_camera
from hardware.settings import ButtonsSettings, CameraSettings, HardwareSettings, LightsSettings, SoundSettings
from pi_app.commands.backups import place_of, restore_config
from pi_app.commands.console import (
    CommandError,
    Commands,
    StartAnew,
    Unfailing,
    add_game,
    add_players,
    alone,
    between,
    chosen_game,
    now,
)
from pi_app.config import Config, config_file, shareable
from pi_app.engine.contract import Game, Setup
from pi_app.games import GAMES
from pi_app.run.logs import TableLog, open_log
from pi_app.run.service import Service
from pi_app.run.starts import HEALTHY_S, Starts
from pi_app.setup.backup import Summary, finish
from pi_app.setup.daily_backup import DailyBackup
from pi_app.setup.profiles import Shelf
from pi_app.setup.workbench import Workbench
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from pi_app.table.lights import PLAYERS
from pi_app.table.table import Table
from web.refusal import Refusal
from web.text import Text
from web.workshop import Json, Workshop

if TYPE_CHECKING:
    from pi_app.recording.recorder import Recorder
    from pi_app.run.serving import FrontDoor
    from pi_app.run.session import Session
    from pi_app.setup.wifi import Wifi
    from pi_app.simulation.simroom import SimRoom

WITHOUT_DEVICES = HardwareSettings(
    camera=CameraSettings(kind="none"),
    lights=LightsSettings(kind="none"),
    buttons=ButtonsSettings(kind="none"),
    sound=SoundSettings(kind="none"),
)
"""In safe mode: everything is played on the phones."""
TAGS = ("KRASH", "NEON", "ECHO", "VIPER", "ORBIT", "FLINT", "ZEPHYR", "MIRA")
"""How the bots of the simulated table sign."""
SPEEDS = ("calm", "normal", "max")
PAGES = {"screen": "/", "seat": "/seat", "host": "/host", "setup": "/setup", "rules": "/rules", "sim": "/sim"}
"""Those of the dashboard that the terminal names."""
IDLE_S = 0.1
LOG_S = 1.0
ANSWERED_S = 1.0
"""Long enough for an answer to leave before the program does."""
FAILED_REST = 20
"""Turns of the loop between an error and the next start."""

log = logging.getLogger(__name__)


def declare(commands: Commands) -> None:
    about = "Play at the table; without one, watch a simulated game."
    sub = commands.add("run", run, about, "allcity run --players 3")
    add_game(sub)
    add_players(sub)
    sub.add_argument("--seed", type=int, help="the same seed gives the same game")
    sub.add_argument(
        "--speed", choices=SPEEDS, default="normal", help="how fast bots draw; max: one game, then it ends"
    )
    where = sub.add_mutually_exclusive_group()
    where.add_argument("--sim", action="store_true", help="the simulated table, whatever is attached")
    where.add_argument("--real", action="store_true", help="the real table, or say that none is attached")
    sub.add_argument("--port", type=between(0, 65_535), metavar="N", help="the dashboard's port (default 8080)")
    sub.add_argument("--new", action="store_true", help="leave an interrupted game and start a new one")


def run(args: argparse.Namespace, config: Config) -> None:
    """Plays at the table, or goes on with the game that was interrupted."""
    game, settings = chosen_game(args), _devices(args, config)
    starts = Starts(config.store.parent)
    simulated = settings.camera.kind == "sim"
    if starts.is_safe_mode and not simulated:
        settings = WITHOUT_DEVICES
    service = Service()
    console = Console(
        quiet=service.is_one,
        theme=Theme({f"seat.{n}": Style(color=Color.from_rgb(*rgb)) for n, rgb in enumerate(PLAYERS.values())}),
    )
    place = place_of(args, config)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)  # as systemd stops a service
    with (
        redirect_stdout(cast(TextIO, Unfailing(sys.stdout))),
        alone(config),
        open_log(config.store, to_journal=service.is_one),
        starts.counted(CommandError, StartAnew),
    ):
        finish(place)  # of a restore that was interrupted
        # Whoever looks back reads with a connection of their own, so that the table never waits for them.
        with Store(config.store) as store, Store(config.store, follows=True) as past:
            setup = _first_setup(game, Shelf(config.store.parent, game), args.players)
            bots = range(len(setup.players)) if simulated else ()
            table = Table(game, store, setup, now, begin=False, bots=bots, games=GAMES.values())
            program = Program(args, config, settings, table, past, console, starts, service)
            try:
                program.open()
                program.begin()
                program.play()
            except KeyboardInterrupt:
                console.print(program.text("show.stopped"))
            finally:
                program.close()
        if program.restored is not None:
            finish(place)
            if program.restored.config is not None:
                restore_config(config_file(args.config), program.restored.config)
            raise StartAnew


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _first_setup(game: Game[Any], shelf: Shelf, players: int) -> Setup:
    """Of a game that nobody has chosen otherwise."""
    name, side = shelf.chosen()
    return Setup(shelf.printed(name, side)[0], game.edition.on_side(side), TAGS[:players])


class Program:
    """Game after game at one table, with its dashboard."""

    def __init__(
        self,
        args: argparse.Namespace,
        config: Config,
        settings: HardwareSettings,
        table: Table,
        past: Store,
        console: Console,
        starts: Starts,
        service: Service,
    ) -> None:
        self._args, self._config, self._settings, self._console = args, config, settings, console
        self._table, self._past = table, past
        self._simulated = settings.camera.kind == "sim"
        self._starts, self._service, self._begun_s = starts, service, time.monotonic()
        self._is_safe = starts.is_safe_mode and not self._simulated
        self._log, self._logged_s = TableLog(Text("en", (), table.game.folder)), float("-inf")
        self._bench, self._recorder = Workbench(time.monotonic, settings.lights.zones), _recorder(config)
        self._place = place_of(args, config)
        self._daily = DailyBackup(self._place, config.backups)
        self._door: FrontDoor | None = None
        self._room: SimRoom | None = None
        self.restored: Summary | None = None
        """A backup was staged from the set-up pages: the program starts anew with it."""

    @property
    def text(self) -> Text:
        """Sentences with the names of who plays now."""
        return Text(self._config.language, self._table.setup.players, self._table.game.folder)

    def open(self) -> None:
        """Says which table it is, and opens the dashboard."""
        self._console.print(self.text("show.simulated" if self._simulated else "show.real"), style="bright_black")
        log.info("All City %s starts at %s table", version("allcity"), "the simulated" if self._simulated else "a real")
        if self._is_safe:
            log.warning("%s", self.text("web.safe_mode"))
        if (notice := self._table.view()["notice"]) is not None:
            self._console.print(self.text(notice["reason"], notice["facts"]), style="yellow", markup=False)
        if self._config.web.enabled:
            self._open_door()
        if self._config.backup.enabled:
            self._daily.start()
        self._service.ready()

    def begin(self) -> None:
        """Bots begin by themselves. Where people play, they take their seats first and say whether to continue."""
        offered = self._table.view()["continue"]
        if self._args.new or offered is None:
            if self._simulated or self._args.new or self._door is None:
                self._table.step(Command("new_game"))
                self._seat_people()
        elif self._door is None or (self._simulated and len(offered["bots"]) == len(offered["players"])):
            self._table.step(Command("continue"))
            self._show_continued()

    def _seat_people(self) -> None:
        """Whoever has kept a seat from another evening plays it."""
        for seat in [] if self._door is None else self._door.people():
            self._table.step(Command("sit", {"seat": seat["seat"], "name": seat["name"]}))

    def close(self) -> None:
        self._service.ending()
        log.info("All City ends")
        if self._recorder is not None:
            self._recorder.close()

    def _show_continued(self) -> None:
        shown = self._table.view()
        self._console.print(self.text("show.continued", {"game": self._table.game_id, "round": shown["round"]}))
        self._table.game.show(self._console, self.text).boards(shown["game"])

    def play(self) -> None:
        """Game after game; without a dashboard, or in a hurry, only one."""
        ended = False
        while not ended:
            try:
                ended = self._at_the_table()
            except Exception:
                # Nothing that nobody foresaw may end the evening: it is logged and told, and the table looks anew.
                if self._door is None:
                    raise
                log.exception("the table starts again")
                self._table.fail()
                self._pass_time()

    def _at_the_table(self) -> bool:
        """The one loop: until another game comes onto the table, or this one leaves it. Gives whether that was all."""
        table, session = self._table, self._session()
        if self._door is not None:
            self._door.dashboard.show_pictures(session.pictures)
        told, hurry = False, self._args.speed == "max"
        this = table.games_opened, table.game_id is None
        with session.open():
            while (table.games_opened, table.game_id is None) == this:
                if self.restored is not None:
                    time.sleep(ANSWERED_S)
                    return True
                if table.paused:
                    time.sleep(IDLE_S)
                else:
                    session.turn()
                self._serve()
                if session.finished and not told:
                    told = True
                    self._console.print(self.text("show.saved", {"game": table.game_id}), style="bright_black")
                if session.finished and (self._door is None or (hurry and not session.people_play)):
                    if hurry:
                        self._console.print(self.text("show.one_game"), style="bright_black")
                    return True
        return False

    def _serve(self) -> None:
        """What the dashboard, those who set the table up, systemd and the log want."""
        self._service.turning()
        if self._door is None:
            return
        self._door.dashboard.once()
        self._bench.once()
        now_s = time.monotonic()
        if now_s - self._logged_s >= LOG_S:
            self._logged_s = now_s
            self._log.look(self._door.hub.part("table") or {}, self._bench.statuses())
        if now_s - self._begun_s >= HEALTHY_S:
            self._starts.went_well()

    def _pass_time(self) -> None:
        """Long enough to do what the dashboard wants, and not to be busy with failing."""
        with suppress(Exception):
            for _ in range(0 if self.restored else FAILED_REST):
                self._serve()
                time.sleep(IDLE_S)

    def _session(self) -> "Session":
        from pi_app.run.session import Recording, Session, Simulation  # noqa: PLC0415 - others need not wait for OpenCV
        from pi_app.setup.camera import lens_file, load_lens  # noqa: PLC0415
        from pi_app.setup.pieces import load_looks  # noqa: PLC0415

        folder, table, args = self._config.store.parent, self._table, self._args
        recording = None if self._recorder is None else Recording(self._recorder, shareable(self._config))
        return Session(
            table,
            self._settings,
            self._console,
            self.text,
            self._config.store.with_name("clean.png"),
            Simulation(args.seed, args.speed, self._room) if self._simulated else None,
            recording if table.game_id is not None else None,
            self._bench,
            None if self._simulated else Shelf(folder, table.game).measured_for(table.setup.profile),
            None if self._simulated else load_lens(lens_file(folder)),
            None if self._simulated else load_looks(folder, table.game.name),
        )

    def _begin_anew(self, restored: Summary) -> None:
        """From any thread: the loop sees it."""
        self.restored = restored

    def _support(self, with_pictures: bool, findings: Sequence[Json]) -> bytes:
        """From any thread."""
        from pi_app.commands.support import evidence  # noqa: PLC0415 - only who needs help
        from pi_app.setup.support import make_support  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "support.zip"
            make_support(file, evidence(self._config, findings), with_pictures, now(), Text(self._config.language))
            return file.read_bytes()

    def _wifi(self) -> "Wifi | None":
        """This machine's, if it is the table's to change."""
        from pi_app.setup import network_manager  # noqa: PLC0415 - few tables have one
        from pi_app.setup.wifi import Wifi, own_network  # noqa: PLC0415

        if not self._config.wifi.enabled or not network_manager.is_there():
            return None
        hotspot = own_network(self._config.store.parent, machine_id())

        def somebody_is_here() -> bool:
            return self._door is not None and any(one["here"] for one in self._door.people())

        return Wifi(network_manager.NetworkManager(), hotspot, somebody_is_here)

    def _show_network(self, told: Mapping[str, Any], pin: str) -> None:
        """From any thread: where the table is now, on the console of a machine without any other screen."""
        from pi_app.run.network import for_terminal, write_issue  # noqa: PLC0415

        said = for_terminal(told, pin, Text(self._config.language))
        if folder := os.environ.get("RUNTIME_DIRECTORY"):
            write_issue(Path(folder), said)
        if self._console.is_terminal and told["hotspot"] is not None:
            print(said)

    def _open_door(self) -> None:
        from pi_app.history.history import History  # noqa: PLC0415
        from pi_app.run.checks import checks  # noqa: PLC0415
        from pi_app.run.serving import open_door  # noqa: PLC0415 - other commands need no web server
        from pi_app.setup import doctor  # noqa: PLC0415
        from pi_app.setup.backup_page import Backups  # noqa: PLC0415
        from pi_app.setup.opening import open_workshop  # noqa: PLC0415
        from pi_app.simulation.simroom import SimRoom  # noqa: PLC0415
        from web import codes  # noqa: PLC0415
        from web.serve import PortTaken, own_addresses  # noqa: PLC0415

        config, recorder, wifi = self._config, self._recorder, self._wifi()
        folder = config.store.parent
        self._room = SimRoom() if self._simulated else None

        def recording() -> doctor.Recording:
            return doctor.Recording(
                recorder is not None, config.recordings, None if recorder is None else recorder.trouble
            )

        def backups() -> doctor.Backups:
            return doctor.Backups(config.backup.enabled, config.backups, self._daily.trouble)

        def workshop(port: int) -> Workshop:
            looked_at = checks(config, recording, backups, lambda: own_addresses(port))
            looked_at = (doctor.safe_mode, *looked_at) if self._is_safe else looked_at
            kept = Backups(self._place, config.backups, now, self._begin_anew)
            return open_workshop(
                self._bench, config.store, self._table.game, looked_at, kept, self._support, self._simulated, wifi
            )

        def opened(port: int) -> "FrontDoor":
            return open_door(
                self._table,
                History(self._past),
                folder,
                port,
                config.web.address,
                config.web.name,
                lambda game, name: Shelf(folder, game).find(name),
                workshop,
                self._room,
                Refusal("web.safe_mode") if self._is_safe else None,
                wifi,
                self._show_network,
            )

        first = config.web.port if self._args.port is None else self._args.port
        try:
            self._door = opened(first)
        except PortTaken as error:
            if config.web.second_port is None or self._args.port is not None:
                raise CommandError(self.text("web.port_taken", {"port": str(error.port), "why": error.why})) from error
            log.warning("port %d cannot be had (%s): %d is taken", error.port, error.why, config.web.second_port)
            try:
                self._door = opened(config.web.second_port)
            except PortTaken as other:
                raise CommandError(self.text("web.port_taken", {"port": str(other.port), "why": other.why})) from other
        told = {"addresses": list(self._door.addresses), "pin": self._door.pin}
        log.info("The dashboard is at %s", ", ".join(self._door.addresses))
        self._console.print(self.text("web.open", told), markup=False, soft_wrap=True)
        for page, address in PAGES.items():
            if self._simulated or page != "sim":
                self._console.print(f"  {address:8}{self.text(f'show.page_{page}')}", style="bright_black")
        if self._console.is_terminal:
            print(codes.in_terminal(codes.join(self._door.addresses[0])))


def machine_id() -> str:
    """What tells this machine from others."""
    with suppress(OSError):
        return Path("/etc/machine-id").read_text(encoding="ascii").strip()
    return platform.node()


def _devices(args: argparse.Namespace, config: Config) -> HardwareSettings:
    """Those of the real table if it has a camera, otherwise all simulated."""
    camera = config.hardware.camera
    if args.sim:
        return HardwareSettings(camera=replace(camera, kind="sim"))
    if args.real and camera.kind == "sim":
        camera = replace(camera, kind="auto")
    camera = found_camera(camera)
    if args.real and camera.kind in ("sim", "none"):
        raise CommandError("--real: no camera is attached to this Pi; name another in the configuration's [camera]")
    return HardwareSettings(camera=camera) if camera.kind == "sim" else replace(config.hardware, camera=camera)


def _recorder(config: Config) -> "Recorder | None":
    from pi_app.recording.recorder import Recorder  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.recording.ring import Ring  # noqa: PLC0415

    if not config.recorder.enabled:
        return None
    wanted = config.recorder
    ring = Ring(config.recordings, wanted.limit_mb * 1_000_000)
    recorder = Recorder(ring, wanted.pictures, wanted.hourly_mb * 1_000_000)
    recorder.start()
    return recorder
