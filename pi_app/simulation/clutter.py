"""What people leave lying about on the simulated table."""

import math
import random
from collections.abc import Iterator
from itertools import product

from hardware.sim.state import PointMm, SimBoard, ThingKind
from hardware.sim.table import SimTable

HALVES_MM: dict[ThingKind, tuple[float, float]] = {
    "pen": (75.0, 5.0),
    "marker": (69.0, 8.0),
    "token": (12.0, 8.0),
    "phone": (37.0, 74.0),
    "mug": (73.0, 42.0),
}
"""Half of how long and wide they are; a mug with its handle."""
ON_CORNER = 0.4
"""How often something is put down across a corner of a board instead of beside the boards."""
APART_MM = 6.0
TRIES = 200
"""So many places are looked at for one beside the boards."""
INSIDE_MM, CORNER_SPREAD_MM = 4.0, 14.0  # how far inside a board its corners are covered
MOMENT_S, WHILE_S = (1.0, 3.0), (5.0, 40.0)


def lay_something(sim: SimTable, rng: random.Random) -> None:
    """Puts something down that goes again by itself: soon if it lies on a board."""
    kind, turn = rng.choice(tuple(HALVES_MM)), rng.uniform(0.0, 360.0)
    if rng.random() < ON_CORNER:
        x, y = _corner(rng.choice(sim.state.boards), rng)
        sim.lay(kind, x, y, turn, rng.uniform(*MOMENT_S))
        return
    for _ in range(TRIES):
        at = _among(sim.state.boards, rng)
        if not any(_on(board, point) for point in footprint(kind, at, turn) for board in sim.state.boards):
            sim.lay(kind, *at, turn, rng.uniform(*WHILE_S))
            return


def footprint(kind: ThingKind, at: PointMm, turn_deg: float) -> Iterator[PointMm]:
    """Points all over the spot that a thing covers."""
    shares = (-1.0, -0.5, 0.0, 0.5, 1.0)
    along, across = HALVES_MM[kind]
    for x, y in product(shares, shares):
        yield _turned((x * along, y * across), turn_deg, at)


def _among(boards: tuple[SimBoard, ...], rng: random.Random) -> PointMm:
    xs, ys = [board.x_mm for board in boards], [board.y_mm for board in boards]
    return rng.uniform(min(xs), max(xs)), rng.uniform(min(ys), max(ys))


def _on(board: SimBoard, point: PointMm) -> bool:
    """Whether a point of the table is on a board, or nearly."""
    x, y = _turned((point[0] - board.x_mm, point[1] - board.y_mm), -board.turn_deg)
    return abs(x) < board.width_mm / 2 + APART_MM and abs(y) < board.height_mm / 2 + APART_MM


def _corner(board: SimBoard, rng: random.Random) -> PointMm:
    halves = board.width_mm / 2 - INSIDE_MM, board.height_mm / 2 - INSIDE_MM
    out, down = (rng.choice((-1, 1)) * half + rng.uniform(-CORNER_SPREAD_MM, CORNER_SPREAD_MM) for half in halves)
    return _turned((out, down), board.turn_deg, (board.x_mm, board.y_mm))


def _turned(point: PointMm, turn_deg: float, origin: PointMm = (0.0, 0.0)) -> PointMm:
    (x, y), turn = point, math.radians(turn_deg)
    return origin[0] + x * math.cos(turn) - y * math.sin(turn), origin[1] + x * math.sin(turn) + y * math.cos(turn)
