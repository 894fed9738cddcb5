"""Every command in the documents works: each is run at its smallest size, on input made here.

A command that is documented and not in the table below fails, and so does a row that no document has any more.
"""

import json
import os
import py_compile
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import pytest

from pi_app.engine.log import Play
from pi_app.games.tag_city.edition.profile import HOUSE
from pi_app.storage.store import Store
from tests.browser.program import Program
from tests.playing import TAG_CITY, house_setup, play_on, ticking
from tests.vision.packs import ORDINARY, face_of
from vision.indices import RANKS, SUITS

ROOT = Path(__file__).parent.parent
NOT_OURS = {".venv", ".cache", ".git"}
DOCUMENTS = sorted(path for path in ROOT.rglob("*.md") if not NOT_OURS & set(path.relative_to(ROOT).parts))

# --- what is documented -----------------------------------------------------------------------


def commands(text: str) -> Iterator[str]:
    """The commands of a document's shell blocks, without comments; what steers the shell is left out."""
    for block in re.findall(r"^ *```sh\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
        for line in re.sub(r"\\\n", " ", block).splitlines():
            words = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
            yield from (part for part in words.split(" && ") if part and not re.match(r"(for|done|export)\b", part))


DOCUMENTED = {command: path for path in DOCUMENTS for command in commands(path.read_text(encoding="utf-8"))}


# --- how it is tried --------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """The command as it is run here; CAPITALS that are no file of its own are as in the document."""

    command: str
    codes: tuple[int, ...] = (0,)
    says: str = ""


@dataclass(frozen=True)
class Ask:
    """Asks a running table."""

    path: str


@dataclass(frozen=True)
class Tool:
    """A program of somebody else's."""

    command: str


@dataclass(frozen=True)
class Elsewhere:
    """Not run here; its own file must be sound."""

    why: str
    file: str = ""


MISSED_AIM = (0, 1)
"""At this size figures tell nothing, so that aims may be missed."""
TORCH = "needs torch, which nobody else needs"
NETWORK = "asks the package index"
BENCH = ".venv/bin/python -m tests.bench"
TRAIN = "torch/bin/python tools/dice/train.py $net vision/dice_$net.onnx"
TRAIN_CARDS = "torch/bin/python tools/cards/train.py $net vision/cards_$net.onnx"

TABLE: dict[str, Run | Ask | Tool | Elsewhere] = {
    "./setup.sh run": Run("./setup.sh --help", says="./setup.sh run"),
    "./setup.sh install": Run("./setup.sh install --help", says="./setup.sh install"),
    "./setup.sh update": Run("./setup.sh update --help", says="never during a game"),
    "./setup.sh uninstall": Run("./setup.sh uninstall --help", says="--keep-data"),
    "packaging/try-arm64 bookworm": Run("packaging/try-arm64 sid", codes=(2,), says="bookworm or trixie"),
    "packaging/image/build": Run("packaging/image/build nonsense", codes=(1,), says="there is no image"),
    "packaging/image/imager-list IMAGE --url URL": Run(
        "packaging/image/imager-list nothing.img", codes=(2,), says="cannot be read"
    ),
    "./setup.sh test": Run("./setup.sh --help", says="./setup.sh test"),
    "./setup.sh test -k test_t06": Run("./setup.sh nonsense", codes=(1,), says="there is no command"),
    "./setup.sh test tests/browser": Run("./setup.sh", codes=(2,), says="Usage"),
    # --- allcity
    "allcity run --players 3 --sim --port 8080": Run(
        "allcity run --sim --port 0 --speed max --seed 5 --config small.toml", says="Score sheet"
    ),
    "allcity games": Run("allcity games", says="Ash"),
    "allcity export 1 --format csv": Run("allcity export 1 --format csv", says="player,seq"),
    "allcity replay game.json": Run("allcity replay game.json", says="game.json: right"),
    "allcity record save evening.zip": Run("allcity record save saved.zip", says="saved.zip"),
    "allcity record save evening.zip --most-mb 40": Run("allcity record save saved.zip --most-mb 10", says="saved.zip"),
    "allcity doctor": Run("allcity doctor", (0, 1), says="No table is running"),
    "allcity doctor --json": Run("allcity doctor --json", (0, 1), says='"severity"'),
    "allcity support help-me.zip": Run("allcity support help-me.zip", says="open index.html"),
    "allcity backup my-table.zip": Run("allcity backup my-table.zip", says="written and checked"),
    "allcity restore my-table.zip": Run("allcity restore my-table.zip", says="are back"),
    "allcity replay evening.zip": Run("allcity replay evening.zip", says="all as recorded"),
    "allcity replay evening.zip --video evening.mp4": Run(
        "allcity replay evening.zip --video evening.mp4", says="evening.mp4"
    ),
    "allcity simulate --games 1000 --seed 7": Run("allcity simulate --games 2 --seed 7", says="2 games"),
    "allcity simulate --game graffiti --players 3": Run(
        "allcity simulate --game graffiti --players 3 --games 2", says="2 games"
    ),
    "allcity simulate --game spree --games 500 --players 5 --seed 7 --export games": Run(
        "allcity simulate --game spree --games 2 --players 5 --seed 7 --export games", says="2 games"
    ),
    "allcity profile check my-copy.toml": Run("allcity profile check my-copy.toml", says="good"),
    "allcity run --game spree --players 5 --sim": Run(
        "allcity run --game spree --players 5 --sim --port 0 --speed max --seed 5 --new --config small.toml",
        says="Score sheet",
    ),
    "allcity kit my-kit": Run("allcity kit KIT", says="print kit.pdf"),
    "allcity kit my-kit --game graffiti": Run("allcity kit KIT-G --game graffiti", says="print kit.pdf"),
    "allcity kit my-kit --game spree": Run("allcity kit KIT-S --game spree", says="print kit.pdf"),
    "allcity kit my-kit --side B": Run("allcity kit B --side B", says="print kit.pdf"),
    "allcity kit my-kit --profile my-copy.toml": Run("allcity kit MINE --profile my-copy.toml", says="print kit.pdf"),
    "allcity read table.jpg --kit my-kit --reference clean.jpg --overlay seen.png": Run(
        "allcity read table.jpg --kit KIT --reference clean.jpg --overlay seen.png", says="hq"
    ),
    "allcity dice photo.jpg": Run("allcity dice photo.jpg", says="d"),
    "allcity cards photo.jpg --overlay seen.png": Run("allcity cards photo.jpg --overlay seen.png", says="card"),
    "allcity camera-height --table 120x75": Run("allcity camera-height --table 120x75", says="Pi Camera Module 3"),
    "allcity firmware install": Run("allcity firmware install", codes=(2,), says="allcity: "),
    "curl -s http://localhost:8080/api/state": Ask("/api/state"),
    "curl -s http://localhost:8080/healthz": Ask("/healthz"),
    # --- for those who work on it
    ".venv/bin/python -m tests.games.golden": Run(".venv/bin/python -m tests.games.golden --folder golden"),
    ".venv/bin/python -m tests.games.tag_city.brute": Run(
        ".venv/bin/python -m tests.games.tag_city.brute --depth 1 --output counts.txt"
    ),
    f"{BENCH}.engine": Run(f"{BENCH}.engine --rounds 1 --positions 1", MISSED_AIM, "playouts"),
    f"{BENCH}.vision": Run(f"{BENCH}.vision --rounds 1 --width 1536", MISSED_AIM, "peak memory"),
    f"{BENCH}.table": Run(f"{BENCH}.table --rounds 1 --moves 1", MISSED_AIM, "hand to acceptance"),
    f"{BENCH}.card": Run(f"{BENCH}.card --minutes 0.05 --rest 0.01 --hours 0.01", MISSED_AIM, "recorder"),
    # The evening in which plugs are pulled, from processes of its own.
    f"{BENCH}.card --game spree": Run(
        f"{BENCH}.card --game spree --minutes 0.05 --rest 0.01 --hours 0.01", MISSED_AIM, "for each event"
    ),
    f"{BENCH}.noise": Run(f"{BENCH}.noise --width 1152", MISSED_AIM, "white noise"),
    f"{BENCH}.endurance --hours 8": Run(f"{BENCH}.endurance --hours 0.003", says="too short to tell"),
    f"{BENCH}.campaign --evenings 100": Run(f"{BENCH}.campaign --first 4 --evenings 1 --moves 1", says="plugs pulled"),
    f"{BENCH}.campaign --game graffiti --evenings 60 --moves 25 --begun 120": Run(
        f"{BENCH}.campaign --game graffiti --evenings 1 --moves 1 --begun 9", says="good light"
    ),
    f"{BENCH}.attack": Run(f"{BENCH}.attack --commands 100 --kills 1 --minutes 0", says="acknowledged"),
    f"{BENCH}.web": Run(f"{BENCH}.web --viewers 1 --rounds 1 --minutes 0.1", says="states delivered"),
    f"{BENCH}.accuracy": Run(f"{BENCH}.accuracy --tables 1 --only dim", says="dim"),
    f"{BENCH}.dice PHOTOS": Run(f"{BENCH}.dice PHOTOS", says="KEPT ASIDE"),
    f"{BENCH}.cards CARDS": Run(f"{BENCH}.cards CARDS", says="KEPT ASIDE"),
    ".venv/bin/python -m tests.browser.tour pictures": Run(
        ".venv/bin/python -m tests.browser.tour pictures --pages screen --sizes phone --schemes light --languages en"
    ),
    ".venv/bin/python -m tests.browser.night pictures": Run(
        ".venv/bin/python -m tests.browser.night pictures --parts 2", says="first dice"
    ),
    ".venv/bin/python -m tests.browser.pictures docs/pictures": Run(
        ".venv/bin/python -m tests.browser.pictures pictures --games tag_city", says="kit.pdf"
    ),
    **dict.fromkeys(
        (".venv/bin/python -m mkdocs build", ".venv/bin/python -m mkdocs serve"),
        Elsewhere("tests/test_site.py builds the same into a folder of its own", "docs/site/links.py"),
    ),
    ".venv/bin/python -m pytest tests/games/test_every_game.py": Run(
        f".venv/bin/python -m pytest {ROOT}/tests/games/test_every_game.py --collect-only -q", says="test_every_game.py"
    ),
    ".venv/bin/pip install -e '.[lock]'": Elsewhere(NETWORK),
    ".venv/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes"
    " --no-header -o requirements.lock": Elsewhere(NETWORK),
    "openscad -D 'part=\"clamp\"' -o clamp.stl hardware/print/camera-arm.scad": Tool(
        "openscad -D 'part=\"clamp\"' -o clamp.stl hardware/print/camera-arm.scad"
    ),
    # --- the networks
    "allcity kit A": Run("allcity kit KIT"),
    "allcity kit B --side B": Run("allcity kit B --side B"),
    "allcity kit KIT": Run("allcity kit KIT"),
    "python -m tools.marks.tables A B --out regions --tables 500 --seed 1": Run(
        "python -m tools.marks.tables KIT --out regions --tables 1 --seed 1"
    ),
    "python -m tools.marks.tables A B --out boards --tables 500 --seed 2": Run(
        "python -m tools.marks.tables KIT --out regions --tables 1 --seed 1"
    ),
    **{
        f"python -m tools.marks.train {words}": Elsewhere(TORCH, "tools/marks/train.py")
        for words in (
            "look regions --out vision/marks.onnx --epochs 11",
            "glance regions --out vision/marks_glance.onnx --epochs 6",
            "together boards regions --out vision/marks_together.onnx --epochs 10",
        )
    },
    "python3.11 -m venv blender": Elsewhere(NETWORK),
    "blender/bin/pip install bpy": Elsewhere(NETWORK),
    "python3.11 -m venv torch": Elsewhere(NETWORK),
    "torch/bin/pip install torch==2.13.0 onnx opencv-python-headless": Elsewhere(NETWORK),
    "blender/bin/python tools/dice/render.py BLENDER --count 110 --textures KIT": Elsewhere(
        "needs Blender", "tools/dice/render.py"
    ),
    ".venv/bin/python tools/dice/tabletop.py KIT TABLETOP --count 260": Run(
        ".venv/bin/python tools/dice/tabletop.py KIT drawn --count 1"
    ),
    f"{TRAIN} --rendered BLENDER TABLETOP --minutes 10": Elsewhere(TORCH, "tools/dice/train.py"),
    f"{TRAIN} --rendered BLENDER BLENDER TABLETOP --photos PHOTOS --aligned aligned.json"
    " --start vision/dice_$net.onnx --minutes 20": Elsewhere(TORCH, "tools/dice/train.py"),
    ".venv/bin/python tools/dice/align.py PHOTOS aligned.json": Run(
        ".venv/bin/python tools/dice/align.py PHOTOS aligned.json", says="taken"
    ),
    ".venv/bin/python tools/dice/mine.py BLENDER TABLETOP": Run(
        ".venv/bin/python tools/dice/mine.py TABLETOP TABLETOP"
    ),
    "torch/bin/pip install torch==2.13.0 onnx opencv-python-headless pillow": Elsewhere(NETWORK),
    "torch/bin/pip install --no-deps --target FONTS trdg font-caladea font-source-serif-pro font-source-sans-pro"
    " font-manrope": Elsewhere(NETWORK),
    ".venv/bin/python tools/cards/scenes.py SCENES --count 4000 --fonts FONTS --photos DICE CARDS": Run(
        ".venv/bin/python tools/cards/scenes.py drawn-cards --count 1"
    ),
    f"{TRAIN_CARDS} --scenes SCENES --minutes 7 --half": Elsewhere(TORCH, "tools/cards/train.py"),
    f"{TRAIN_CARDS} --scenes SCENES --photos CARDS --aligned aligned.json"
    " --start vision/cards_$net.onnx --minutes 10 --half": Elsewhere(TORCH, "tools/cards/train.py"),
    ".venv/bin/python tools/cards/align.py CARDS aligned.json": Run(
        ".venv/bin/python tools/cards/align.py CARDS aligned-cards.json", says="indices placed"
    ),
    ".venv/bin/python tools/cards/printed.py PACKS": Run(
        ".venv/bin/python tools/cards/printed.py PACKS", says="52 of 52 cards read"
    ),
    ".venv/bin/python tools/cards/scenes.py DRAWN --count 150 --fonts FONTS --photos DICE CARDS --packs PACKS"
    " --packs-share 1 --tilt 35 --layouts scattered": Run(
        ".venv/bin/python tools/cards/scenes.py DRAWN --count 1 --packs PACKS --packs-share 1 --tilt 35"
        " --layouts scattered"
    ),
    f"{BENCH}.cards DRAWN --drawn": Run(f"{BENCH}.cards SCENES --drawn", says="KEPT ASIDE"),
    ".venv/bin/python tools/cards/mine.py SCENES": Run(".venv/bin/python tools/cards/mine.py SCENES", says="traps"),
}


# --- the input ----------------------------------------------------------------------------------


@cache
def run(folder: Path, command: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command in the folder, with this Python and this project, once."""
    ours = {
        "allcity": [sys.executable, "-m", "pi_app"],
        ".venv/bin/python": [sys.executable],
        "python": [sys.executable],
        "./setup.sh": [str(ROOT / "setup.sh")],
    }
    program, *words = shlex.split(command)
    if program.startswith("packaging/"):
        program = str(ROOT / program)
    placed = [str(ROOT / word) if word.startswith(("tools/", "hardware/")) else word for word in words]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    return subprocess.run(
        [*ours.get(program, [program]), *placed],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the documented commands name, and a table at which a game was just finished."""
    made = tmp_path_factory.mktemp("commands")
    shutil.copy(HOUSE, made / "my-copy.toml")
    (made / "small.toml").write_text(
        f'[store]\npath = "{made}/data/allcity/allcity.db"\n[web]\naddress = "127.0.0.1"\n'
        "[camera]\nwidth_px = 1920\nheight_px = 1080\nsmall_width_px = 320\n"
    )
    (made / "pictures").mkdir()
    for command in (
        "allcity kit KIT",
        ".venv/bin/python tools/dice/tabletop.py KIT TABLETOP --count 1",
        ".venv/bin/python tools/cards/scenes.py SCENES --count 1",
        "allcity simulate --games 1 --players 2 --export .",
    ):
        done = run(made, command)
        assert done.returncode == 0, done.stderr
    (made / "game-00001.json").rename(made / "game.json")
    [drawn] = (made / "TABLETOP").glob("*.jpg")
    for name in ("table.jpg", "clean.jpg", "photo.jpg"):
        shutil.copy(drawn, made / name)
    _photographs(made / "PHOTOS", drawn)
    [scene] = (made / "SCENES").glob("*.jpg")
    _card_photographs(made / "CARDS", scene)
    _pack(made / "PACKS" / "ordinary")
    return made


def _photographs(folder: Path, drawn: Path) -> None:
    """One photograph with its labels."""
    folder.mkdir()
    picture = cv2.imread(str(drawn))
    assert picture is not None
    cv2.imwrite(str(folder / "one.png"), picture)
    dice = json.loads(drawn.with_suffix(".json").read_text(encoding="utf-8"))["dice"]
    boxes = [
        {
            "value": die["value"],
            "xyxy": [place + side * die["edge_px"] for side in (-1, 1) for place in die["centre_px"]],
        }
        for die in dice
    ]
    source = {"repo": "https://example.org/somebody/dice", "licence": "MIT"}
    values = sorted(die["value"] for die in dice)
    photo = {"file": "one.png", "values": values, "boxes": boxes, "view": "above", "source": source}
    (folder / "labels.json").write_text(json.dumps({"photos": [photo]}), encoding="utf-8")


def _card_photographs(folder: Path, drawn: Path) -> None:
    """One photograph with cards and its labels, which leave out what lies there: nothing is judged."""
    folder.mkdir()
    shutil.copy(drawn, folder / "one.jpg")
    source = {"repo": "somebody/cards", "path": "one.jpg", "commit": ""}
    photo = {"file": "one.jpg", "source": source, "licence": "MIT", "size": [720, 720], "cards": [], "complete": False}
    (folder / "labels.json").write_text(json.dumps({"photos": [photo]}), encoding="utf-8")


def _pack(folder: Path) -> None:
    """The faces of a pack as pictures."""
    folder.mkdir(parents=True)
    for rank, suit in product(RANKS, SUITS):
        cv2.imwrite(str(folder / f"{rank}{suit}.png"), face_of(rank + suit, ORDINARY))


@pytest.fixture(scope="module")
def evening(folder: Path) -> Path:
    """A game that was nearly over is played to its end, and recorded."""
    setup = house_setup(2)
    whole = play_on(Play(TAG_CITY, setup, ticking()), random.Random(2))
    moves = sum(TAG_CITY.is_move(record.event) for record in whole.records)
    with Store(folder / "data" / "allcity" / "allcity.db") as store:
        game_id = store.new_game("tag_city", setup, "2001-01-01T00:00:00Z", bots=(0, 1))
        play_on(
            Play(TAG_CITY, setup, ticking(), save=lambda new: store.append(game_id, new)), random.Random(2), moves - 2
        )
    told = TABLE["allcity run --players 3 --sim --port 8080"]
    assert isinstance(told, Run)
    done = run(folder, told.command)
    assert (done.returncode, done.stderr) == (0, "")
    assert told.says in done.stdout
    assert run(folder, "allcity record save evening.zip").returncode == 0
    assert run(folder, "allcity backup my-table.zip").returncode == 0
    return folder


# --- the tests ----------------------------------------------------------------------------------


def test_every_documented_command_is_tried_and_nothing_else() -> None:
    assert {command: str(path) for command, path in DOCUMENTED.items() if command not in TABLE} == {}
    assert sorted(TABLE.keys() - DOCUMENTED.keys()) == []


RUNS = {command: how for command, how in TABLE.items() if isinstance(how, Run)}
ON_AN_EVENING = (
    "allcity games",
    "allcity export",
    "allcity backup",
    "allcity restore",
    "allcity record",
    "allcity replay evening",
    "allcity run",
)


@pytest.mark.parametrize("command", [command for command in RUNS if not command.startswith(ON_AN_EVENING)])
def test_a_command_works(folder: Path, command: str) -> None:
    how = RUNS[command]
    done = run(folder, how.command)
    assert done.returncode in how.codes, done.stderr
    assert "Traceback" not in done.stderr
    assert how.says in done.stdout + done.stderr


@pytest.mark.parametrize("command", [command for command in RUNS if command.startswith(ON_AN_EVENING[:-1])])
def test_a_command_works_on_what_was_played(evening: Path, command: str) -> None:
    test_a_command_works(evening, command)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with Program(tmp_path_factory.mktemp("table"), "--sim") as program:
        yield program


@pytest.mark.parametrize("path", [how.path for how in TABLE.values() if isinstance(how, Ask)])
def test_a_running_table_answers(table: Program, path: str) -> None:
    assert table.site.get(path)


@pytest.mark.parametrize("how", [how for how in TABLE.values() if isinstance(how, Tool)], ids=lambda how: how.command)
def test_a_tool_works(folder: Path, how: Tool) -> None:
    name = how.command.partition(" ")[0]
    if shutil.which(name) is None:
        pytest.skip(f"{name} is missing: ./setup.sh test installs it where there is apt-get")
    assert run(folder, how.command).returncode == 0


@pytest.mark.parametrize(
    "file", sorted({how.file for how in TABLE.values() if isinstance(how, Elsewhere) and how.file})
)
def test_what_is_run_elsewhere_can_be_read(file: str, tmp_path: Path) -> None:
    py_compile.compile(str(ROOT / file), str(tmp_path / "compiled.pyc"), doraise=True)


def test_the_setup_script_can_be_read() -> None:
    subprocess.run(["bash", "-n", ROOT / "setup.sh"], check=True)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_are_named_are_there(path: Path) -> None:
    for name in re.findall(r"python -m ((?:tests|tools|pi_app|vision)[\w.]*)", path.read_text(encoding="utf-8")):
        place = ROOT.joinpath(*name.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), name
