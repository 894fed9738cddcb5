"""Which pictures of an evening are worth their bytes. The last ones wait in memory for something to happen."""

from collections import deque
from dataclasses import dataclass

from hardware.ports import Picture
from pi_app.table.inputs import Command, Pressed, Step

MEMORY = 64_000_000
"""Bytes for the pictures that wait."""
LONGEST_RUN, SHORTEST_RUN = 4, 2
AROUND = 2
"""So many pictures tell what led to a moment."""
CORRECTIONS = frozenset({"undo", "redo", "correct", "adopt"})


@dataclass(frozen=True, eq=False)
class Held:
    """A picture by its number, and whether the reader started afresh with it."""

    number: int
    bgr: Picture
    afresh: bool


class Moments:
    """Belongs to the thread that writes."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Nothing has happened yet."""
        self._held: deque[Held] = deque()
        self._before = Step(Command(""))

    def hold(self, picture: Held) -> None:
        """The picture that was read last."""
        self._held.append(picture)
        while len(self._held) > 2 * run_length(picture.bgr):
            self._held.popleft()

    def miss(self) -> None:
        """A picture got lost: those before it cannot be read again together with those after it."""
        self._held.clear()

    def happened(self, step: Step) -> tuple[bool, bool]:
        """Whether people will want to see this moment, and whether it is a new mismatch."""
        before, self._before = self._before, step
        wrong = bool(step.wrong) and not before.wrong
        asked = step.asked is not None and before.asked is None
        return wrong or asked or _corrects(step), wrong

    def last(self) -> list[Held]:
        """What led to this moment, to look at."""
        return list(self._held)[-AROUND:]

    def run(self) -> list[Held]:
        """What led to this moment, to be read again: from a picture on with which the reader started afresh."""
        held = list(self._held)
        starts = [at for at, picture in enumerate(held[: 1 - AROUND]) if picture.afresh]
        return held[starts[-1] :] if starts else held


def run_length(bgr: Picture) -> int:
    """After so many pictures the reader should start afresh, so that two runs can wait in memory."""
    return max(SHORTEST_RUN, min(LONGEST_RUN, MEMORY // (2 * bgr.nbytes)))


def _corrects(step: Step) -> bool:
    """Whether somebody put the record right."""
    item = step.input
    name = item.name if isinstance(item, Command) else item.button if isinstance(item, Pressed) else ""
    return name in CORRECTIONS
