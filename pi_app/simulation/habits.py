"""How bots behave at the simulated table, and what came of it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Habits:
    """How bots draw, and how careless they are; chances are per move."""

    mark_s: float = 0.4
    care: float = 0.7
    slip: float = 0.0
    """To draw where nothing belongs, put a piece on a wrong place, or knock one over."""
    forget: float = 0.0
    """To leave a mark that follows from a move undone until later."""
    lamp: float = 0.0
    """To switch the lamp."""
    lean: float = 0.0
    """To hold a hand over somebody else's board."""
    clutter: float = 0.0
    """To put something down beside the boards, or for a moment across a board's corner."""


@dataclass
class Tally:
    """What came of the moves that bots made."""

    moves: int = 0
    """Those that are in the record."""
    asked: int = 0
    mismatches: int = 0
    """Moves made as the rules want, and refused all the same."""
    again: int = 0
    """Moves that had to be drawn or laid a second time."""
    by_hand: int = 0
    wrong: int = 0
    """Moves that the record tells otherwise than they were made."""
    slips: int = 0
    caught: int = 0
    """Slips that the table pointed out, or asked about."""
    notes: list[str] = field(default_factory=list)
