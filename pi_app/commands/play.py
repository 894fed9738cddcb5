"""`allcity run`: a game at the table."""

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from rich.console import Console

from hardware.build import found_camera
from hardware.settings import HardwareSettings
from pi_app.commands.console import Commands, Refused, between, now
from pi_app.config import Config
from pi_app.engine.contract import Setup
from pi_app.games import GAMES
from pi_app.games.tag_city.profile import resolve
from pi_app.inputs import Command
from pi_app.store import Store
from pi_app.table import Table
from pi_app.terminal import Show
from pi_app.workbench import Workbench
from pi_app.workshop.profiles import Shelf
from web.text import Text
from web.workshop import Workshop

if TYPE_CHECKING:
    from pi_app.frontdoor import FrontDoor
    from pi_app.recorder import Recorder

TAGS = ("KRASH", "NEON", "ECHO", "VIPER")
"""How the bots of the simulated table sign."""
SPEEDS = ("calm", "normal", "max")
IDLE_S = 0.1


def declare(commands: Commands) -> None:
    about = "Play at the table; without one, watch a simulated game."
    sub = commands.add("run", run, about, "allcity run --players 3")
    sub.add_argument("--players", type=between(2, 4), default=4, metavar="K", help="2 to 4 (default 4)")
    sub.add_argument("--seed", type=int, help="the same seed gives the same game")
    sub.add_argument("--speed", choices=SPEEDS, default="normal", help="how fast bots draw")
    where = sub.add_mutually_exclusive_group()
    where.add_argument("--sim", action="store_true", help="the simulated table, whatever is attached")
    where.add_argument("--real", action="store_true", help="the real table, or say that none is attached")
    sub.add_argument("--port", type=between(0, 65_535), metavar="N", help="the dashboard's port (default 8080)")
    sub.add_argument("--new", action="store_true", help="leave an interrupted game and start a new one")


def run(args: argparse.Namespace, config: Config) -> None:
    """Plays at the table, or goes on with the game that was interrupted."""
    settings = _devices(args, config)
    simulated = settings.camera.kind == "sim"
    console = Console()
    # Whoever looks back reads with a connection of their own, so that the table never waits for them.
    with Store(config.store) as store, Store(config.store) as past:
        shelf = Shelf(config.store.parent)
        name, side = shelf.chosen()
        setup = Setup(resolve(shelf.edition(name, side), side), {"city_side": side}, TAGS[: args.players])
        table = Table(GAMES["tag_city"], store, setup, now)
        offered = table.view()["continue"]
        if offered is not None:
            table.step(Command("new_game" if args.new else "continue"))
        text = Text(config.language, table.setup.players)
        console.print(text("show.simulated" if simulated else "show.real"), style="bright_black")
        bench, recorder = Workbench(time.monotonic), _recorder(config)
        door = _open_door(args, config, table, past, simulated, console, text, bench, recorder)
        if offered is not None and not args.new:
            shown = table.view()["game"]
            console.print(text("show.continued", {"game": table.game_id, "round": shown["round"]}))
            Show(console, text).boards(shown)
        try:
            _play(args, config, table, settings, console, door, recorder, bench)
        except KeyboardInterrupt:
            console.print(text("show.stopped"))
        finally:
            if recorder is not None:
                recorder.close()


def _play(
    args: argparse.Namespace,
    config: Config,
    table: Table,
    settings: HardwareSettings,
    console: Console,
    door: "FrontDoor | None",
    recorder: "Recorder | None",
    bench: Workbench,
) -> None:
    """Game after game; without a dashboard, or in a hurry, only this one."""
    from pi_app.session import Left, Session  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.workshop.camera import lens_file, load_lens  # noqa: PLC0415
    from vision.pictures import BadPicture  # noqa: PLC0415

    folder = config.store.parent
    while True:
        game_id = table.game_id

        def between(game_id: int | None = game_id) -> None:
            _meanwhile(door, table, bench)
            if table.game_id != game_id:
                raise Left

        text = Text(config.language, table.setup.players)
        measured = None if settings.camera.kind == "sim" else Shelf(folder).measured_for(table.setup.profile)
        lens = load_lens(lens_file(folder))
        session = Session(table, table.setup, settings, console, text, between, bench, measured, lens)
        if door is not None:
            door.dashboard.pictures = session.pictures
        if recorder is not None:
            session.record(recorder, _shareable(config))
        try:
            if settings.camera.kind == "sim":
                session.simulate(args.seed, args.speed)
            else:
                session.attend(config.store.with_name("clean.png"))
            console.print(text("show.saved", {"game": game_id}), style="bright_black")
        except BadPicture as error:
            raise Refused(str(error)) from error
        except Left:
            pass
        if door is None or args.speed == "max":
            return

        def until_another(ended: int | None = game_id) -> None:
            _meanwhile(door, table, bench)
            if table.game_id not in (None, ended):
                raise Left

        # The result stays on the screens until somebody wants more.
        with suppress(Left):
            Session(table, table.setup, settings, console, text, until_another, bench, measured, lens).rest()


def _meanwhile(door: "FrontDoor | None", table: Table, bench: Workbench) -> None:
    """What the dashboard wants; while the game is paused, nothing else."""
    if door is None:
        return
    door.dashboard.once()
    bench.once()
    while table.paused:
        time.sleep(IDLE_S)
        door.dashboard.once()
        bench.once()


def _open_door(
    args: argparse.Namespace,
    config: Config,
    table: Table,
    past: Store,
    simulated: bool,
    console: Console,
    text: Text,
    bench: Workbench,
    recorder: "Recorder | None",
) -> "FrontDoor | None":
    """The dashboard, with its address and PIN told."""
    from pi_app.frontdoor import open_door  # noqa: PLC0415 - other commands need no web server
    from pi_app.history import History  # noqa: PLC0415
    from pi_app.workshop.doctor import Recording  # noqa: PLC0415
    from pi_app.workshop.opening import open_workshop  # noqa: PLC0415
    from web.serve import PortTaken  # noqa: PLC0415

    if not config.web.enabled:
        return None
    folder = config.store.parent
    port = config.web.port if args.port is None else args.port

    def recording() -> Recording:
        return Recording(recorder is not None, config.recordings, None if recorder is None else recorder.trouble)

    def workshop(addresses: Sequence[str]) -> Workshop:
        return open_workshop(bench, config.store, addresses, recording)

    try:
        door = open_door(
            table,
            History(past),
            folder,
            port,
            config.web.address,
            config.web.name,
            simulated,
            Shelf(folder).find,
            workshop,
        )
    except PortTaken as error:
        raise Refused(text("web.port_taken", {"port": str(error.port), "why": error.why})) from error
    console.print(text("web.open", {"addresses": list(door.addresses), "pin": door.pin}), markup=False, soft_wrap=True)
    return door


def _devices(args: argparse.Namespace, config: Config) -> HardwareSettings:
    """Those of the real table if it has a camera, otherwise all simulated."""
    camera = config.hardware.camera
    if args.sim:
        return HardwareSettings(camera=replace(camera, kind="sim"))
    if args.real and camera.kind == "sim":
        camera = replace(camera, kind="auto")
    camera = found_camera(camera)
    if args.real and camera.kind in ("sim", "none"):
        raise Refused("--real: no camera is attached to this Pi; name another kind in the configuration's [camera]")
    return HardwareSettings(camera=camera) if camera.kind == "sim" else replace(config.hardware, camera=camera)


def _recorder(config: Config) -> "Recorder | None":
    from pi_app.recorder import Recorder  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.ring import Ring  # noqa: PLC0415

    if not config.recorder.enabled:
        return None
    recorder = Recorder(Ring(config.recordings, config.recorder.limit_mb * 1_000_000))
    recorder.start()
    return recorder


def _shareable(config: Config) -> dict[str, Any]:
    """The configuration as others may see it: of places on this disk the last name only."""
    told: dict[str, Any] = json.loads(json.dumps(asdict(config), default=lambda path: path.name))
    return told
