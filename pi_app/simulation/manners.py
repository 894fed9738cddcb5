"""How bots behave at the simulated table, what they mean, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pi_app.engine.events import Event, to_json


@dataclass(frozen=True)
class Manners:
    """How the bots behave; chances are per move."""

    mark_s: float = 0.4
    care: float = 0.7
    slip: float = 0.0
    """To draw a wrong shape, put a die on a wrong section, or knock one over."""
    forget: float = 0.0
    """To leave a circle or a cross undone until later."""
    lamp: float = 0.0
    """To switch the lamp."""
    lean: float = 0.0
    """To hold a hand over somebody else's board."""
    clutter: float = 0.0
    """To put something down beside the boards, or for a moment across a board's corner."""


@dataclass(frozen=True)
class Meant:
    """A move with its die as people know it: by value and section. The table numbers dice as they lie."""

    move: Event
    value: int | None = None
    section: int | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    """What is drawn for it."""

    def told(self, dice: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The move in the table's own numbers."""
        told = to_json(self.move)
        same = [
            die["die"]
            for die in dice
            if die["value"] == self.value and die["taken_by"] is None and (die["section"] or 0) == self.section
        ]
        return {**told, "die": same[0]} if same and "die" in told else told

    def among(self, candidates: Sequence[Mapping[str, Any]], dice: Sequence[Mapping[str, Any]]) -> int | None:
        """Which of the table's candidates it is; dice of a roll may come in any order."""
        told = _in_any_order(self.told(dice))
        return next((n for n, candidate in enumerate(candidates) if _in_any_order(candidate) == told), None)


def _in_any_order(told: Mapping[str, Any]) -> dict[str, Any]:
    return {**told, "values": sorted(told["values"])} if "values" in told else dict(told)


@dataclass
class Tally:
    """What came of the moves of an evening."""

    moves: int = 0
    asked: int = 0
    mismatches: int = 0
    """Moves made as the rules want, and refused all the same."""
    again: int = 0
    """Moves that had to be drawn or laid a second time."""
    by_hand: int = 0
    slips: int = 0
    caught: int = 0
    """Slips that the table pointed out."""
    notes: list[str] = field(default_factory=list)
