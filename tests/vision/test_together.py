"""The regions of a board judged together: what the others tell about one that is doubtful."""

import numpy as np

from vision.markers import Floats
from vision.marks import weighed
from vision.regions import Grid, Mask
from vision.together import ANSWERS, TRAITS

REGIONS, DRAWN = 96, 24
SQUARE: Mask = np.ones(REGIONS, bool)
EMPTY, FILLED = 0, 3


def board(pen: float, doubtful: float) -> Grid:
    """The rows of a board whose marks darken it by `pen`, with one more region that is darker by `doubtful`."""
    rows = np.zeros((REGIONS, ANSWERS + TRAITS), np.float32)
    darker = np.zeros(REGIONS, np.float32)
    darker[:DRAWN], darker[-1] = pen, doubtful
    darker += np.random.default_rng(1).normal(0, 0.01, REGIONS).astype(np.float32)
    rows[:, :ANSWERS] = -8
    rows[:DRAWN, FILLED] = rows[DRAWN:, EMPTY] = 0
    rows[-1, [EMPTY, FILLED]] = 0  # alone it may be either
    rows[:, ANSWERS : ANSWERS + 6] = -darker[:, None]
    rows[:, ANSWERS + 6 : ANSWERS + 9], rows[:, -1] = 0.8, 1
    return rows


def near() -> Floats:
    """Squares in rows of twelve."""
    places = np.stack(np.divmod(np.arange(REGIONS), 12), axis=1) / 1.3
    nearness = np.exp(-((places[:, None] - places[None]) ** 2).sum(axis=2) / 2)
    np.fill_diagonal(nearness, 0)
    return np.asarray(nearness, np.float64)


def ink(rows: Grid) -> float:
    """How much likelier than not the last region is marked."""
    answers = weighed(rows, SQUARE, near())[-1]
    return float(np.logaddexp.reduce(answers[1 : ANSWERS - 1]) - answers[EMPTY])


def test_company_does_not_uncover_what_is_hidden() -> None:
    rows = board(pen=0.6, doubtful=0.0)
    rows[-1, :ANSWERS] = (0, -1, -1, 0, 4)
    before, after = rows[-1, :ANSWERS], weighed(rows, SQUARE, near())[-1]
    hidden = [answers[-1] - np.logaddexp.reduce(answers[:-1]) for answers in (before, after)]
    assert abs(hidden[0] - hidden[1]) < 1e-3


def test_what_is_as_bright_as_all_that_is_empty_is_rather_empty() -> None:
    assert ink(board(pen=0.6, doubtful=0.0)) < ink(board(pen=0.6, doubtful=0.6)) - 1


def test_the_order_of_regions_does_not_matter() -> None:
    rows, order = board(0.5, 0.4), np.random.default_rng(2).permutation(REGIONS)
    shuffled = weighed(rows[order], SQUARE, near()[np.ix_(order, order)])
    assert np.abs(shuffled - weighed(rows, SQUARE, near())[order]).max() < 1e-3
