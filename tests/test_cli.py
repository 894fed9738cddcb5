"""The command line, as a person uses it: what it prints, and one clear line when it refuses."""

import csv
import io
import json
import os
import random
import resource
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.settings import ZONE_PIXELS
from pi_app.__main__ import main
from pi_app.engine.contract import Setup
from pi_app.engine.log import Play
from pi_app.games.graffiti.rules.model import Passed
from pi_app.games.tag_city.edition.profile import HOUSE
from pi_app.recording.recorder import Recorder
from pi_app.recording.ring import Ring
from pi_app.run.session import Session
from pi_app.storage.gamefile import check_game_file
from pi_app.storage.store import Store
from pi_app.table.inputs import Command
from tests.games.graffiti.helpers import after_a_round, keep, paint
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from tests.recording.recorded import TINY, plenty
from tests.recording.recorded import told as recording_told
from tests.vision.packs import Laid, table
from vision.kit.kit import Kit
from vision.pictures import jpeg_of, load_picture, png_of
from web.text import Text

TEMPLATE = HOUSE.with_name("retail-template.toml")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


Output = pytest.CaptureFixture[str]


def refused(capsys: Output, *arguments: str) -> str:
    """The one line that a refused command prints; nothing on stdout."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


# Bots need no finer pictures than these, and tests no more time.
SMALL_PICTURES = "[camera]\nwidth_px = 1920\nheight_px = 1080\nsmall_width_px = 320\n"


def small_pictures(home: Path, more: str = "") -> str:
    (home / "my.toml").write_text(more + SMALL_PICTURES)
    return str(home / "my.toml")


def test_what_was_played_is_listed_and_exported(capsys: Output, home: Path) -> None:
    stored_game(home, replace(house_setup(3), players=("KRASH", "NEON", "ECHO")))
    assert main(["games", "--json"]) == 0
    [game] = json.loads(capsys.readouterr().out)
    assert (game["id"], len(game["players"]), game["finished"]) == (1, 3, True)
    assert main(["games"]) == 0
    assert "KRASH" in capsys.readouterr().out

    assert main(["export", "1", "--format", "json", "--output", str(home / "game.json")]) == 0
    data = json.loads((home / "game.json").read_text())
    assert check_game_file(data).state.result is not None
    assert data["result"]["scores"] == game["scores"]
    assert main(["replay", str(home / "game.json")]) == 0
    assert "right" in capsys.readouterr().out

    assert main(["export", "1", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for seat, score in enumerate(game["scores"]):
        assert sum(int(row["value"]) for row in rows if int(row["seat"]) == seat) == score
    assert {row["kind"] for row in rows} <= {"row", "col", "district", "drone", "bubble"}


def stored_game(home: Path, setup: Setup, moves: int = 10_000) -> Play[Any]:
    """A game between bots in the store, played for a while."""
    with Store(home / "data" / "allcity" / "allcity.db") as store:
        game_id = store.new_game("tag_city", setup, "2001-01-01T00:00:00Z", bots=range(len(setup.players)))
        play = Play(TAG_CITY, setup, ticking(), save=lambda new: store.append(game_id, new))
        return play_on(play, random.Random(2), moves)


def test_an_export_says_what_only_a_secret_explains(capsys: Output, home: Path) -> None:
    """A game of which nobody could check the last moves without what players still hide."""
    play = after_a_round(keep(0, "R"), keep(1, "R B"))
    for move in (paint(0, "green.1", "G"), Passed(1), Passed(0)):
        play.do(move)
    with Store(home / "data" / "allcity" / "allcity.db") as store:
        store.new_game("graffiti", play.setup, "2001-01-01T00:00:00Z", play.records)
    assert main(["export", "1", "--output", str(home / "game.json")]) == 0
    told = len(json.loads((home / "game.json").read_text())["events"])
    assert f"the last {len(play.records) - told} events are left out" in capsys.readouterr().err
    assert main(["replay", str(home / "game.json")]) == 0


def test_names_are_no_formulas_in_a_spreadsheet(capsys: Output, home: Path) -> None:
    stored_game(home, replace(house_setup(2), players=("=HYPERLINK(1)", "Bo")))
    assert main(["export", "1", "--format", "csv"]) == 0
    names = {row["player"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert names == {"'=HYPERLINK(1)", "Bo"}


def nearly_over(home: Path, left: int = 4) -> Play[Any]:
    """A game in the store with so many moves to go."""
    whole = play_on(Play(TAG_CITY, house_setup(2), ticking()), random.Random(2))
    moves = sum(TAG_CITY.is_move(record.event) for record in whole.records)
    return stored_game(home, house_setup(2), moves - left)


def test_an_interrupted_game_is_continued_and_played_to_its_end(capsys: Output, home: Path) -> None:
    """Through pictures, to the score sheet, in the language of the configuration."""
    play = nearly_over(home)
    config = small_pictures(home, '[table]\nlanguage = "es"\n[store]\npath = "data/allcity/allcity.db"\n')
    assert main(["run", "--sim", "--seed", "5", "--speed", "max", "--port", "0", "--config", config]) == 0
    out = capsys.readouterr().out
    assert Text("es")("show.simulated") in " ".join(out.split())
    assert Text("es")("show.continued", {"game": 1, "round": play.state.round}) in " ".join(out.split())
    assert "Hoja de puntos" in out
    with Store(home / "data" / "allcity" / "allcity.db") as store:
        assert store.records(1, TAG_CITY.events)[: len(play.records)] == play.records
        assert [game.finished for game in store.games()] == [True]
    bundle = str(home / "evening.zip")
    assert main(["record", "save", bundle, "--config", config]) == 0
    assert main(["replay", bundle]) == 0
    assert capsys.readouterr().out.count("all as recorded") == 2


def test_a_kit_tells_on_stderr_what_is_being_written(
    capsys: Output, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a while: whoever waits, or reads a log, sees that it goes on."""
    heard: list[str] = []

    def write(kit: Kit, folder: Path, progress: Callable[[str], None]) -> None:
        for name in kit.files:
            heard.append(capsys.readouterr().err.splitlines()[-1])
            progress(name)

    monkeypatch.setattr("vision.kit.write.write_kit", write)
    assert main(["kit", str(home / "kit")]) == 0
    assert [heard[0], heard[-1]] == ["1 of 8: city-1.png", "8 of 8: kit-letter.pdf"]
    out, err = capsys.readouterr()
    assert (out.count("\n"), err) == (1, "")


def finish(session: Session) -> None:
    """Instead of a game."""
    session.finished = True


def test_in_a_hurry_there_is_one_game_and_it_says_so(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "turn", finish)
    assert main(["run", "--sim", "--speed", "max", "--port", "0"]) == 0
    assert Text("en")("show.one_game") in " ".join(capsys.readouterr().out.split())
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    assert "max: one game" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("simulated", [True, False])
def test_the_terminal_names_the_pages(simulated: bool, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.real.picam.picamera_attached", lambda: not simulated)
    monkeypatch.setattr(Session, "turn", finish)
    assert main(["run", "--new", "--speed", "max", "--port", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  /")]
    assert named == ["/", "/seat", "/host", "/setup", "/rules", *(["/sim"] if simulated else [])]


def test_a_new_game_leaves_an_interrupted_one_alone(
    capsys: Output, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(session: Session) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "turn", stopped)
    play = stored_game(home, house_setup(2), moves=25)
    assert main(["run", "--new", "--players", "3", "--port", "0"]) == 0
    assert "Stopped" in capsys.readouterr().out
    with Store(home / "data" / "allcity" / "allcity.db") as store:
        assert store.records(1, TAG_CITY.events) == play.records
        assert [len(game.players) for game in store.games()] == [2, 3]


@pytest.mark.parametrize(
    ("arguments", "attached", "real"),
    [([], True, True), ([], False, False), (["--sim"], True, False), (["--real"], True, True)],
)
def test_the_table_is_real_where_a_camera_is_attached(
    arguments: list[str], attached: bool, real: bool, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to name the camera, and the command says which table it took."""
    taken: list[str] = []

    def turn(session: Session) -> None:
        taken.append("real" if session._simulation is None else "simulated")
        finish(session)

    monkeypatch.setattr("hardware.real.picam.picamera_attached", lambda: attached)
    monkeypatch.setattr(Session, "turn", turn)
    assert main(["run", "--new", "--speed", "max", "--port", "0", *arguments]) == 0
    assert taken == ["real" if real else "simulated"]
    assert Text("en")(f"show.{taken[0]}") in " ".join(capsys.readouterr().out.split())


def test_a_real_table_waits_until_people_want_a_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody wants a game to begin by itself, or to go on without being asked: not after a reboot either."""
    done: list[str] = []

    def turn(session: Session) -> None:
        table = session._table
        done.append(f"{'rests' if table.game_id is None else 'plays'} with {len(table.records)} records")
        if table.game_id is not None:
            raise KeyboardInterrupt
        table.step(Command("confirm"))

    monkeypatch.setattr("hardware.real.picam.picamera_attached", lambda: True)
    monkeypatch.setattr(Session, "turn", turn)
    assert main(["run", "--port", "0"]) == 0
    play = nearly_over(home)
    assert main(["run", "--port", "0"]) == 0
    records = len(play.records)
    assert done == [
        "rests with 0 records",
        "plays with 0 records",
        "rests with 0 records",
        f"plays with {records} records",
    ]


@pytest.mark.parametrize("kind", ["auto", "sim", "none"])
def test_a_real_table_needs_a_camera(kind: str, capsys: Output, home: Path) -> None:
    (home / "my.toml").write_text(f'[camera]\nkind = "{kind}"\n')
    assert "[camera]" in refused(capsys, "run", "--real", "--config", str(home / "my.toml"))


def test_simulate_prints_a_table_or_json(capsys: Output, home: Path) -> None:
    command = ["simulate", "--games", "4", "--players", "2", "--seed", "3", "--bots", "greedy,random"]
    assert main([*command, "--export", str(home / "games")]) == 0
    out = capsys.readouterr().out
    for word in ("rounds", "score of greedy", "ended by", "won by seat 1", "won by greedy"):
        assert word in out
    assert main([*command, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (result["games"], result["seed"], result["bots"]) == (4, 3, ["greedy", "random"])
    assert main(["replay", *map(str, sorted((home / "games").iterdir()))]) == 0
    assert "4 game files are right" in capsys.readouterr().out


def test_profile_check_accepts_the_house_edition(capsys: Output) -> None:
    assert main(["profile", "check", str(HOUSE)]) == 0
    assert "good (House edition, source: invented)" in capsys.readouterr().out


def test_profile_check_lists_every_problem(capsys: Output) -> None:
    assert main(["profile", "check", str(TEMPLATE)]) == 2
    out, err = capsys.readouterr()
    assert "error: city.col_values C high: not filled in yet" in out
    assert err == f"allcity: retail-template.toml: {len(out.splitlines())} problems to solve\n"


def test_replay_names_the_wrong_event_in_words(capsys: Output, home: Path) -> None:
    main(["simulate", "--games", "1", "--players", "2", "--export", str(home)])
    path = home / "game-00001.json"
    data = json.loads(path.read_text())
    wrong = next(event for event in data["events"] if event["type"] == "shape_painted")
    wrong["player"] = 1 - wrong["player"]
    path.write_text(json.dumps(data))
    capsys.readouterr()
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"game-00001.json: event {wrong['seq']}: " in err
    assert "turn. Please wait" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["simulate", "--games", "0"], "whole number from 1"),
        (["simulate", "--games", "many"], "whole number from 1"),
        (["simulate", "--players", "1"], "from 2 to 4"),
        (["simulate", "--bots", "clever"], "there is no bot 'clever'"),
        (["simulate", "--players", "4", "--bots", "greedy,random"], "2 bots for 4 players"),
        (["simulate", "--profile", "nowhere.toml"], "nowhere.toml: the file cannot be read"),
        (["simulate", "--export", "/dev/null/x", "--games", "1"], "/dev/null/x"),
        (["export", "7"], "no games yet"),
        (["export", "x"], "whole number"),
        (["games", "--config", "nowhere.toml"], "nowhere.toml"),
        (["profile", "check", "nowhere.toml"], "nowhere.toml"),
        (["dance"], "dance"),
        ([], "required"),
        (["run", "--speed", "fast"], "fast"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(capsys: Output, arguments: list[str], told: str) -> None:
    assert told in refused(capsys, *arguments)


def test_an_unknown_game_is_refused(capsys: Output, home: Path) -> None:
    stored_game(home, house_setup(2), moves=9)
    assert "there is no game 7; 'allcity games' lists them" in refused(capsys, "export", "7")


def test_every_wrong_file_of_many_gets_its_line(capsys: Output, home: Path) -> None:
    main(["simulate", "--games", "2", "--players", "2", "--export", str(home)])
    (home / "game-00002.json").write_text("{}")
    capsys.readouterr()
    assert main(["replay", str(home / "game-00001.json"), str(home / "game-00002.json"), str(home / "none.json")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert "game-00002.json: format: " in lines[0]
    assert lines[2] == "allcity: 2 of 3 game files are wrong"


def test_the_version_is_told(capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("allcity ")


def test_a_store_that_is_no_database_is_refused(capsys: Output, home: Path) -> None:
    (home / "x.db").write_text("dear diary")
    (home / "my.toml").write_text('[store]\npath = "x.db"\n')
    assert "x.db" in refused(capsys, "games", "--config", str(home / "my.toml"))


@pytest.mark.parametrize(
    "command", [["run"], ["simulate"], ["games"], ["export"], ["replay"], ["record", "save"], ["profile", "check"]]
)
def test_every_command_has_help_with_an_example(capsys: Output, command: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert f"Example: allcity {' '.join(command)}" in capsys.readouterr().out


def test_a_reader_that_leaves_early_is_no_error(home: Path) -> None:
    stored_game(home, house_setup(2))
    script = f"{sys.executable} -m pi_app export 1 | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stderr) == (0, "")


# --- files that are none ----------------------------------------------------------------------

# Every command that reads a file, with the file as FILE; KIT is a folder with that file as its layout.json.
READING = [
    "games --config FILE",
    "read FILE --kit GOOD",
    "read PICTURE --kit KIT",
    "read PICTURE --kit GOOD --reference FILE",
    "dice FILE",
    "cards FILE",
    "replay FILE",
    "replay FILE GAME",
    "profile check FILE",
    "kit OUT --profile FILE",
    "simulate --games 1 --profile FILE",
]


@pytest.fixture(scope="module")
def good_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("good")
    assert main(["kit", str(folder / "kit")]) == 0
    assert main(["simulate", "--games", "1", "--players", "2", "--export", str(folder)]) == 0
    return {"GOOD": folder / "kit", "PICTURE": folder / "kit" / "hq.png", "GAME": folder / "game-00001.json"}


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Whoever reads without end gets no further than this."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 1_500_000_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def command_on(told: str, file: Path, good: dict[str, Path], home: Path) -> list[str]:
    (home / "kit").mkdir()
    (home / "kit" / "layout.json").symlink_to(file)
    places = {**good, "FILE": file, "KIT": home / "kit", "OUT": home / "out"}
    return [str(places.get(word, word)) for word in told.split()]


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize(
    ("kind", "said"),
    [("zero", "no regular file"), ("huge", "is larger than"), ("folder", "Is a directory"), ("none", "No such file")],
)
def test_what_is_no_file_to_read_is_refused(
    capsys: Output, home: Path, good_files: dict[str, Path], command: str, kind: str, said: str
) -> None:
    file = home / "file"
    if kind == "zero":
        file = Path("/dev/zero")
    elif kind == "huge":
        with file.open("wb") as empty:
            empty.truncate(2**30)
    elif kind == "folder":
        file.mkdir()
    capsys.readouterr()
    if command.startswith("replay FILE GAME"):
        assert main(command_on(command, file, good_files, home)) == 2
        told, last = capsys.readouterr().err.splitlines()
        assert last == "allcity: 1 of 2 game files are wrong"
    else:
        told = refused(capsys, *command_on(command, file, good_files, home))
    assert said in told


@pytest.mark.parametrize("command", READING)
def test_nobody_waits_for_a_pipe(capsys: Output, home: Path, good_files: dict[str, Path], command: str) -> None:
    """Whoever reads it all the same gets something, so that this test ends in any case."""
    pipe = home / "pipe"
    os.mkfifo(pipe)

    def feed() -> None:
        with suppress(BrokenPipeError), pipe.open("wb") as file:
            file.write(b"{}")

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        main(command_on(command, pipe, good_files, home))
        assert "no regular file" in capsys.readouterr().err
    finally:
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # lets the feeder go
        feeder.join()
        os.close(reader)


@pytest.mark.parametrize("what", ["device", "pipe", "folder"])
def test_a_bundle_takes_the_place_of_no_device(capsys: Output, home: Path, what: str) -> None:
    """It is written beside its place first: what lies there would be gone."""
    recordings = home / "data" / "allcity" / "recordings"
    made = Recorder(Ring(recordings, 10_000_000, plenty))
    made.begin(recording_told(house_setup(2)), TINY)
    made.close()
    place = home / "place"
    if what == "device":
        place.symlink_to("/dev/null")
    elif what == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    before = place.stat().st_mode
    assert "place" in refused(capsys, "record", "save", str(place))
    assert place.stat().st_mode == before
    assert [path.name for path in home.iterdir() if path.suffix == ".part"] == []


def test_cards_of_a_photograph_are_told_and_drawn(capsys: Output, home: Path) -> None:
    photo, drawn = home / "photo.png", home / "seen.png"
    photo.write_bytes(png_of(table([Laid("QH", -50.0), Laid("10S", 50.0)])))
    assert main(["cards", str(photo), "--json", "--overlay", str(drawn)]) == 0
    told = json.loads(capsys.readouterr().out)["cards"]
    assert [card["card"] for card in told] == ["QH", "10S"]
    assert all(0.5 < card["confidence"] <= 1 for card in told)
    assert load_picture(drawn).shape[0] > 0
    assert main(["cards", str(photo)]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [["card", "QH"], ["card", "10S"]]


def test_a_photograph_without_cards_says_so(capsys: Output, home: Path) -> None:
    (home / "bare.png").write_bytes(png_of(table([])))
    assert main(["cards", str(home / "bare.png")]) == 0
    assert capsys.readouterr().out == "no cards\n"


def test_an_overlay_that_cannot_be_written_is_refused(capsys: Output, home: Path) -> None:
    (home / "bare.png").write_bytes(png_of(table([])))
    assert str(home) in refused(capsys, "cards", str(home / "bare.png"), "--overlay", str(home))


def test_a_picture_that_claims_to_be_giant_is_refused(capsys: Output, home: Path) -> None:
    giant = struct.pack(">II", 60_000, 60_000)
    png = bytearray(png_of(TINY))
    png[16:24] = giant
    (home / "giant.png").write_bytes(png)
    assert "60000 x 60000 pixels" in refused(capsys, "dice", str(home / "giant.png"))
    jpeg = bytearray(jpeg_of(TINY))
    at = jpeg.index(b"\xff\xc0") + 5
    jpeg[at : at + 4] = struct.pack(">HH", 60_000, 60_000)
    (home / "giant.jpg").write_bytes(jpeg)
    assert "60000 x 60000 pixels" in refused(capsys, "dice", str(home / "giant.jpg"))


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[store]\npath = "~nouser/x"', "[store] path names the home of nobody"),
        ('[recorder]\npath = "~nouser/x"', "[recorder] path names the home of nobody"),
        ('[store]\npath = "a\\u0000b"', "[store] path must be a text"),
        ("[store]\nx = " + "[" * 5_000 + "]" * 5_000, "is not a TOML file"),
        (
            "[lights.zones]\n" + "\n".join(f"'{zone}' = [0, 100000000000]" for zone in ZONE_PIXELS),
            "between pixel 0 and 511",
        ),
        ("[lights.zones]\n" + "\n".join(f"'{zone}' = [-5, 3]" for zone in ZONE_PIXELS), "between pixel 0 and 511"),
    ],
)
def test_a_configuration_that_cannot_be_meant_is_refused(capsys: Output, home: Path, content: str, said: str) -> None:
    (home / "my.toml").write_text(content)
    assert said in refused(capsys, "games", "--config", str(home / "my.toml"))
