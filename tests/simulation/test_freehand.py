"""Lines drawn with a finger on the simulated table: seen by its camera, read like any other, and wiped again."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from hardware.ports import Picture
from hardware.sim.state import PointMm, View
from hardware.sim.table import LEAVING_S, SimTable
from tests.e2e.night import laid, renderer
from tests.hardware.clock import Clock
from vision.read import Reader

BOARD = renderer().layout.board("city-2")
FULL = (1920, 1080)


class Drawn:
    """A table for two with eyes over it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.sim = SimTable(4, self.clock, laid(2))
        self.reader = Reader(renderer().layout)
        self.reader.take_reference(self._picture())

    def read(self) -> dict[str, str]:
        """What is read on the second board when the hand is gone: regions that are not empty."""
        self.clock.go(2 * LEAVING_S)
        marks = self.reader.read(self._picture()).marks["city-2"]
        return {region: mark.kind for region, mark in marks.items() if mark.kind != "empty"}

    def _picture(self) -> Picture:
        return renderer().draw(self.sim.state, View(FULL, self.clock(), 1.0, 1))


@pytest.fixture
def drawn() -> Drawn:
    return Drawn()


def middle(region: str) -> PointMm:
    x, y = np.mean(BOARD.regions[region], axis=0)
    return float(x), float(y)


def size(region: str) -> float:
    return float(np.ptp(np.array(BOARD.regions[region]), axis=0).min())


def cross(region: str) -> Iterator[list[PointMm]]:
    """Two lines, not quite straight and not quite to the corners."""
    (x, y), reach = middle(region), 0.4 * size(region)
    yield [(x - reach, y - reach * 0.9), (x + 0.3, y - 0.2), (x + reach, y + reach)]
    yield [(x + reach * 0.9, y - reach), (x - reach, y + reach * 0.8)]


def ring(region: str) -> Iterator[list[PointMm]]:
    (x, y), radius = middle(region), 0.6 * size(region)
    turns = [2 * math.pi * step / 20 for step in range(22)]
    yield [(x + radius * math.cos(turn) * 1.1, y + radius * math.sin(turn)) for turn in turns]


def follow(drawn: Drawn, lines: Iterator[list[PointMm]]) -> None:
    """As a finger moves: every line comes in pieces, each beginning where the last one ended."""
    for line in lines:
        for begin in range(0, len(line) - 1, 2):
            drawn.sim.stroke("city-2", line[begin : begin + 3])
            drawn.clock.go(0.05)


def test_a_cross_in_a_cell_is_read_as_marked_and_a_ring_around_a_value_as_circled(drawn: Drawn) -> None:
    follow(drawn, cross("r4c5"))
    follow(drawn, ring("row.2.high"))
    assert drawn.read() == {"r4c5": "marked", "row.2.high": "circled"}


def test_pieces_that_go_on_where_the_last_one_ended_are_one_line(drawn: Drawn) -> None:
    follow(drawn, ring("row.2.high"))
    [stroke] = drawn.sim.state.strokes
    assert stroke.points_mm == tuple(*ring("row.2.high"))


def test_a_hand_is_there_while_somebody_draws_and_gone_soon_after(drawn: Drawn) -> None:
    drawn.sim.stroke("city-2", [(50.0, 50.0), (60.0, 55.0)])
    [hand] = drawn.sim.state.hands
    assert hand.at_mm == (60.0, 55.0)
    assert hand.there(drawn.clock())
    assert not hand.there(drawn.clock() + 1.1 * LEAVING_S)


def test_an_eraser_wipes_lines_and_marks_where_it_passes_and_nowhere_else(drawn: Drawn) -> None:
    for region in ("r4c5", "r4c8"):
        follow(drawn, cross(region))
    drawn.sim.draw("city-2", [("r2c2", "fill"), ("r2c6", "fill")], mark_s=0.0)
    drawn.sim.erase("city-2", [middle("r4c5")], radius_mm=8.0)
    drawn.sim.erase("city-2", [middle("r2c2")], radius_mm=3.0)
    assert drawn.read() == {"r4c8": "marked", "r2c6": "marked"}


@pytest.mark.parametrize("regions", [["r4c5"], None])
def test_wiping_regions_wipes_what_was_drawn_free_hand_too(drawn: Drawn, regions: Sequence[str] | None) -> None:
    follow(drawn, cross("r4c5"))
    drawn.sim.wipe("city-2", regions)
    assert drawn.sim.state.strokes == ()


def test_an_eraser_cuts_a_line_in_two(drawn: Drawn) -> None:
    drawn.sim.stroke("city-2", [(20.0, 40.0), (100.0, 40.0)])
    drawn.sim.erase("city-2", [(60.0, 30.0), (60.0, 50.0)], radius_mm=5.0)
    ends = [(stroke.points_mm[0], stroke.points_mm[-1]) for stroke in drawn.sim.state.strokes]
    assert [end[0][0] for end in ends] == [20.0, pytest.approx(65.0, abs=2.6)]
    assert [end[1][0] for end in ends] == [pytest.approx(55.0, abs=2.6), 100.0]


def test_ink_has_a_limit_and_a_line_has_points(drawn: Drawn) -> None:
    with pytest.raises(ValueError, match="points"):
        drawn.sim.stroke("city-2", [])
    with pytest.raises(ValueError, match="points"):
        drawn.sim.erase("city-2", [])
    many = [(float(n % 100), float(n % 90)) for n in range(30_000)]
    drawn.sim.stroke("city-2", many)
    with pytest.raises(ValueError, match="too much ink"):
        drawn.sim.stroke("city-2", many)
    assert len(drawn.sim.state.strokes) == 1
