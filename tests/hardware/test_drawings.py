"""What is drawn for makers: the wiring and the camera arm. Numbers are those of the program; files can be used."""

import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from gpiozero.pins.mock import MockFactory

from firmware import pins as pico
from hardware.settings import ButtonsSettings, CameraSettings, HardwareSettings, LightsSettings
from hardware.wiring import HEADER, PICTURE, pico_header, wiring
from pi_app.__main__ import main
from pi_app.config import load_config

ROOT = Path(__file__).parent.parent.parent
ARM = ROOT / "hardware" / "print" / "camera-arm.scad"
SVG = "{http://www.w3.org/2000/svg}"

Spot = tuple[float, float]


def tool(name: str) -> str:
    """A program that `./setup.sh test` installs where there is apt-get."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is missing; ./setup.sh test installs it")
    return found


def header() -> dict[int, Any]:
    """The pins of a Pi by number, as gpiozero knows them."""
    return dict(MockFactory().board_info.headers["J8"].pins)


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def png_size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


# --- the wiring -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def diagram() -> Xml.Element:
    return Xml.fromstring(PICTURE.read_text(encoding="utf-8"))


def wires(diagram: Xml.Element) -> dict[str, list[Spot]]:
    """The corners of every named wire."""
    return {
        line.attrib["data-wire"]: [
            (float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", line.attrib["points"])
        ]
        for line in diagram.iter(f"{SVG}polyline")
        if "data-wire" in line.attrib
    }


def pin_under(diagram: Xml.Element, spot: Spot) -> int:
    """The number on the pin that a wire touches."""
    touched = [
        circle
        for circle in diagram.iter(f"{SVG}circle")
        if abs(float(circle.attrib["cx"]) - spot[0]) <= float(circle.attrib["r"]) + 0.01
        and abs(float(circle.attrib["cy"]) - spot[1]) < 0.01
    ]
    (circle,) = touched
    centre = float(circle.attrib["cx"]), float(circle.attrib["cy"])
    (number,) = [
        label.text
        for label in diagram.iter(f"{SVG}text")
        if float(label.attrib["x"]) == centre[0] and 0 < float(label.attrib["y"]) - centre[1] < 6
    ]
    return int(number or 0)


def labels(diagram: Xml.Element) -> set[str]:
    return {label.text or "" for label in diagram.iter(f"{SVG}text")}


def test_the_diagram_is_what_the_program_draws() -> None:
    assert PICTURE.read_text(encoding="utf-8") == wiring(), "python -m hardware.wiring writes it anew"


def test_every_wire_of_the_pi_ends_at_the_pin_of_the_configuration(diagram: Xml.Element, tmp_path: Path) -> None:
    """Diagram, configuration and code: three places, one number."""
    (tmp_path / "empty.toml").touch()
    default = load_config(tmp_path / "empty.toml", ("en",)).hardware
    assert replace(default, camera=CameraSettings()) == HardwareSettings()
    drawn, checked = wires(diagram), 0
    for section in ("buttons", "status_light", "sound"):
        for option in fields(getattr(default, section)):
            if option.name.endswith("pin"):
                gpio = getattr(getattr(default, section), option.name)
                assert pin_under(diagram, drawn[f"{section}.{option.name}"][0]) == HEADER[gpio]
                assert f"GPIO{gpio}" in labels(diagram)
                checked += 1
    assert checked == 7


def test_every_ground_wire_of_the_pi_ends_at_a_ground(diagram: Xml.Element) -> None:
    drawn = wires(diagram)
    ends = [drawn["ground.buttons"][-1], drawn["ground.sound"][0], drawn["ground.status_light"][0]]
    assert {header()[pin_under(diagram, end)].name for end in ends} == {"GND"}


def test_the_wires_of_the_pico_end_at_the_pins_of_its_firmware(diagram: Xml.Element) -> None:
    drawn = wires(diagram)
    assert pin_under(diagram, drawn["pico.strip_pin"][0]) == pico_header(pico.STRIP_PIN)
    assert pin_under(diagram, drawn["ground.pico"][0]) == 3
    expected = {f"{name} GP{pin}" for name, pin in zip(ButtonsSettings().pins, pico.BUTTON_PINS, strict=True)}
    assert expected | {f"strip GP{pico.STRIP_PIN}"} <= labels(diagram)


def test_the_strip_is_as_long_as_its_zones() -> None:
    assert max(first + count for first, count in LightsSettings().zones.values()) == pico.PIXELS


def test_the_header_is_numbered_as_gpiozero_knows_it() -> None:
    names = {pin.name: number for number, pin in header().items()}
    assert {gpio: names[f"GPIO{gpio}"] for gpio in HEADER} == HEADER


@pytest.mark.parametrize(("gpio", "number"), [(0, 1), (1, 2), (2, 4), (5, 7), (6, 9), (10, 14), (12, 16), (15, 20)])
def test_the_pico_is_numbered_as_its_data_sheet_has_it(gpio: int, number: int) -> None:
    assert pico_header(gpio) == number


def test_no_two_wires_of_different_names_share_a_corner(diagram: Xml.Element) -> None:
    corners = [corner for way in wires(diagram).values() for corner in way]
    assert len(corners) == len(set(corners))


def test_the_diagram_renders(tmp_path: Path, diagram: Xml.Element) -> None:
    run(tool("rsvg-convert"), PICTURE, "-o", tmp_path / "wiring.png")
    size = int(diagram.attrib["width"]), int(diagram.attrib["height"])
    assert png_size(tmp_path / "wiring.png") == size == png_size(ROOT / "docs" / "wiring.png")


# --- the camera arm ---------------------------------------------------------------------------------


def parts(choices: str = ARM.read_text(encoding="utf-8")) -> Sequence[str]:
    found = re.search(r'^part = "assembled"; // \[(.*)\]$', choices, re.MULTILINE)
    assert found
    return found[1].split(", ")


@pytest.mark.parametrize("part", [name for name in parts() if name not in ("assembled", "plate")])
def test_every_part_of_the_arm_becomes_one_closed_body(part: str, tmp_path: Path) -> None:
    told = run(tool("openscad"), "-D", f'part="{part}"', "-o", tmp_path / "part.stl", ARM)
    assert "WARNING" not in told
    assert "Simple:        yes" in told
    assert "Volumes:         2" in told  # the body, and all that is outside


def test_the_whole_arm_compiles(tmp_path: Path) -> None:
    assert "WARNING" not in run(tool("openscad"), "-o", tmp_path / "arm.csg", ARM)
    assert (tmp_path / "arm.csg").stat().st_size > 1000
    assert min(png_size(ROOT / "docs" / "camera-arm.png")) > 400


def test_another_tube_and_table_can_be_asked_for(tmp_path: Path) -> None:
    sizes = ("-D", "tube_d=32", "-D", "table_max=60", "-D", 'part="clamp"')
    assert "Volumes:         2" in run(tool("openscad"), *sizes, "-o", tmp_path / "part.stl", ARM)


def test_a_part_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    command = [tool("openscad"), "-D", 'part="wheel"', "-o", str(tmp_path / "part.stl"), str(ARM)]
    assert subprocess.run(command, capture_output=True, timeout=300, check=False).returncode != 0


# --- the page about building it ------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "build-the-table.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_can_be_used(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "allcity.toml").write_text(example, encoding="utf-8")
    hardware = load_config(tmp_path / "allcity.toml", ("en",)).hardware
    kinds = [getattr(hardware, section.name).kind for section in fields(hardware)]
    assert kinds == ["auto", "pico", "gpio", "gpio", "gpio"]


def test_the_heights_on_the_page_are_those_that_the_command_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera-height", "--table", "120x75"]) == 0
    for line in capsys.readouterr().out.splitlines()[1:]:
        cells = re.split(r"\s{2,}", line.strip())
        assert f"| {' | '.join(cells)} |" in PAGE
