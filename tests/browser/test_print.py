"""A board on a page is the printed board: the same places, colours and patterns."""

import re

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from pi_app.games.tag_city.edition.artwork import OTHER_TINTS, TINTS
from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.places import CELL_MM, GRID_MM, city_layout
from tests.browser.conftest import Device, OpenTable
from tests.playing import TAG_CITY, house_setup
from vision.kit.png import PX_PER_MM
from vision.pictures import decode_picture

PROFILE = house_setup(2).profile
CITY = PROFILE["city"]
SQUARE_PX = 80
INNER = slice(8, -8)
"""Of a square: what lies between its lines."""
BOXES = """board => Object.fromEntries([...board.querySelectorAll("[data-region]")].map((part) => {
  const { x, y, width, height } = part.firstElementChild.getBBox();
  return [part.dataset.region, [x, y, width, height]];
}))"""
TO_PICTURE = """board => {
  const { a, e, f } = board.getScreenCTM();
  const { left, top } = board.getBoundingClientRect();
  return [a, e - left, f - top].map((length) => length * devicePixelRatio);
}"""
"""Pixels for a millimetre, and where the corner of the printed board would be in a picture of this one."""

Floats = NDArray[np.float64]


@pytest.fixture
def board(table: OpenTable, device: Device) -> Page:
    """A big screen with empty boards, fine enough to see patterns."""
    screen = device(table.address + "/", "tv", device_scale_factor=3)
    expect(screen.locator(".of-seat .board")).to_have_count(2)
    return screen


def test_everything_is_where_it_is_printed(board: Page) -> None:
    shown = board.locator(".of-seat .board").first.evaluate(BOXES)
    printed = city_layout(CITY, 1).regions
    assert shown.keys() == printed.keys()
    for region, ((left, top), _, (right, bottom), _) in printed.items():
        assert shown[region] == pytest.approx([left, top, right - left, bottom - top], abs=0.01), region


def test_districts_have_the_colours_and_patterns_that_are_printed(board: Page) -> None:
    shown, printed = squares_on_page(board), squares_on_paper()
    for letter, square in printed.items():
        assert np.abs(shown[letter].mean(axis=(0, 1)) - square.mean(axis=(0, 1))).max() < 6
        likeness = {other: alike(shown[letter], printed[other]) for other in printed}
        assert max(likeness, key=lambda other: likeness[other]) == letter
        assert likeness[letter] > 0.7


def test_the_profile_editor_paints_with_the_grounds_that_are_printed() -> None:
    css = (TAG_CITY.folder / "screens/editor/editor.css").read_text(encoding="utf-8")
    light = css.partition("@media (prefers-color-scheme: dark)")[0]
    grounds = {name: bytes.fromhex(colour) for name, colour in re.findall(r"--d-(\w+): #(\w{6})", light)}
    printed = {**TINTS, **{str(number): tints for number, tints in enumerate(OTHER_TINTS)}}
    assert grounds == {name: bytes(ground) for name, (ground, _) in printed.items()}


def squares_on_page(board: Page) -> dict[str, Floats]:
    shown = board.locator(".of-seat .board").first
    scale, left_px, top_px = shown.evaluate(TO_PICTURE)
    return squares(decode_picture(shown.screenshot()), scale, left_px, top_px)


def squares_on_paper() -> dict[str, Floats]:
    drawn = np.array(kit_of(PROFILE).draw(city_layout(CITY, 1)).convert("RGB"))
    return squares(np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGB2BGR), np.uint8), PX_PER_MM, 0, 0)


def squares(picture: NDArray[np.uint8], px_per_mm: float, left_px: float, top_px: float) -> dict[str, Floats]:
    """What is between the lines of a square, averaged over each district."""
    scale = px_per_mm * CELL_MM / SQUARE_PX
    grid_px = left_px + px_per_mm * GRID_MM[0], top_px + px_per_mm * GRID_MM[1]
    where = np.array([[scale, 0, grid_px[0]], [0, scale, grid_px[1]]])
    size = CITY["cols"] * SQUARE_PX, CITY["rows"] * SQUARE_PX
    city = np.asarray(cv2.warpAffine(picture, where, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP), np.float64)
    found: dict[str, list[Floats]] = {letter: [] for letter in CITY["districts"]}
    for row, letters in enumerate(CITY["cells"]):
        for col, letter in enumerate(letters):
            square = city[row * SQUARE_PX :, col * SQUARE_PX :][:SQUARE_PX, :SQUARE_PX]
            found[letter].append(square[INNER, INNER])
    return {letter: np.mean(each, axis=0) for letter, each in found.items()}


def alike(one: Floats, other: Floats) -> float:
    """How far two patterns agree, whatever their colours and the width of their lines."""
    first, second = (cv2.GaussianBlur(each.mean(axis=2), (0, 0), 1.5).ravel() for each in (one, other))
    return float(np.corrcoef(first, second)[0, 1])
