"""Cards on places of a board, rendered and read back: overlapped, equal ones side by side, under something else."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.kit.corners import corner_markers
from vision.layout import Layout, parse_layout
from vision.markers import Image, draw_marker
from vision.marks import RegionReading
from vision.read import Reader, reading_json
from vision.render import Camera, Glare, Hand, Piece, PlacedBoard, Renderer, Scene, Sensor, Shade, put_on
from vision.render.cards import card_face
from vision.render.scene import on_table

SIZE_MM, CARD_MM, STEP_MM, PX_PER_MM = (300.0, 110.0), (63.0, 88.0), 16.0, 4.0
PLACES = {f"place.{n}": 36.0 + STEP_MM * (n - 1) for n in range(1, 6)} | {"heap": 200.0}
CARDS = ("3C", "4D", "10S", "QH", "AS", "KD", "joker")
DESK = PlacedBoard("desk")


@cache
def kit() -> tuple[Layout, dict[str, Image]]:
    places = {
        name: [[x, 11.0], [x + wide, 11.0], [x + wide, 99.0], [x, 99.0]]
        for name, x in PLACES.items()
        for wide in (CARD_MM[0] if name == "heap" else STEP_MM,)
    }
    board = {
        "id": "desk",
        "kind": "desk",
        "width_mm": SIZE_MM[0],
        "height_mm": SIZE_MM[1],
        "image": "desk.png",
        "regions": places,
        "markers": {str(n): [list(p) for p in outline] for n, outline in corner_markers(0, SIZE_MM).items()},
        "readers": dict.fromkeys(places, "cards"),
    }
    kinds = {card: {"set": "card", "shape": "card", "size_mm": [*CARD_MM, 0.3]} for card in CARDS}
    held = {name: {"holds": ["card"], "most": 2} for name in places}
    pieces = {"image": "none.png", "kinds": kinds, "places": {"desk": held}}
    layout = parse_layout({"profile": "desk", "boards": [board], "pieces": pieces}, Path())
    print_ = np.full((round(SIZE_MM[1] * PX_PER_MM), round(SIZE_MM[0] * PX_PER_MM), 3), 255, np.uint8)
    for outline in places.values():
        low, high = ((np.array(corner) * PX_PER_MM).astype(int) for corner in (outline[0], outline[2]))
        cv2.rectangle(print_, low.tolist(), high.tolist(), (70, 62, 38), -1)
    for marker, corners in corner_markers(0, SIZE_MM).items():
        (x, y), side = (round(n * PX_PER_MM) for n in corners[0]), round(25 * PX_PER_MM)
        print_[y : y + side, x : x + side] = draw_marker(marker, side)[..., None]
    return layout, {"desk": print_}


@cache
def renderer() -> Renderer:
    return Renderer(*kit())


def scene(*pieces: Piece, hands: tuple[Hand, ...] = ()) -> Scene:
    camera = Camera(size_px=(1152, 648), distance_mm=700.0, focal_px=1500.0)
    return Scene((DESK,), pieces=pieces, hands=hands, camera=camera, sensor=Sensor(noise=2.0, blur_px=0.6))


def card(kind: str, place: str, along_mm: float = 0.0, turn_deg: float = 1.5) -> Piece:
    """With its left upper corner at that of its place."""
    board = kit()[0].board("desk")
    width = board.regions[place][1][0] - board.regions[place][0][0]
    off = (CARD_MM[0] - width) / 2 + along_mm, 0.6
    return put_on(DESK, board, place, kind, off_mm=off, turn_deg=turn_deg)


@pytest.fixture
def reader() -> Reader:
    reader = Reader(kit()[0])
    reader.take_reference(renderer().render(scene()).frame_bgr)
    return reader


def read(reader: Reader, table: Scene) -> dict[str, RegionReading]:
    return dict(reader.read(renderer().render(table).frame_bgr).marks["desk"])


def best(readings: dict[str, RegionReading]) -> dict[str, str]:
    """What is likeliest, where something is told at all."""
    told = {place: max(one.likelihoods, key=lambda kind: one.likelihoods[kind]) for place, one in readings.items()}
    return {place: kind for place, kind in told.items() if kind != "empty"}


def test_nothing_lies_on_a_clean_board(reader: Reader) -> None:
    readings = read(reader, scene())
    assert best(readings) == {}
    assert min(one.confidence for one in readings.values()) > 0.99


def test_overlapped_cards_are_read_each_on_its_place(reader: Reader) -> None:
    fan = [card(kind, f"place.{n}") for n, kind in enumerate(("3C", "4D", "QH", "KD"), 1)]
    told = best(read(reader, scene(*fan, card("joker", "heap"))))
    assert told == {"place.1": "3C", "place.2": "4D", "place.3": "QH", "place.4": "KD", "heap": "joker"}


def test_two_equal_cards_side_by_side_are_two(reader: Reader) -> None:
    told = best(read(reader, scene(card("3C", "place.1"), card("3C", "place.2"))))
    assert told == {"place.1": "3C", "place.2": "3C"}


def test_two_cards_on_one_place_are_told_together(reader: Reader) -> None:
    told = best(read(reader, scene(card("QH", "heap", -8.0), card("QH", "heap", 9.0))))
    assert told == {"heap": "QH QH"}


def test_a_card_that_lies_upside_down_is_the_same_card(reader: Reader) -> None:
    assert best(read(reader, scene(card("QH", "place.1", turn_deg=181.0)))) == {"place.1": "QH"}


def test_nothing_is_told_of_a_place_under_something_else(reader: Reader) -> None:
    """The back of a card would look no better than this hand."""
    board = kit()[0].board("desk")
    x, y = on_table(DESK, board, np.array([[60.0, 60.0]]))[0]
    readings = read(reader, scene(hands=(Hand((float(x), float(y))),)))
    covered = readings["place.2"].likelihoods
    assert max(covered.values()) - covered["empty"] < 0.7
    assert covered["*"] > -0.7


@pytest.mark.parametrize("strength", [0.02, 0.06, 0.12])
def test_a_lamps_image_on_dark_print_is_nothing_that_lies_there(reader: Reader, strength: float) -> None:
    """It adds little light, but to dark print that is much. Cards beside it, and below it, are read."""
    lamp = replace(scene().lights, glares=(Glare((40.0, 0.0), 60.0, strength),))
    fan = [card(kind, f"place.{n}") for n, kind in enumerate(("3C", "4D"), 1)]
    readings = read(reader, replace(scene(*fan), lights=lamp))
    assert best(readings) == {"place.1": "3C", "place.2": "4D"}
    assert min(one.confidence for one in readings.values()) > 0.9


@pytest.mark.parametrize("strength", [0.5, 0.7, 0.8])
def test_a_card_in_a_deep_shadow_is_no_lamps_image(reader: Reader, strength: float) -> None:
    """There, white paper is hardly brighter than print in full light, but it has edges."""
    shadow = Shade(((-40.0, -60.0), (40.0, -60.0), (40.0, 60.0), (-40.0, 60.0)), strength, softness_mm=10.0)
    lights = replace(scene().lights, shades=(shadow,))
    told = best(read(reader, replace(scene(card("QH", "place.5"), card("KD", "heap")), lights=lights)))
    assert told == {"place.5": "QH", "heap": "KD"}


def test_what_did_not_change_is_not_read_again(reader: Reader) -> None:
    lying = scene(card("QH", "heap"))
    first = read(reader, lying)
    then = read(reader, scene(card("QH", "heap"), card("3C", "place.1")))
    assert then["heap"] is first["heap"]
    assert best(then) == {"heap": "QH", "place.1": "3C"}


def test_cards_are_told_with_their_place_as_json(reader: Reader) -> None:
    reading = reader.read(renderer().render(scene(card("QH", "heap"))).frame_bgr)
    (told,) = reading_json(kit()[0], reading)["cards"]
    assert (told["card"], told["board"], told["region"]) == ("QH", "desk", "heap")


def test_there_are_no_other_cards() -> None:
    with pytest.raises(ValueError, match="1X"):
        card_face("1X", 2.0)
