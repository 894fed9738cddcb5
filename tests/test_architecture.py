"""Keeps the rooms apart: reads every import and compares it with what each room may use."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.games import DEFAULT

ROOT = Path(__file__).parent.parent
ROOMS = ("pi_app", "vision", "hardware", "firmware", "web")

# fmt: off
# The longest matching folder or module decides; * is any one game. Besides these, everybody may use itself and the
# standard library.
MAY_IMPORT: dict[str, set[str]] = {
    "pi_app.engine": set(),
    "pi_app.games": {"pi_app.engine", "vision.files"},
    "pi_app.games.*": {"pi_app.engine"},
    "pi_app.games.*.edition": {"pi_app.engine", "pi_app.games.*.rules", "vision.kit", "vision.layout", "vision.die"},
    "pi_app.games.*.terminal": {"pi_app.engine", "pi_app.games.*", "web.text", "rich"},
    "pi_app.files": set(),
    "pi_app.config": {"hardware", "vision.files", "tomli_w"},
    "pi_app.perception": {"pi_app.engine", "hardware.ports", "vision", "numpy", "cv2"},
    "pi_app.perception.sight": {"pi_app.engine"},
    "pi_app.storage": {"pi_app.engine"},
    "pi_app.storage.gamefile": {"pi_app.engine", "pi_app.games", "vision.files"},
    "pi_app.table": {"pi_app.engine", "pi_app.storage", "pi_app.perception.sight", "hardware.ports"},
    "pi_app.history": {
        "pi_app.engine", "pi_app.games", "pi_app.storage", "web.history", "web.people", "PIL", "font_fredoka_one"
    },
    "pi_app.recording": {
        "pi_app.engine", "pi_app.games", "pi_app.files", "pi_app.storage", "pi_app.table", "pi_app.perception",
        "hardware.ports", "vision", "numpy", "cv2",
    },
    "pi_app.simulation": {
        "pi_app.engine", "pi_app.games", "pi_app.storage", "pi_app.table", "pi_app.perception",
        "hardware", "vision", "web", "numpy", "cv2",
    },
    "pi_app.setup": {
        "pi_app.engine", "pi_app.games", "pi_app.files", "pi_app.storage", "pi_app.recording",
        "pi_app.table.lights", "hardware", "firmware", "vision", "web", "numpy", "cv2", "tomli_w",
    },
    "pi_app.run": {"pi_app", "hardware", "vision", "web", "rich"},
    "pi_app.commands": {"pi_app", "hardware", "vision", "web", "rich"},
    "pi_app.__main__": {"pi_app", "web"},
    "vision": {"numpy", "cv2"},
    "vision.kit": {"vision", "PIL", "reportlab", "font_fredoka_one"},
    "vision.kit.faces": {"vision", "numpy", "cv2"},
    "hardware": {"numpy"},
    "hardware.wiring": {"hardware", "firmware.pins"},
    "hardware.real": {"hardware", "numpy", "cv2", "gpiozero", "picamera2", "libcamera", "serial", "firmware.protocol"},
    "firmware": {"machine", "micropython", "neopixel"},
    "firmware.protocol": set(),
    "web": {"flask", "werkzeug", "cheroot", "segno", "font_fredoka_one"},
}
# fmt: on


def modules() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_in(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def forbidden(module: str, imported: str) -> bool:
    game = re.match(r"(pi_app\.games\.)(?!profile_files)\w+", module)
    if game:
        module = module.replace(game[0], "pi_app.games.*", 1)
        imported = re.sub(rf"^{game[0]}\b", "pi_app.games.*", imported)
    rooms = [room for room in MAY_IMPORT if is_in(module, room)]
    if not rooms:
        return True
    room = max(rooms, key=len)
    if imported.partition(".")[0] in sys.stdlib_module_names or is_in(imported, room):
        return False
    return not any(is_in(imported, allowed) for allowed in MAY_IMPORT[room])


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    module = name_of(path)
    if module == "pi_app":
        return
    assert [name for name in imports(path) if forbidden(module, name)] == []


def test_the_rule_itself_can_say_no() -> None:
    assert forbidden("pi_app.engine.log", "pi_app.games.tag_city")
    assert forbidden("pi_app.games.tag_city.rules", "pi_app.storage.store")
    assert forbidden("pi_app.storage.store", "rich.table")
    assert forbidden("web.text", "pi_app.engine.contract")
    assert forbidden("vision.marks", "pi_app.engine")
    assert forbidden("pi_app.games.tag_city.rules.deciding", "vision.kit.kit.Kit")
    assert forbidden("pi_app.games.tag_city.rules.deciding", "pi_app.games.graffiti.rules.deciding")
    assert not forbidden("pi_app.games.tag_city.rules", "pi_app.engine.contract.LUCK")
    assert not forbidden("pi_app.games.tag_city.edition.profile", "vision.kit.kit.Kit")


@pytest.mark.parametrize("room", [*ROOMS, "tests", "pi_app/engine", "pi_app/games"])
def test_every_room_opens_with_a_readme(room: str) -> None:
    assert (ROOT / room / "README.md").is_file()


# --- words of a game ------------------------------------------------------------------------------

# A game's name and its own words. Nothing outside its folder says them, but that one of them is the default.
WORDS = {
    "tag_city": r"tag_?city|hq|districts?|drones?|bubbles?|taggers?",
    "graffiti": r"graffit[io]|graffito|police|policem[ae]n|tunnels?|murals?",
    "spree": r"spree|malls?|thie(f|ves)|loot|fountains?|robber(y|ies)",
}
DEFAULT_GAME = "pi_app/games/__init__.py"
WRITTEN = (".js", ".css", ".html", ".toml")
"""Files of pages, which are read word by word."""


def said_in(path: Path) -> Iterator[str]:
    """Every word of every name and string of a module; docstrings are for people."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield from re.split(r"[^a-z_]+", node.value.lower())
        for field in ("id", "attr", "name", "arg", "module"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield from (name.lower(), *re.split(r"[_.]", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))


def words_of(path: Path) -> Iterator[str]:
    if path.suffix == ".py":
        return said_in(path)
    return iter(re.split(r"[^a-z_]+", path.read_text(encoding="utf-8").lower()))


@pytest.mark.parametrize("game", WORDS)
def test_nothing_outside_its_folder_says_a_word_of_a_game(game: str) -> None:
    files = [*modules(), *(path for path in (ROOT / "web").rglob("*") if path.suffix in WRITTEN)]
    outside = {str(path.relative_to(ROOT)): path for path in files if ROOT / "pi_app/games" / game not in path.parents}
    word = re.compile(WORDS[game])
    saying = {name for name, path in outside.items() if any(map(word.fullmatch, words_of(path)))}
    assert saying == ({DEFAULT_GAME} if game == DEFAULT else set())


def test_every_game_has_words_of_its_own() -> None:
    assert set(WORDS) == {path.parent.name for path in (ROOT / "pi_app/games").glob("*/__init__.py")}
