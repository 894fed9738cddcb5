"""Keeps the rooms apart: reads every import and compares it with what each room may use."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    "pi_app.config": {"hardware", "vision.files"},
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
        "pi_app.engine", "pi_app.games", "pi_app.files", "pi_app.storage", "pi_app.table.lights",
        "hardware", "firmware", "vision", "web", "numpy", "cv2", "tomli_w",
    },
    "pi_app.run": {"pi_app", "hardware", "vision", "web", "rich"},
    "pi_app.commands": {"pi_app", "hardware", "vision", "web", "rich"},
    "pi_app.__main__": {"pi_app", "web"},
    "vision": {"numpy", "cv2"},
    "vision.kit": {"vision", "PIL", "reportlab", "font_fredoka_one"},
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

TAG_CITY_WORDS = re.compile(r"tag_?city|hq|districts?|drones?|bubbles?|taggers?")

# Modules outside its folder that still know a word of Tag City. None may be added.
NOT_YET = {
    *(
        f"pi_app.simulation.{name}"
        for name in ("clutter", "evening", "guests", "hands", "onlooker", "simroom", "stage")
    ),
    *(f"hardware.{name}" for name in ("sim.state", "sim.table")),
    "web.sim",
}


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


def test_only_these_modules_outside_its_folder_know_a_word_of_tag_city() -> None:
    outside = [path for path in modules() if not is_in(name_of(path), "pi_app.games.tag_city")]
    knowing = {name_of(path) for path in outside if any(map(TAG_CITY_WORDS.fullmatch, said_in(path)))}
    assert knowing == NOT_YET
