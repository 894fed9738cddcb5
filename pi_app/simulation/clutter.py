"""What people leave lying about on the simulated table."""

import math
import random

from hardware.sim.state import SimBoard, ThingKind
from hardware.sim.table import SEAT_MM, SimTable

KINDS: tuple[ThingKind, ...] = ("pen", "marker", "token", "phone", "mug")
ON_CORNER = 0.4
"""How often something is put down across a corner of a board instead of beside the boards."""
# Between the boards on both sides, where there is room, and how far inside a board its corners are covered.
BESIDE_SPREAD_MM = (90.0, 15.0)
INSIDE_MM, CORNER_SPREAD_MM = 4.0, 14.0
MOMENT_S, WHILE_S = (1.0, 3.0), (5.0, 40.0)


def lay_something(sim: SimTable, rng: random.Random) -> None:
    """Puts something down that goes again by itself: soon if it lies on a board."""
    kind, turn = rng.choice(KINDS), rng.uniform(0.0, 360.0)
    if rng.random() < ON_CORNER:
        x, y = _corner(rng.choice(sim.state.boards), rng)
        sim.lay(kind, x, y, turn, rng.uniform(*MOMENT_S))
        return
    x, (along, across) = rng.choice((SEAT_MM[0], -SEAT_MM[0])), BESIDE_SPREAD_MM
    # What is long lies along the gap.
    lying = rng.uniform(-15.0, 15.0) + (90.0 if kind == "phone" else 0.0)
    sim.lay(kind, x + rng.uniform(-along, along), rng.uniform(-across, across), lying, rng.uniform(*WHILE_S))


def _corner(board: SimBoard, rng: random.Random) -> tuple[float, float]:
    halves = board.width_mm / 2 - INSIDE_MM, board.height_mm / 2 - INSIDE_MM
    out, down = (rng.choice((-1, 1)) * half + rng.uniform(-CORNER_SPREAD_MM, CORNER_SPREAD_MM) for half in halves)
    turn = math.radians(board.turn_deg)
    x = out * math.cos(turn) - down * math.sin(turn)
    y = out * math.sin(turn) + down * math.cos(turn)
    return board.x_mm + x, board.y_mm + y
