"""Playing cards of our own drawing: what is read, where, and what is not taken for a card."""

from collections import Counter
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.packs import FOUR_COLOURED, FRENCH, JUMBO, ORDINARY, Laid, Pack, face_of, seen_at, table
from vision.cards import UNSURE, SeenCard, _of_one_card, cards_json, find_cards_in, read_cards
from vision.indices import RANKS, SUITS, SeenIndex, _as_they_lie, _Place
from vision.markers import Image, draw_marker
from vision.networks import outputs_of
from vision.overlay import cards_overlay
from vision.pyramid import Pyramid

HAND = ("AS", "10H", "7D", "QC", "KH", "2C")


def names(seen: tuple[SeenCard, ...]) -> list[str]:
    return sorted(card.card for card in seen)


def row(cards: tuple[str, ...], turn_deg: float = 0.0) -> list[Laid]:
    """Two rows of cards beside each other."""
    return [
        Laid(card, -90.0 + 90 * (place % 3), -52.0 + 104 * (place // 3), turn_deg) for place, card in enumerate(cards)
    ]


@pytest.mark.parametrize("suit", SUITS)
def test_every_card_of_a_suit_is_read_where_it_lies(suit: str) -> None:
    for start in range(0, len(RANKS), 6):
        laid = row(tuple(rank + suit for rank in RANKS[start : start + 6]))
        seen = read_cards(table(laid))
        assert names(seen) == sorted(each.card for each in laid)
        for each in laid:
            [card] = [card for card in seen if card.card == each.card]
            assert np.hypot(*(card.centre_px - seen_at(each))) < 0.1 * 88 * 3


@pytest.mark.parametrize("pack", [JUMBO, FOUR_COLOURED, FRENCH], ids=["jumbo", "four colours", "French"])
def test_other_packs(pack: Pack) -> None:
    assert names(read_cards(table(row(HAND), pack))) == sorted(HAND)
    courts = ("JS", "QH", "KD", "JC", "QD", "KS")
    assert names(read_cards(table(row(courts), pack))) == sorted(courts)


def test_jokers_are_stars_in_our_answers() -> None:
    assert names(read_cards(table(row(("*", "9S", "5D"))))) == sorted(["*", "9S", "5D"])


@pytest.mark.parametrize("turn_deg", [30.0, 90.0, 145.0, 180.0, 260.0])
def test_any_turn(turn_deg: float) -> None:
    laid = [Laid(card, -105.0 + 105 * place, 0.0, turn_deg) for place, card in enumerate(("6H", "9C", "JD"))]
    assert names(read_cards(table(laid))) == sorted(["6H", "9C", "JD"])


@pytest.mark.parametrize("tilt_deg", [20.0, 35.0])
def test_seen_at_a_slant(tilt_deg: float) -> None:
    assert names(read_cards(table(row(HAND), tilt_deg=tilt_deg))) == sorted(HAND)


@pytest.mark.parametrize("turn_deg", [20.0, 45.0, 110.0])
def test_slanted_indices_belong_to_one_card(turn_deg: float) -> None:
    """So slanted, letters lean and the two indices of a card lie elsewhere than on a card seen from above."""
    laid = [Laid(card, -80.0 + 160 * place, 0.0, turn_deg) for place, card in enumerate(("5H", "QS"))]
    seen = read_cards(table(laid, px_per_mm=3.5, tilt_deg=50.0))
    assert names(seen) == ["5H", "QS"]
    assert [len(card.indices) for card in seen] == [2, 2]


def test_what_a_large_picture_costs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy it is: the finder sees a small part of its pixels, the reader not too many places."""
    seen = Counter[str]()

    def counted(file: str, pictures: Image) -> NDArray[np.floating[Any]]:
        seen[file] += pictures.shape[0] * pictures.shape[1] * pictures.shape[2]
        return outputs_of(file, pictures)

    monkeypatch.setattr("vision.indices.outputs_of", counted)
    busy = np.random.default_rng(1).integers(0, 256, (375, 500, 3), np.uint8)
    read_cards(np.asarray(cv2.resize(busy, (4000, 3000), interpolation=cv2.INTER_NEAREST), np.uint8))
    assert 0 < seen["cards_finder.onnx"] < 3_000_000
    assert seen["cards_reader.onnx"] < 5 * 80 * 48 * 64


def test_cards_that_cover_each_other_show_one_index() -> None:
    fan = [Laid(card, 18.0 * place, 0.0) for place, card in enumerate(("3S", "8H", "KD", "10C"))]
    assert names(read_cards(table(fan))) == sorted(["3S", "8H", "KD", "10C"])


@pytest.mark.parametrize("px_per_mm", [1.1, 2.0, 6.0])
def test_indices_from_fourteen_pixels_on(px_per_mm: float) -> None:
    """An index of this pack is 15.8 mm high."""
    size = (round(300 * px_per_mm), round(233 * px_per_mm))
    assert names(read_cards(table(row(HAND), px_per_mm=px_per_mm, size_px=size))) == sorted(HAND)


def test_small_cards_in_a_large_picture() -> None:
    laid = [Laid("QH", -250.0, 120.0), Laid("7S", 200.0, -150.0, 70.0)]
    frame = table(laid, px_per_mm=1.5, size_px=(2400, 1800))
    assert names(read_cards(frame)) == ["7S", "QH"]


def checked(size: tuple[int, int] = (900, 700)) -> Image:
    y, x = np.mgrid[: size[1], : size[0]] // 40
    return np.asarray(np.where(((x + y) % 2)[..., None] > 0, (60, 70, 160), (200, 210, 225)), np.uint8)


def test_a_patterned_table() -> None:
    assert names(read_cards(table(row(HAND), ground=checked()))) == sorted(HAND)


def test_boards_and_markers_are_no_cards() -> None:
    frame = np.full((300, 400, 3), 230, np.uint8)
    for number in range(12):
        x, y = 20 + 95 * (number % 4), 20 + 95 * (number // 4)
        frame[y : y + 42, x : x + 42] = draw_marker(number, 42)[..., None]
    assert read_cards(frame) == ()
    assert read_cards(checked()) == ()


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (7, 7), (64, 48)])
def test_flat_and_tiny_pictures_hold_no_cards(size: tuple[int, int]) -> None:
    assert read_cards(np.full((*size, 3), 128, np.uint8)) == ()


@pytest.mark.parametrize("coarseness", [1, 20])
def test_search_within_a_mask_of_any_resolution(coarseness: int) -> None:
    frame = table(row(HAND))
    mask = np.zeros((700 // coarseness, 900 // coarseness), np.uint8)
    mask[:, : 300 // coarseness] = 1
    assert names(read_cards(frame, within=mask)) == sorted([HAND[0], HAND[3]])
    assert read_cards(frame, within=np.zeros_like(mask)) == ()


def test_search_in_a_quadrilateral() -> None:
    quad = np.array([[300.0, 5.0], [620.0, 5.0], [600.0, 340.0], [310.0, 340.0]])
    assert names(find_cards_in(Pyramid(table(row(HAND))), quad)) == [HAND[1]]


def test_a_known_size_finds_the_same() -> None:
    assert names(read_cards(table(row(HAND)), index_px=(35.0, 60.0))) == sorted(HAND)


def test_a_picture_of_a_card_among_cards_is_told_with_less_confidence() -> None:
    """Such as on a card's back or on a box: the indices of one pack are all of one size."""
    frame = table(row(HAND))
    face = cv2.resize(face_of("AH", ORDINARY), None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    share = face[..., 3:] / 255
    spot = frame[480 : 480 + face.shape[0], 560 : 560 + face.shape[1]]
    spot[:] = spot * (1 - share) + face[..., :3] * share
    confidence = {card.card: card.confidence for card in read_cards(frame)}
    assert min(confidence[card] for card in HAND) > 0.9
    assert confidence.get("AH", 0.0) < 0.9


def test_cards_seen_at_a_slant_are_as_large_as_others() -> None:
    """However they are turned: where a table is seen from the side, some indices are far higher than others."""
    laid = [Laid(card, -110.0 + 110 * place, 0.0, 90.0 * place) for place, card in enumerate(("6H", "9C", "JD"))]
    seen = read_cards(table(laid, tilt_deg=50.0))
    assert names(seen) == sorted(["6H", "9C", "JD"])
    heights = [index.height_px for card in seen for index in card.indices]
    assert max(heights) > 1.3 * min(heights)
    assert all(card.confidence > 0.9 for card in seen)


@pytest.mark.parametrize(("down", "one"), [(3.0, True), (1.5, False)])
def test_opposite_corners_of_a_card_squeezed_along_its_diagonal(down: float, one: bool) -> None:
    """As photographs show it that were squeezed to squares: the reader sees less of that than there is."""
    shares = np.ones(1)
    upper = SeenIndex((0.0, 0.0), (0.0, -1.0), (1.0, 0.0), 34.0, shares)
    lower = SeenIndex((4.3 * 34, down * 34), (0.0, 1.0), (-1.0, 0.0), 34.0, shares)
    assert _of_one_card(upper, lower) is one


def test_where_cards_lie_alike_a_wrong_frame_is_put_right() -> None:
    """One clear index tells how others of its pack look on the same table, whichever way they are turned."""
    frame = table([Laid("7S", -60.0), Laid("QH", 60.0, 0.0, 40.0)], tilt_deg=35.0)
    seen = {card.card: card.indices[0] for card in read_cards(frame)}
    clear, true = seen["7S"], seen["QH"]
    wrong = _Place(np.array(true.centre_px), 0.55 * true.frame, 0.5)
    [again] = _as_they_lie([wrong], [clear])
    assert np.abs(np.linalg.solve(true.frame, again.frame) - np.eye(2)).max() < 0.25
    assert _as_they_lie([_Place(np.array(clear.centre_px), clear.frame, 0.9)], [clear]) == []


def test_what_cannot_be_told_is_unsure_or_left_out() -> None:
    """Blurred until nobody can read it, a card is never told with confidence."""
    frame = np.asarray(cv2.GaussianBlur(table(row(HAND)), (0, 0), 14.0), np.uint8)
    for card in read_cards(frame):
        assert card.card == UNSURE or card.confidence < 0.9


def test_confidence_is_a_probability_and_the_surest_come_first() -> None:
    confidences = [card.confidence for card in read_cards(table(row(HAND)))]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0.5 < confidence <= 1 for confidence in confidences)


def test_the_contracted_form() -> None:
    [card] = cards_json(read_cards(table([Laid("10S")])))
    assert sorted(card) == ["board", "card", "centre_px", "confidence", "region"]
    assert card["card"] == "10S"
    assert card["board"] is card["region"] is None


def test_the_overlay_shows_every_card() -> None:
    frame = table(row(HAND))
    seen = read_cards(frame)
    drawn = cards_overlay(frame, seen)
    assert drawn.shape[0] >= frame.shape[0]
    bare = cards_overlay(frame, ())
    scale = drawn.shape[1] / frame.shape[1]
    for card, index in product(seen, range(2)):
        x, y = np.multiply(card.indices[index].centre_px, scale).astype(int)
        reach = int(card.indices[index].height_px * scale)
        spot = np.s_[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
        assert (drawn[spot] != bare[spot]).any()


def test_the_frame_stays_as_it_was() -> None:
    frame = table(row(HAND))
    before = frame.copy()
    read_cards(frame)
    assert (frame == before).all()
