"""The kit of Spree! as a camera sees it: pieces side by side on squares, cards in carts, dice on the till."""

import random
from functools import cache

import pytest

from hardware.sim.state import View
from hardware.sim.table import SimTable
from pi_app.games import GAMES
from pi_app.games.spree.edition.words import SEATS
from pi_app.simulation.hands import Hands
from tests.e2e.night import faces, laid, renderer, setup
from tests.games.spree.helpers import PLACES
from tests.hardware.clock import Clock
from vision.layout import Layout
from vision.read import Reader, TableReading

GAME, VIEW = "spree", View((2304, 1296), 0.0, 1.0, 1)


class Lying:
    """Some pieces, cards and dice on a table for so many players, and one picture of it."""

    def __init__(self, players: int) -> None:
        self.sim = SimTable(3, Clock(), laid(players, GAME))
        self.hands = Hands(self.sim, renderer(GAME).layout, GAMES[GAME].surfaces(setup(players, GAME)))
        self.reader = Reader(_layout(players), None, faces(GAME))
        self.reader.take_reference(renderer(GAME).draw(self.sim.state, VIEW))

    def read(self) -> TableReading:
        return self.reader.read(renderer(GAME).draw(self.sim.state, VIEW))


@cache
def _layout(players: int) -> Layout:
    layout = renderer(GAME).layout
    there = {surface.id for surface in GAMES[GAME].surfaces(setup(players, GAME))}
    return layout.only(there)


def test_every_thief_beside_its_car_is_read() -> None:
    at = Lying(3)
    wanted = {place: f"car.{colour} thief.{colour}" for place, colour in zip(PLACES, SEATS, strict=True)}
    at.hands.arrange("mall", wanted)
    marks = at.read().marks["mall"]
    assert {square: one.kind for square, one in marks.items() if one.kind != "empty"} == wanted


@pytest.mark.parametrize("seed", [1, 2])
def test_several_pieces_on_a_square_are_read_or_nothing_is_told(seed: int) -> None:
    at, rng = Lying(3), random.Random(seed)
    squares = rng.sample([*_layout(3).board("mall").regions], 9)
    there: dict[str, list[str]] = {square: [] for square in squares}
    for colour in SEATS:
        there[rng.choice(squares)].append(f"{rng.choice(('thief', 'lying'))}.{colour}")
        free = [square for square in squares if not any(piece.startswith("car") for piece in there[square])]
        there[rng.choice(free)].append(f"car.{colour}")
    wanted = {square: " ".join(sorted(pieces[:3])) or "empty" for square, pieces in there.items()}
    at.hands.arrange("mall", wanted)
    marks = at.read().marks["mall"]
    assert {one.kind for square, one in marks.items() if square not in wanted} <= {"empty", "unsure"}
    told = {square: marks[square].kind for square in wanted}
    assert {square: kind for square, kind in told.items() if kind not in ("unsure", wanted[square])} == {}
    assert sum(kind == "unsure" for kind in told.values()) <= 1


def test_a_pile_of_stops_is_read_in_its_order_and_dice_where_they_lie() -> None:
    at = Lying(3)
    pile = {"played": "KD KD", "stop.1": "AH", "stop.2": "joker", "discards": "7C"}
    at.hands.arrange("till", pile)
    at.hands.throw("till", "dice", (2, 5))
    reading = at.read()
    marks = reading.marks["till"]
    assert {place: max(marks[place].likelihoods, key=lambda k: marks[place].likelihoods[k]) for place in pile} == pile
    assert [(die.value, die.region) for die in sorted(reading.dice, key=lambda d: d.value) if die.board] == [
        (2, "dice"),
        (5, "dice"),
    ]


def test_all_ten_cards_of_a_cart_are_read() -> None:
    at = Lying(3)
    cards = "3C 4D KS QH JD 9C 8H 7S 6D 5C"
    at.hands.arrange("cart-2", {"cart": cards})
    marks = at.read().marks["cart-2"]
    best = [max(one.likelihoods, key=lambda kind: one.likelihoods[kind]) for one in marks.values()]
    assert best == cards.split()
