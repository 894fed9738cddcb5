"""The command line: `allcity`, also `python -m pi_app`."""

import argparse
import csv
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from hardware.camera_height import mountings
from hardware.settings import HardwareSettings
from pi_app.config import Config, ConfigError, load_config
from pi_app.engine.contract import BadData, Problem, Setup
from pi_app.engine.log import Play
from pi_app.gamefile import game_file, read_game_file
from pi_app.games import GAMES
from pi_app.games.tag_city.bots import BOTS
from pi_app.games.tag_city.profile import HOUSE, OPTIONS, load_profile, measured_boards, read_profile, resolve
from pi_app.games.tag_city.profile_check import check_profile
from pi_app.games.tag_city.sheet import ScoreRow, score_rows
from pi_app.inputs import Command
from pi_app.simulate import MOST_GAMES, Plan, simulate, summary
from pi_app.store import Store, StoreError
from pi_app.table import Table as GameTable
from pi_app.terminal import Show
from web.text import LANGUAGES, Text

if TYPE_CHECKING:
    from pi_app.recorder import Recorder

TAGS = ("KRASH", "NEON", "ECHO", "VIPER")
"""How the bots of the simulated table sign."""
SPEEDS = ("calm", "normal", "max")


class Refused(Exception):
    """Bad input, told in one line."""


# --- commands ---------------------------------------------------------------------------------


def run(args: argparse.Namespace, config: Config) -> None:
    """Plays a game at the table, or goes on with the one that was interrupted."""
    from pi_app.session import Session  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.pictures import BadPicture  # noqa: PLC0415

    simulated = args.sim or (config.hardware.camera.kind == "sim" and not args.real)
    if args.real and config.hardware.camera.kind in ("sim", "none"):
        raise Refused("--real: the configuration names no camera; set 'kind' in its section [camera]")
    settings = HardwareSettings(camera=replace(config.hardware.camera, kind="sim")) if simulated else config.hardware
    console = Console()
    with Store(config.store) as store:
        table = GameTable(GAMES["tag_city"], store, Setup(resolve(load_profile(HOUSE)), {}, TAGS[: args.players]), _now)
        offered = table.view()["continue"]
        if offered is not None:
            table.step(Command("new_game" if args.new else "continue"))
        text = Text(config.language, table.setup.players)
        session = Session(table, table.setup, settings, console, text)
        if simulated:
            console.print(text("show.simulated"), style="bright_black")
        if offered is not None and not args.new:
            shown = table.view()["game"]
            console.print(text("show.continued", {"game": table.game_id, "round": shown["round"]}))
            Show(console, text).boards(shown)
        recorder = _recorder(config)
        if recorder is not None:
            session.record(recorder, _shareable(config))
        try:
            if simulated:
                session.simulate(args.seed, args.speed if console.is_terminal else "max")
            else:
                session.attend(config.store.with_name("clean.png"))
        except BadPicture as error:
            raise Refused(str(error)) from error
        except KeyboardInterrupt:
            console.print(text("show.stopped"))
            return
        finally:
            if recorder is not None:
                recorder.close()
        console.print(text("show.saved", {"game": table.game_id}), style="bright_black")


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


def record_save(args: argparse.Namespace, config: Config) -> None:
    """The last recorded evening as one file."""
    from pi_app.bundle import save_bundle  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.ring import evenings  # noqa: PLC0415

    recorded = evenings(config.recordings)
    if not recorded:
        raise Refused(f"there is no recording at {config.recordings}; 'allcity run' makes one")
    try:
        save_bundle(recorded[-1], args.file)
    except OSError as error:
        raise Refused(f"{args.file}: cannot be written ({error.strerror})") from error
    print(_printable(f"{args.file}: {args.file.stat().st_size / 1_000_000:.1f} MB; 'allcity replay' plays it again"))


def simulate_games(args: argparse.Namespace, config: Config) -> None:
    """Many games between bots, and a table of what came out."""
    bots = _bots(args.bots, args.players)
    options = {
        "city_side": args.side,
        "hq_side": args.hq,
        "equal_dice": not args.no_equal_dice,
        "drone_order": args.drone_order,
    }
    edition = load_profile(args.profile)
    resolve(edition, args.side)
    plan = Plan(edition, bots, args.seed, options, args.export)
    with _progress("games", args.games) as done:
        played = simulate(plan, args.games, done)
    result = summary(plan, played)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        _print_summary(Console(), result)


def _bots(names: str, players: int) -> tuple[str, ...]:
    bots = names.split(",")
    unknown = [name for name in bots if name not in BOTS]
    if unknown:
        raise Refused(f"--bots: there is no bot '{unknown[0]}'; there are {', '.join(BOTS)}")
    if len(bots) not in (1, players):
        raise Refused(f"--bots: {len(bots)} bots for {players} players; give one, or one per player")
    return tuple(bots if len(bots) == players else bots * players)


def _print_summary(console: Console, result: dict[str, Any]) -> None:
    table = Table(title=f"{result['games']} games, {result['players']} players, seed {result['seed']}")
    for column in ("", "mean", "sd", "min", "p10", "median", "p90", "max"):
        table.add_column(column, justify="left" if not column else "right")
    spreads = {"rounds": result["rounds"], "score": result["scores"]}
    if len(result["scores_by_bot"]) > 1:
        spreads |= {f"score of {bot}": spread for bot, spread in result["scores_by_bot"].items()}
    for name, spread in spreads.items():
        table.add_row(name, *[f"{spread[key]:g}" for key in ("mean", "sd", "min", "p10", "median", "p90", "max")])
    console.print(table)
    rates = Table()
    rates.add_column("")
    rates.add_column("share of games", justify="right")
    for reason, rate in result["end_reasons"].items():
        rates.add_row(f"ended by {reason}", f"{rate:.1%}")
    rates.add_row("shared wins", f"{result['ties']:.1%}")
    for seat, rate in enumerate(result["wins_by_seat"]):
        rates.add_row(f"won by seat {seat + 1}", f"{rate:.1%}")
    for order, rate in enumerate(result["wins_by_order"]):
        last = " (first leader)" if order == result["players"] - 1 else ""
        rates.add_row(f"won by number {order + 1} to act{last}", f"{rate:.1%}")
    for bot, rate in result["wins_by_bot"].items():
        rates.add_row(f"won by {bot} x{result['bots'].count(bot)}", f"{rate:.1%}")
    console.print(rates)


def list_games(args: argparse.Namespace, config: Config) -> None:
    """The games in the store, newest first."""
    with _open_store(config) as store:
        games = sorted(store.games(), key=lambda game: -game.id)
    if args.json:
        print(json.dumps(list(map(asdict, games)), indent=1))
        return
    if not games:
        print("No games yet: 'allcity run' plays one.")
        return
    table = Table("game", "started", "players", "events", "result")
    for game in games:
        if game.scores is None or game.winners is None:
            result = "unfinished"
        else:
            won = " & ".join(game.players[seat] for seat in game.winners)
            result = f"{won} ({', '.join(map(str, game.scores))})"
        started = game.started_at[:16].replace("T", " ")
        table.add_row(str(game.id), started, escape(", ".join(game.players)), str(game.events), escape(result))
    Console().print(table)


def export(args: argparse.Namespace, config: Config) -> None:
    """One game as JSON, or as rows for a spreadsheet."""
    with _open_store(config) as store:
        stored = next((game for game in store.games() if game.id == args.game), None)
        if stored is None:
            raise Refused(f"there is no game {args.game}; 'allcity games' lists them")
        game = GAMES[stored.game]
        play = Play(game, store.setup(stored.id), _now, store.records(stored.id, game.events))
    if args.output is None:
        _write_export(sys.stdout, args.format, play)
        return
    try:
        with args.output.open("w", encoding="utf-8", newline="") as file:
            _write_export(file, args.format, play)
    except OSError as error:
        raise Refused(f"{args.output}: cannot be written ({error.strerror})") from error


def _write_export(file: TextIO, form: str, play: Play[Any]) -> None:
    if form == "json":
        file.write(json.dumps(game_file(play), ensure_ascii=False, indent=1) + "\n")
        return
    writer = csv.writer(file)
    columns = [field.name for field in fields(ScoreRow)]
    writer.writerow(["player", *columns])
    for row in score_rows(play.setup.profile, play.in_force):
        writer.writerow([_cell(play.setup.players[row.seat]), *[getattr(row, column) for column in columns]])


def _cell(name: str) -> str:
    """A name that a spreadsheet takes for text, never for a formula."""
    return f"'{name}" if name[0] in "=+-@\t" else name


def replay(args: argparse.Namespace, config: Config) -> int:
    """Checks game files completely; every wrong one is told in a line. A bundle is played again."""
    from pi_app.bundle import is_bundle  # noqa: PLC0415 - other commands need not wait for OpenCV

    bundles = [path for path in args.file if path.is_file() and is_bundle(path)]
    if bundles and len(args.file) > 1:
        raise Refused(f"{bundles[0]}: is a bundle; replay it by itself")
    if bundles:
        return _replay_bundle(bundles[0], args.video)
    if args.video is not None:
        raise Refused(f"--video: {args.file[0]} is no bundle of 'allcity record save'")
    wrong = []
    with _progress("files", len(args.file)) as done:
        for path in args.file:
            try:
                play = read_game_file(path)
            except BadData as error:
                line = _one_line(Text(config.language), error)
                wrong.append(line if line.startswith(str(path)) else f"{path}: {line}")
            else:
                if len(args.file) == 1:
                    _print_replayed(path, play)
            done()
    if len(args.file) == 1 and wrong:
        raise Refused(wrong[0])
    for line in wrong:
        _complain(line)
    if wrong:
        raise Refused(f"{len(wrong)} of {len(args.file)} game files are wrong")
    if len(args.file) > 1:
        print(f"{len(args.file)} game files are right")
    return 0


def _replay_bundle(path: Path, video: Path | None) -> int:
    """Plays an evening again; 1 if anything comes out differently."""
    from pi_app.bundle import BadBundle, Bundle  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.rerun import VideoError, decide_again, look_again, write_video  # noqa: PLC0415

    try:
        with Bundle(path) as bundle:
            recorded_by = ", ".join(f"{name} {number}" for name, number in bundle.versions.items())
            print(_printable(f"{path.name}: {len(bundle.setup.players)} players; recorded by {recorded_by}"))
            if video is not None:
                with _progress("pictures", len(bundle.pictures)) as done:
                    write_video(bundle, video, done)
                print(_printable(f"{video}: {len(bundle.pictures)} pictures"))
            decided = decide_again(bundle)
            with _progress("pictures", len(bundle.pictures)) as done:
                looked = look_again(bundle, done)
    except (BadBundle, VideoError) as error:
        raise Refused(str(error)) from error
    for line in (*decided.lines(), *looked.lines()):
        print(_printable(line))
    return 0 if decided.same and looked.same else 1


def _print_replayed(path: Path, play: Play[Any]) -> None:
    outcome, players = play.game.outcome(play.state), play.setup.players
    print(f"{path.name}: right, {len(play.records)} events")
    boards = play.game.view(play.state, None)["boards"]
    for board in boards:
        print(_printable(f"  {board['player']}: {board['score']['total']}"))
    won = "unfinished" if outcome is None else "won by " + " & ".join(players[seat] for seat in outcome.winners)
    print(_printable(f"  {won}"))


def kit(args: argparse.Namespace, config: Config) -> None:
    """Boards to print, and the layout that the reader reads them by."""
    from vision.kit import FILES, write_kit  # noqa: PLC0415 - other commands need not wait for OpenCV

    edition = load_profile(args.profile)
    profile, measured = resolve(edition, args.side), measured_boards(edition, args.side)
    with _progress("files", len(FILES)) as done:
        write_kit(profile, args.folder, lambda name: done(), measured)
    line = f"{args.folder}: print kit.pdf (A4) or kit-letter.pdf (US Letter) at 100 %, and measure the ruler"
    if measured is not None:
        line += "; your boards look different from these sheets: read them with a clean picture (--reference)"
    print(line)


def read(args: argparse.Namespace, config: Config) -> None:
    """What a picture of the table shows: boards, marks, dice."""
    from vision.layout import BadLayout, load_layout  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.overlay import overlay  # noqa: PLC0415
    from vision.pictures import BadPicture, load_picture, save_picture  # noqa: PLC0415
    from vision.read import Reader, reading_json  # noqa: PLC0415

    try:
        layout, picture = load_layout(args.kit), load_picture(args.image)
        reader = Reader(layout)
        if args.reference is not None:
            clean = reader.take_reference(load_picture(args.reference))
            missing = [board.id for board in layout.boards if board.kind == "city" and board.id not in clean.boards]
            if missing:
                _note(f"{args.reference}: does not show {', '.join(missing)}; compared with the kit's picture instead")
        reading = reader.read(picture)
        if args.overlay is not None:
            save_picture(args.overlay, overlay(picture, layout, reading))
    except (BadLayout, BadPicture) as error:
        raise Refused(str(error)) from error
    result = reading_json(layout, reading)
    if args.json:
        print(json.dumps(result, indent=1))
        return
    for line in _told_reading(result):
        print(line)


def _told_reading(result: dict[str, Any]) -> Iterator[str]:
    for board in result["boards"]:
        if not board["found"]:
            yield f"{board['id']}: not found"
            continue
        kinds: dict[str, list[str]] = {}
        for region, mark in board["marks"].items():
            kinds.setdefault(mark["kind"], []).append(region)
        shown = [f"{kind} {' '.join(regions)}" for kind, regions in kinds.items() if kind != "empty"]
        yield f"{board['id']}: {'; '.join(shown) or 'found' + (', nothing drawn' if board['marks'] else '')}"
    yield from _told_dice(result["dice"])


def dice(args: argparse.Namespace, config: Config) -> None:
    """The dice in any photograph."""
    from vision.dice import read_dice  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.pictures import BadPicture, load_picture  # noqa: PLC0415
    from vision.read import dice_json  # noqa: PLC0415

    try:
        found = dice_json(read_dice(load_picture(args.image)))
    except BadPicture as error:
        raise Refused(str(error)) from error
    if args.json:
        print(json.dumps(found, indent=1))
        return
    for line in _told_dice(found):
        print(line)


def _told_dice(found: list[dict[str, Any]]) -> Iterator[str]:
    for die in found:
        x, y = die["centre_px"]
        where = f" on {die['section']}" if die["section"] else ""
        yield f"die {die['value']}{where} at ({x:.0f}, {y:.0f}), confidence {die['confidence']:.2f}"
    if not found:
        yield "no dice"


def firmware_install(args: argparse.Namespace, config: Config) -> None:
    """Brings the Pico's program up to date."""
    from pi_app.firmware_install import InstallError, install  # noqa: PLC0415 - other commands need no serial port

    try:
        install(args.port)
    except InstallError as error:
        raise Refused(str(error)) from error


def profile_check(args: argparse.Namespace, config: Config) -> None:
    """Every problem of a profile file at once."""
    text = Text(config.language)
    data = read_profile(args.file)
    problems = check_profile(data)
    for problem in problems:
        print(_printable(f"{'warning' if problem.warning else 'error'}: {_sentence(text, problem)}"))
    errors = sum(not problem.warning for problem in problems)
    if errors:
        raise Refused(f"{args.file.name}: {errors} problems to solve")
    print(_printable(f"{args.file.name}: good ({data['name']}, source: {data['source']})"))


def camera_height(args: argparse.Namespace, config: Config) -> None:
    """Where to hang which camera over a table."""
    found = list(mountings(*args.table))
    if args.json:
        print(json.dumps([mounting.facts() for mounting in found], indent=1))
        return
    print(f"{'camera':32}{'view':12}{'height':>7}{'px per mm':>11}   smallest die")
    for mounting in found:
        camera, die = mounting.camera, f"{mounting.smallest_die_mm:.1f} mm"
        view, height = f"{camera.across_deg:.0f}° x {camera.along_deg:.0f}°", f"{math.ceil(mounting.height_mm / 10)} cm"
        note = "" if mounting.good else ", too coarse"
        print(f"{camera.name:32}{view:12}{height:>7}{mounting.px_per_mm:11.2f}   {die}{note}")


def _video(text: str) -> Path:
    if Path(text).suffix.lower() not in (".mp4", ".avi"):
        raise argparse.ArgumentTypeError("must end in .mp4 or .avi")
    return Path(text)


def _table_size(text: str) -> tuple[float, float]:
    """Width and depth of a table in mm, from centimetres."""
    try:
        width, depth = (10 * float(side) for side in text.replace("×", "x").split("x"))
    except ValueError:
        width = depth = 0.0
    if not (200 <= width <= 5000 and 200 <= depth <= 5000):
        raise argparse.ArgumentTypeError("must be width and depth in centimetres (20 to 500), such as 120x75")
    return width, depth


# --- small helpers ----------------------------------------------------------------------------


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _open_store(config: Config) -> Store:
    if not config.store.exists():
        raise Refused(f"there are no games yet at {config.store}; 'allcity run' plays one")
    return Store(config.store)


def _sentence(text: Text, problem: Problem) -> str:
    key = problem.code if problem.code.startswith("rule.") else f"problem.{problem.code}"
    return f"{problem.where}: {text(key, problem.facts)}"


def _one_line(text: Text, error: BadData) -> str:
    first, *others = [_sentence(text, problem) for problem in error.problems]
    return first + (f" (and {len(others)} more problems)" if others else "")


def _printable(line: str) -> str:
    """Data from files must not steer the terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line)


def _note(line: str) -> None:
    print(_printable(f"note: {line}"), file=sys.stderr)


def _complain(line: str) -> None:
    print(_printable(f"allcity: {line}"), file=sys.stderr)


@contextmanager
def _progress(what: str, total: int) -> Iterator[Any]:
    """A bar on stderr where somebody looks at it; gives the function to call after each step."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal or total == 1) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


class Parser(argparse.ArgumentParser):
    """Complains in one line, as every command does."""

    def error(self, message: str) -> NoReturn:
        _complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(2)


def _between(least: int, most: int) -> Any:
    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}")
        return value

    return number


def _play_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    sub = command("run", run, "Play at the table; without one, watch a simulated game.", "allcity run --players 3")
    sub.add_argument("--players", type=_between(2, 4), default=4, metavar="K", help="2 to 4 (default 4)")
    sub.add_argument("--seed", type=int, help="the same seed gives the same game")
    sub.add_argument("--speed", choices=SPEEDS, default="normal", help="how fast bots draw")
    where = sub.add_mutually_exclusive_group()
    where.add_argument("--sim", action="store_true", help="the simulated table, whatever the configuration says")
    where.add_argument("--real", action="store_true", help="the real table; say so if the configuration names none")
    sub.add_argument("--new", action="store_true", help="leave an interrupted game and start a new one")

    about = "Let bots play many games and show what comes out."
    sub = command("simulate", simulate_games, about, "allcity simulate --games 1000 --players 4 --seed 7")
    sub.add_argument("--games", type=_between(1, MOST_GAMES), default=100, metavar="N", help="how many (default 100)")
    sub.add_argument("--players", type=_between(2, 4), default=4, metavar="K", help="2 to 4 (default 4)")
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same games (default 0)")
    sub.add_argument("--bots", default="greedy", help=f"one, or one per player with commas: {', '.join(BOTS)}")
    sub.add_argument("--profile", type=Path, default=HOUSE, metavar="P", help="a profile file (default: house edition)")
    sub.add_argument("--side", choices=OPTIONS["city_side"], default="A", help="side of the city boards")
    sub.add_argument("--hq", choices=OPTIONS["hq_side"], default="A", help="side of the HQ; on B shapes are drawn")
    sub.add_argument("--no-equal-dice", action="store_true", help="keep equal dice in different sections")
    sub.add_argument("--drone-order", choices=OPTIONS["drone_order"], default="printed", help="order of the remote")
    sub.add_argument("--json", action="store_true", help="print the results as JSON")
    sub.add_argument("--export", type=Path, metavar="DIR", help="write one game file per game into this folder")


def _vision_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    about = "Write the printable boards, tokens and stickers of an edition, and their layout."
    sub = command("kit", kit, about, "allcity kit my-kit --side B")
    sub.add_argument("folder", type=Path, metavar="DIR", help="where to write; made if missing")
    sub.add_argument("--profile", type=Path, default=HOUSE, metavar="P", help="a profile file (default: house edition)")
    sub.add_argument("--side", choices=OPTIONS["city_side"], default="A", help="side of the city boards")

    about = "Read a picture of the table: boards, marks and dice."
    sub = command("read", read, about, "allcity read table.jpg --kit my-kit --reference clean.jpg --overlay seen.png")
    sub.add_argument("image", type=Path, metavar="IMAGE", help="a JPEG or PNG picture")
    sub.add_argument("--kit", type=Path, required=True, metavar="DIR", help="the kit's folder, with layout.json")
    sub.add_argument("--reference", type=Path, metavar="IMAGE", help="a picture of the clean boards (reads better)")
    sub.add_argument("--json", action="store_true", help="print the reading as JSON")
    sub.add_argument("--overlay", type=Path, metavar="PNG", help="also draw what was read over the picture")

    sub = command("dice", dice, "Read the dice in any photograph.", "allcity dice photo.jpg --json")
    sub.add_argument("image", type=Path, metavar="IMAGE", help="a JPEG or PNG picture")
    sub.add_argument("--json", action="store_true", help="print the dice as JSON")


def _parser() -> Parser:
    parser = Parser(prog="allcity", description="A table companion for the board game Tag City.")
    parser.add_argument("--version", action="version", version=f"allcity {version('allcity')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, action: Any, about: str, example: str, under: Any = commands) -> argparse.ArgumentParser:
        sub: argparse.ArgumentParser = under.add_parser(
            name, help=about, description=about, epilog=f"Example: {example}", allow_abbrev=False
        )
        sub.set_defaults(action=action)
        sub.add_argument("--config", type=Path, metavar="FILE", help="the configuration file to use")
        return sub

    _play_commands(command)
    _vision_commands(command)

    about = "Tell how high to hang which camera over a table, and what it makes out."
    sub = command("camera-height", camera_height, about, "allcity camera-height --table 120x75")
    sub.add_argument("--table", type=_table_size, required=True, metavar="WxD", help="its size in centimetres")
    sub.add_argument("--json", action="store_true", help="print the list as JSON")

    sub = command("games", list_games, "List the games that were played here.", "allcity games")
    sub.add_argument("--json", action="store_true", help="print the list as JSON")

    sub = command("export", export, "Write one game out.", "allcity export 3 --format csv --output game.csv")
    sub.add_argument("game", type=_between(1, 2**53), metavar="GAME", help="its number in 'allcity games'")
    sub.add_argument("--format", choices=("json", "csv"), default="json", help="json: the game file; csv: score rows")
    sub.add_argument("--output", type=Path, metavar="FILE", help="write there instead of to the screen")

    about = "Check game files move by move, or play a recorded evening again: what was seen, and what was decided."
    sub = command("replay", replay, about, "allcity replay evening.zip --video evening.mp4")
    sub.add_argument("file", type=Path, nargs="+", metavar="FILE", help="a game file, or a bundle of 'record save'")
    sub.add_argument("--video", type=_video, metavar="FILE", help="write the bundle's pictures as .mp4 or .avi, too")

    record = commands.add_parser("record", help="Work with the recording of the last evening.")
    under = record.add_subparsers(required=True, metavar="COMMAND")
    about = "Make one file of the last recorded evening, to keep, to replay or to show somebody what went wrong."
    sub = command("save", record_save, about, "allcity record save evening.zip", under)
    sub.add_argument("file", type=Path, metavar="FILE", help="where to write it")

    firmware = commands.add_parser("firmware", help="Work with the program of the Pico that drives the lights.")
    under = firmware.add_subparsers(required=True, metavar="COMMAND")
    about = "Copy the firmware to a Pico on a USB cable, and check that it runs."
    sub = command("install", firmware_install, about, "allcity firmware install --port /dev/ttyACM0", under)
    sub.add_argument("--port", default="auto", metavar="P", help="its port or USB serial number, if there are several")

    profile = commands.add_parser("profile", help="Work with profiles (the printed facts of an edition).")
    under = profile.add_subparsers(required=True, metavar="COMMAND")
    example = "allcity profile check my-copy.toml"
    sub = command("check", profile_check, "Report every problem of a profile file.", example, under)
    sub.add_argument("file", type=Path, metavar="FILE", help="a profile (TOML)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; bad input is one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    args = _parser().parse_args(arguments)
    text = Text("en")
    try:
        config = load_config(args.config, LANGUAGES)
        text = Text(config.language)
        return args.action(args, config) or 0
    except (Refused, ConfigError) as error:
        _complain(str(error))
        return 2
    except StoreError as error:
        _complain(text(f"store.{error.code}", error.facts))
        return 2
    except BadData as error:
        _complain(_one_line(text, error))
        return 2
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - the reader left; say nothing more
        return 0
    except OSError as error:
        _complain(f"{error.filename or 'input or output'}: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        _complain("stopped")
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
