"""Legal moves as sequences that can be counted, indexed and searched without being listed.

A tagger with five dice and a drone has thousands of moves. Where a shape fits is one mask per
orientation; counting is counting bits, and only moves that somebody looks at are built.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from pi_app.engine.contract import IllegalMove
from pi_app.engine.events import Event
from pi_app.engine.moves import Lazy
from pi_app.games.tag_city.rules.model import FACES, DiceRolled, Printed, ShapePainted, SocialChecked
from pi_app.games.tag_city.rules.shapes import Fits


class Rolls(Lazy):
    """Every way that `count` dice can fall."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        count: int = len(FACES) ** self._count
        return count

    def at(self, index: int) -> Event:
        values = []
        for _ in range(self._count):
            index, face = divmod(index, len(FACES))
            values.append(FACES[face])
        return DiceRolled(tuple(values))


class TaggerMoves(Lazy):
    """What one tagger may do: paint with a die, use the drone with it, or check social networks.

    In this order: every die with its own shape; every die, drone square and shape on the HQ;
    every die and bubble.
    """

    def __init__(
        self,
        printed: Printed,
        player: int,
        painted: int,
        dice: Sequence[tuple[int, int]],
        slots: Sequence[int],
        bubbles: Sequence[int | None],
        judge: Callable[[Event], None],
    ) -> None:
        """`dice` are (die, its section), `slots` the drone squares that may be circled now."""
        self._player, self._bubbles, self._judge = player, bubbles, judge
        self._dice = [die for die, _ in dice]
        self._any = printed.fitter.fits(printed.city & ~painted)
        self._own = [self._any[section - 1] for _, section in dice]
        # A way to use the drone is a die to take and a square of the remote to circle.
        self._drones = [(die, slot) for die, _ in dice for slot in slots]
        self._own_count = sum([fit.count for fit in self._own])
        self._any_count = self._any.count

    def __len__(self) -> int:
        return self._own_count + len(self._drones) * self._any_count + len(self._dice) * len(self._bubbles)

    def at(self, index: int) -> Event:
        if index < self._own_count:
            die, fits, index = _locate(self._own, index)
            return self._paint(self._dice[die], fits, fits.mask_at(index), None)
        index -= self._own_count
        if index < len(self._drones) * self._any_count:
            way, index = divmod(index, self._any_count)
            _, fits, index = _locate(self._any, index)
            return self._paint(self._drones[way][0], fits, fits.mask_at(index), self._drones[way][1])
        index -= len(self._drones) * self._any_count
        die, bubble = divmod(index, len(self._bubbles))
        return SocialChecked(self._player, self._dice[die], self._bubbles[bubble])

    def __iter__(self) -> Iterator[Event]:
        for die, fits in zip(self._dice, self._own, strict=True):
            for mask in fits.masks():
                yield self._paint(die, fits, mask, None)
        for die, slot in self._drones:
            for fits in self._any:
                for mask in fits.masks():
                    yield self._paint(die, fits, mask, slot)
        for die in self._dice:
            for bubble in self._bubbles:
                yield SocialChecked(self._player, die, bubble)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, ShapePainted | SocialChecked) or move.player != self._player:
            return False
        try:
            self._judge(move)
        except IllegalMove:
            return False
        return True

    def _paint(self, die: int, fits: Fits, mask: int, slot: int | None) -> ShapePainted:
        return ShapePainted(self._player, die, fits.shape.id, fits.shape.placements[mask], slot)


def _locate(fits: Iterable[Fits], index: int) -> tuple[int, Fits, int]:
    """The entry of `fits` in which the index-th placement lies, and which one it is there."""
    for number, fit in enumerate(fits):
        if index < fit.count:
            return number, fit, index
        index -= fit.count
    raise IndexError(index)
