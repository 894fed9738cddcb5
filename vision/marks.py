"""What is drawn in every region of a board, with how sure that is.

A small network (made by `tools/marks`) looks at what changed since the board was clean and says how likely
that look is for each thing that may be there; a tiny one settles the many plain cases before, and another weighs the
regions of a board together. They never see the rules: what makes sense in the game is for others to weigh, with
the likelihoods given here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from vision.change import Change
from vision.markers import Floats
from vision.networks import network
from vision.regions import Grid, Mask, Regions
from vision.together import ANSWERS, TRAITS, features, traits

KINDS = ("empty", "circled", "crossed", "marked")
"""What a region may hold. A square of the city, however it is marked, is `marked`."""

SURE = 0.95
"""Below this confidence the answer is `unsure`."""

_HIDDEN = len(KINDS)  # the network's last answer: this is no board at all, or nothing can be seen of it
_SETTLED = 0.99  # a glance this sure needs no second look
_CLEAR = 0.99999  # a look this sure is not doubted for the company of other regions


@dataclass(frozen=True, eq=False)
class _Sort:
    """A sort of region: what may be read in it, and what the network's answers have to do with that.

    `prior` says how often each answer is met on boards in play (logarithms), `chances` which of them add up to a kind,
    `evidence` whose mean tells how well a kind explains the look.
    """

    kinds: tuple[str, ...]
    prior: Floats
    chances: Floats
    evidence: Floats


# At most a third of a city's squares are marked, filled and crossed ones about equally often; fewer of the boxes are.
_SQUARE = _Sort(
    ("empty", "marked"),
    np.log([0.70, 0.001, 0.12, 0.17, 0.01]),
    np.array([[1, 0], [0, 1], [0, 1], [0, 1], [0, 0]]),
    np.array([[1, 0], [0, 0], [0, 0.5], [0, 0.5], [0, 0]]),
)
_BOX = _Sort(KINDS, np.log([0.80, 0.09, 0.08, 0.02, 0.01]), np.eye(_HIDDEN + 1, _HIDDEN), np.eye(_HIDDEN + 1, _HIDDEN))


class RegionReading(NamedTuple):
    """A region as it was read.

    `likelihoods` tell by kind, as logarithms, how well it explains the look; the best is about 0.
    """

    kind: str
    confidence: float
    likelihoods: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Seen:
    """A board to be read: what changed since it was clean, and which regions are to be looked at.

    `before` are the rows of an earlier reading, for the others. `trust` is the chance that the board lies where it was
    looked at.
    """

    change: Change
    wanted: Mask
    before: Grid | None = None
    trust: float = 1.0


@dataclass(frozen=True, eq=False)
class BoardMarks:
    """A board as it was read: what is drawn in each region, and the rows to go on from next time."""

    marks: Mapping[str, RegionReading]
    rows: Grid


NOTHING_DRAWN = BoardMarks({}, np.zeros((0, ANSWERS + TRAITS), np.float32))


def read_marks(boards: Sequence[Seen]) -> list[BoardMarks]:
    """What is drawn on every board: each region looked at alone, then all of a board weighed together."""
    read = []
    for board, rows in zip(boards, look_over(boards), strict=True):
        regions, alone = board.change.regions, rows[:, :ANSWERS]
        likely = weighed(rows, regions.square, regions.nearness)
        # What nobody could doubt is not doubted for its company: a player may draw one mark unlike all the others.
        clear = _shares(alone, regions.square) >= _CLEAR
        likely[clear] = alone[clear]
        read.append(BoardMarks(_marks(regions, likely, board.trust), rows))
    return read


def look_over(boards: Sequence[Seen]) -> list[Grid]:
    """For every board a row for each region: how likely its look is as each kind, and its traits.

    The regions of all boards at once, because networks are quicker with many.
    """
    if not boards:
        return []
    ends = np.cumsum([board.wanted.sum() for board in boards])[:-1]

    def closer(doubtful: Mask) -> Grid:
        parts = zip(boards, np.split(doubtful, ends), strict=True)
        return np.concatenate([_inputs(board, doubted) for board, doubted in parts])

    glances = np.concatenate([board.change.glances(board.wanted) for board in boards])
    square = np.concatenate([board.change.regions.square[board.wanted] for board in boards])
    fresh = looked_over(glances, square, closer)
    return [_joined(board, rows) for board, rows in zip(boards, np.split(fresh, ends), strict=True)]


def looked_over(glances: Grid, square: Mask, closer: Callable[[Mask], Grid]) -> Grid:
    """The rows of regions by a glance at each and, by `closer`, another look at those that are doubtful then."""
    likely = _judged("marks_glance.onnx", glances)
    doubtful = _shares(likely, square) < _SETTLED
    likely[doubtful] = _judged("marks.onnx", closer(doubtful))
    return np.column_stack([likely, traits(glances)])


def weighed(rows: Grid, square: Mask, near: Floats) -> Grid:
    """The log-likelihoods of the regions of a board, each in the company of the others."""
    likely, alone = _judged("marks_together.onnx", features(rows, square, near)), rows[:, :ANSWERS]
    # Others tell what is drawn in a region, not whether anything can be seen of it.
    likely[:, :_HIDDEN] += _seen(alone) - _seen(likely)
    likely[:, _HIDDEN] = alone[:, _HIDDEN]
    return likely


def _inputs(board: Seen, doubtful: Mask) -> Grid:
    """A closer look at those of the wanted regions that are doubtful."""
    wanted = board.wanted.copy()
    wanted[wanted] = doubtful
    return board.change.inputs(wanted)


def _joined(board: Seen, fresh: Grid) -> Grid:
    rows = np.zeros((len(board.wanted), fresh.shape[1]), np.float32) if board.before is None else board.before.copy()
    rows[board.wanted] = fresh
    return rows


def _marks(regions: Regions, likely: Grid, trust: float) -> dict[str, RegionReading]:
    """The regions of one board by the networks' log-likelihoods, a row each."""
    squares, boxes = _rows(_SQUARE, likely[regions.square], trust), _rows(_BOX, likely[~regions.square], trust)
    return {
        name: next(squares if square else boxes)
        for name, square in zip(regions.names, regions.square.tolist(), strict=True)
    }


def _rows(sort: _Sort, likely: Grid, trust: float) -> Iterator[RegionReading]:
    chances = _raised(likely + sort.prior)
    chances = (chances / chances.sum(axis=1, keepdims=True) * trust) @ sort.chances
    shown = _raised(likely)
    # What cannot be seen may be anything, so no kind can be less likely than that nothing is seen.
    unseen = shown[:, _HIDDEN:] + (1 - trust) + 1e-6
    values = shown @ sort.evidence
    evidence = np.log((values + unseen) / (values.max(axis=1, keepdims=True, initial=0) + unseen))
    for share, row in zip(chances.tolist(), evidence.tolist(), strict=True):
        sure = max(share)
        kind = sort.kinds[share.index(sure)] if sure >= SURE else "unsure"
        yield RegionReading(kind, sure, dict(zip(sort.kinds, row, strict=True)))


def _seen(likely: Grid) -> Grid:
    return cast(Grid, np.logaddexp.reduce(likely[:, :_HIDDEN], axis=1, keepdims=True))


def _raised(likely: Grid | Floats) -> Floats:
    return np.asarray(np.exp(likely - likely.max(axis=1, keepdims=True, initial=-np.inf)), np.float64)


def _shares(likely: Grid, square: Mask) -> Floats:
    """How much of the likelihood has the likeliest kind; how a square is marked makes no difference."""
    shares = _raised(likely)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(
        np.where(square, (shares @ _SQUARE.chances).max(axis=1, initial=0), shares.max(axis=1, initial=0))
    )


def _judged(file: str, inputs: Grid) -> Grid:
    """For each region the log-likelihoods of its look: as each of KINDS, and as hidden."""
    if not len(inputs):
        return np.zeros((0, len(KINDS) + 1), np.float32)
    net = network(file)
    net.setInput(inputs)
    return cast(Grid, np.array(net.forward()))
