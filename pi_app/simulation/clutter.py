"""What people leave lying about on the simulated table."""

import math
import random

from hardware.sim.state import HQ, SimBoard, ThingKind
from hardware.sim.table import SimTable

KINDS: tuple[ThingKind, ...] = ("pen", "marker", "token", "phone", "mug")
ON_CORNER = 0.4
"""How often something is put down across a corner of a board instead of beside the boards."""
# Between the boards on both sides, where there is room, and where a board's corners are from its middle.
BESIDE_MM, BESIDE_SPREAD_MM = ((300.0, 0.0), (-300.0, 0.0)), (90.0, 15.0)
CORNER_MM, HQ_CORNER_MM, CORNER_SPREAD_MM = (128.0, 94.0), (86.0, 86.0), 14.0
MOMENT_S, WHILE_S = (1.0, 3.0), (5.0, 40.0)


def lay_something(sim: SimTable, rng: random.Random) -> None:
    """Puts something down that goes again by itself: soon if it lies on a board."""
    kind, turn = rng.choice(KINDS), rng.uniform(0.0, 360.0)
    if rng.random() < ON_CORNER:
        x, y = _corner(rng.choice(sim.state.boards), rng)
        sim.lay(kind, x, y, turn, rng.uniform(*MOMENT_S))
        return
    (x, y), (along, across) = rng.choice(BESIDE_MM), BESIDE_SPREAD_MM
    # What is long lies along the gap.
    lying = rng.uniform(-15.0, 15.0) + (90.0 if kind == "phone" else 0.0)
    sim.lay(kind, x + rng.uniform(-along, along), y + rng.uniform(-across, across), lying, rng.uniform(*WHILE_S))


def _corner(board: SimBoard, rng: random.Random) -> tuple[float, float]:
    corner = HQ_CORNER_MM if board.id == HQ else CORNER_MM
    out, down = (rng.choice((-1, 1)) * half + rng.uniform(-CORNER_SPREAD_MM, CORNER_SPREAD_MM) for half in corner)
    turn = math.radians(board.turn_deg)
    x = out * math.cos(turn) - down * math.sin(turn)
    y = out * math.sin(turn) + down * math.cos(turn)
    return board.x_mm + x, board.y_mm + y
