"""What hands do at the simulated table so that surfaces show what they should: they draw, and put and roll dice."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hardware.sim.state import InkKind, SimDie
from hardware.sim.table import SimTable
from pi_app.engine.contract import Game, Setup
from pi_app.engine.events import Record
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_kind, dice_values

STYLES: tuple[InkKind, ...] = ("cross", "scribble", "fill")
"""How each seat likes to mark something."""
DRAWN: Mapping[str, InkKind] = {"circled": "circle", "crossed": "cross"}
"""How everybody draws what is to be seen as these kinds."""


class Hands:
    """Acts at once: that a hand is seen meanwhile, and how long it takes, is up to who has these hands."""

    def __init__(self, sim: SimTable) -> None:
        self._sim = sim

    # --- ink ----------------------------------------------------------------------------------

    def inked(self, surface: str) -> set[str]:
        """The regions that somebody has drawn on."""
        return {ink.region for ink in self._sim.state.inks if ink.board == surface and ink.left == 1.0}

    def draw(self, surface: str, marks: Mapping[str, str], seat: int, mark_s: float, care: float) -> None:
        inks = [(region, DRAWN.get(kind) or STYLES[seat % len(STYLES)]) for region, kind in marks.items()]
        self._sim.draw(surface, inks, mark_s, care)

    # --- dice ---------------------------------------------------------------------------------

    def dice(self, surface: str) -> dict[str, str]:
        """What lies on the regions of a surface; those with nothing are left out."""
        values: dict[str, list[int]] = {}
        for die in self._sim.state.dice:
            if die.at is not None and die.at[0] == surface:
                values.setdefault(die.at[1], []).append(die.value)
        return {region: dice_kind(lying) for region, lying in values.items()}

    def roll(self, values: Sequence[int] | int, expected: Mapping[str, Mapping[str, str]]) -> tuple[int, ...]:
        """Rolls so many dice, or to these values; those that are `expected` to lie somewhere stay there."""
        keep = [
            die.number
            for die in self._sim.state.dice
            if die.at is not None and expected.get(die.at[0], {}).get(die.at[1], EMPTY) != EMPTY
        ]
        if isinstance(values, int):
            return self._sim.roll(values, keep=keep)
        return self._sim.roll(len(values), values, keep)

    def arrange(self, surface: str, wanted: Mapping[str, str], aside: bool = False) -> None:
        """Brings regions to the dice that they should show, with dice that lie too many, loose or in hand.

        What is left over is taken in hand, or laid `aside`. Where what lies beside matters, loose dice are taken, too.
        """
        spare: list[SimDie] = []
        missing: list[tuple[int, str]] = []
        for region, kind in wanted.items():
            if region == BESIDE or kind == OTHER:
                continue
            lacking = Counter(dice_values(kind))
            for die in (die for die in self._sim.state.dice if die.at == (surface, region)):
                if lacking[die.value] > 0:
                    lacking[die.value] -= 1
                else:
                    spare.append(die)
            missing += [(value, region) for value in lacking.elements()]
        for value, region in missing:
            loose = [die for die in self._sim.state.dice if die.at is None]
            same = next((die for die in (*spare, *loose) if die.value == value), None)
            if same is not None:
                self._sim.put(same.number, (surface, region))
                spare = [die for die in spare if die is not same]
                continue
            if spare or not self._sim.state.taken:  # any other is turned to this value in the hand
                other = next(iter((*spare, *loose)), None)
                if other is not None:
                    self._sim.take(other.number)
                    spare = [die for die in spare if die is not other]
            self._sim.bring(value, (surface, region))
        if BESIDE in wanted:
            spare += [die for die in self._sim.state.dice if die.at is None]
        for die in spare:
            if aside and BESIDE not in wanted:
                self._sim.put(die.number, None)
            else:
                self._sim.take(die.number)

    # --- all of it ----------------------------------------------------------------------------

    def lay_out(self, game: Game[Any], setup: Setup, records: Iterable[Record]) -> None:
        """Lays a clean table out as it looks after these records."""
        state, surfaces = game.start(setup), game.surfaces(setup)
        for surface in surfaces:
            if surface.pieces:
                self.arrange(surface.id, game.expected_sight(state, surface.id))
        for event in (record.event for record in records):
            trace = game.trace(state, event) if game.is_move(event) else {}
            expected = {surface.id: game.expected_sight(state, surface.id) for surface in surfaces if surface.pieces}
            for at in expected.keys() & trace.keys():
                if BESIDE in trace[at]:
                    self.roll(dice_values(trace[at][BESIDE]), expected)
                else:
                    self.arrange(at, trace[at])
            state = game.apply(state, event)
        for surface in surfaces:
            if not surface.pieces:
                shown = game.expected_sight(state, surface.id).items()
                marks = {region: kind for region, kind in shown if kind not in (EMPTY, OTHER)}
                self.draw(surface.id, marks, surface.owner or 0, 0.0, 0.6)
