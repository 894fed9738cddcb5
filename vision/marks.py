"""What is drawn in every region of a board, with how sure that is.

A small network (made by `tools/marks`) looks at what changed since the board was clean and says how likely
that look is for each thing that may be there; a tiny one settles the many plain cases before. They never
see the rules: what makes sense in the game is for others to weigh, with the likelihoods given here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.looks import Change, Grid

KINDS = ("empty", "circled", "crossed", "marked")
"""What a region may hold. A square of the city, however it is marked, is `marked`."""

_HIDDEN = len(KINDS)  # the network's last answer: this is no board at all, or nothing can be seen of it
# How often each is met on boards in play: at most a third of a city's squares, fewer of the boxes.
_PRIOR_SQUARE = np.log([0.70, 0.001, 0.12, 0.17, 0.01])
_PRIOR_BOX = np.log([0.80, 0.09, 0.08, 0.02, 0.01])
_SURE = 0.96  # below this the answer is `unsure`
_SETTLED = 0.9995  # a glance this sure needs no second look


@dataclass(frozen=True)
class Mark:
    """A region as it was read.

    `likelihoods` tell by kind, as logarithms, how well it explains the look; the best is about 0.
    """

    kind: str
    confidence: float
    likelihoods: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Seen:
    """A board to be read: what changed since it was clean, and which regions are asked for.

    `trust` is the chance that the board lies where it was looked at.
    """

    change: Change
    wanted: NDArray[np.bool_]
    trust: float = 1.0

    @property
    def names(self) -> list[str]:
        return [name for name, wanted in zip(self.change.regions.names, self.wanted, strict=True) if wanted]


def read_marks(boards: Sequence[Seen]) -> list[dict[str, Mark]]:
    """The wanted regions of every board. All at once, because networks are quicker with many regions."""
    if not boards:
        return []
    glances = np.concatenate([board.change.glances(board.wanted) for board in boards])
    likely = _judged("marks_glance.onnx", glances)
    ends = np.cumsum([board.wanted.sum() for board in boards])[:-1]
    doubted = []
    for board, doubtful in zip(boards, np.split(_doubtful(likely), ends), strict=True):
        again = board.wanted.copy()
        again[again] = doubtful
        doubted.append(board.change.inputs(again))
    likely[_doubtful(likely)] = _judged("marks.onnx", np.concatenate(doubted))
    return [
        {name: _mark(name, row, board.trust) for name, row in zip(board.names, rows, strict=True)}
        for board, rows in zip(boards, np.split(likely, ends), strict=True)
    ]


def is_square(region: str) -> bool:
    """Squares of the city are named by row and column: r3c7."""
    return region[0] == "r" and region[1:2].isdigit()


def _mark(region: str, likely: Grid, trust: float) -> Mark:
    square = is_square(region)
    belief = likely + (_PRIOR_SQUARE if square else _PRIOR_BOX)
    chances = np.exp(belief - belief.max())
    chances *= trust / chances.sum()
    if square:
        by_kind = {"empty": float(chances[0]), "marked": float(chances[1:_HIDDEN].sum())}
    else:
        by_kind = dict(zip(KINDS, chances[:_HIDDEN].tolist(), strict=True))
    best = max(by_kind, key=lambda kind: by_kind[kind])
    kind = best if by_kind[best] >= _SURE else "unsure"
    return Mark(kind, by_kind[best], _likelihoods(likely, square, trust))


def _likelihoods(likely: Grid, square: bool, trust: float) -> dict[str, float]:
    """What cannot be seen may be anything, so no kind can be less likely than that nothing is seen."""
    shown = np.exp(likely - likely.max())
    if square:
        # Among marked squares, filled and crossed ones are met about equally.
        values = {"empty": float(shown[0]), "marked": float(shown[2:_HIDDEN].mean())}
    else:
        values = dict(zip(KINDS, shown[:_HIDDEN].tolist(), strict=True))
    unseen = float(shown[_HIDDEN]) + (1 - trust) + 1e-6
    most = max(values.values()) + unseen
    return {kind: float(np.log((value + unseen) / most)) for kind, value in values.items()}


def _doubtful(likely: Grid) -> NDArray[np.bool_]:
    """The regions that a glance does not settle."""
    chances = np.exp(likely - likely.max(axis=1, keepdims=True, initial=-np.inf))
    return cast(NDArray[np.bool_], chances.max(axis=1, initial=0) < _SETTLED * chances.sum(axis=1))


def _judged(network: str, inputs: Grid) -> Grid:
    """For each region the log-likelihoods of its look: as each of KINDS, and as hidden."""
    if not len(inputs):
        return np.zeros((0, len(KINDS) + 1), np.float32)
    net = _network(network)
    net.setInput(inputs)
    return cast(Grid, np.array(net.forward()))


@cache
def _network(name: str) -> Any:
    return cv2.dnn.readNetFromONNX(str(Path(__file__).with_name(name)))
