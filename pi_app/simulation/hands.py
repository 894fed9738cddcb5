"""What hands do at the simulated table so that surfaces show what they should: they draw, lay pieces and roll dice."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hardware.sim.state import InkKind, PointMm, SimDie, SimPiece
from hardware.sim.table import PieceFace, SimTable
from pi_app.engine.contract import Game, Setup, Surface
from pi_app.engine.events import Record
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, dice_values, kind_of, pieces_of
from vision.catalogue import OPEN, UP
from vision.layout import CARDS, PIECES, Layout

STYLES: tuple[InkKind, ...] = ("cross", "scribble", "fill")
"""How each seat likes to mark something."""
DRAWN: Mapping[str, InkKind] = {"circled": "circle", "crossed": "cross"}
"""How everybody draws what is to be seen as these kinds."""
APART = 1.25
"""Pieces stand so far from each other, counted in their widths."""
OVERHANG_MM = 2.0
"""What finds no room on its region may reach beyond it so far."""
FANNED_MM = 16.0
"""Cards that lie on one place leave so much open of the one below."""


class Hands:
    """Acts at once: that a hand is seen meanwhile, and how long it takes, is up to who has these hands."""

    def __init__(self, sim: SimTable, layout: Layout, surfaces: Iterable[Surface]) -> None:
        self._sim, self._layout = sim, layout
        self._pools = {surface.id: surface.pools for surface in surfaces}

    # --- ink ----------------------------------------------------------------------------------

    def inked(self, surface: str) -> set[str]:
        """The regions that somebody has drawn on."""
        return {ink.region for ink in self._sim.state.inks if ink.board == surface and ink.left == 1.0}

    def draw(self, surface: str, marks: Mapping[str, str], seat: int, mark_s: float, care: float) -> None:
        inks = [(region, DRAWN.get(kind) or STYLES[seat % len(STYLES)]) for region, kind in marks.items()]
        self._sim.draw(surface, inks, mark_s, care)

    # --- pieces and dice ----------------------------------------------------------------------

    def lying(self, surface: str) -> dict[str, str]:
        """What lies on the regions of a surface; those with nothing are left out."""
        told: dict[str, list[str]] = {}
        for die in self._sim.state.dice:
            if die.at is not None and die.at[0] == surface:
                told.setdefault(die.at[1], []).append(str(die.value))
        kinds = self._layout.catalogue.kinds
        members = {member: pool for pool, of in self._pools.get(surface, {}).items() for member in of}
        for piece in self._sim.state.pieces:
            if piece.at[0] == surface:
                told.setdefault(members.get(piece.at[1], piece.at[1]), []).append(kinds[piece.kind].told(piece.face))
        return {region: kind_of(pieces) for region, pieces in told.items()}

    def may_lie(self, surface: str, region: str, piece: str, beside: int) -> bool:
        """Whether a piece, by what is told of it, has a place on a region beside so many others."""
        members = self._pools.get(surface, {}).get(region, (region,))
        if members[0] in self._layout.board(surface).dice_regions:
            return piece.isdecimal()
        held = self._layout.catalogue.held(surface, members[0])
        belongs = any(piece in (kind.id, *kind.faces) for kind in held)
        return belongs and beside < sum(self._layout.catalogue.most(surface, member) for member in members)

    def held(self, surface: str, region: str) -> list[str]:
        """The pieces that have a place on a region, by what is told of them."""
        members = self._pools.get(surface, {}).get(region, (region,))
        return [kind.told(face) for kind in self._layout.catalogue.held(surface, members[0]) for face in kind.shown]

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

    def throws(self, surface: str, region: str) -> bool:
        """Whether luck's dice are thrown onto a region, where they stay."""
        return region in self._layout.board(surface).dice_regions

    def throw(self, surface: str, region: str, values: Sequence[int]) -> None:
        self._sim.throw(values, (surface, region))

    def arrange(self, surface: str, wanted: Mapping[str, str], aside: bool = False) -> None:
        """Brings regions to what they should show: pieces, and dice that lie too many, loose or in hand.

        Dice that are left over are taken in hand, or laid `aside`.
        """
        pools, dice = self._pools.get(surface, {}), {}
        for region, kind in wanted.items():
            if region in pools:
                self._lay_on_any(surface, pools[region], kind)
            elif region in self._layout.board(surface).piece_regions:
                self._lay(surface, region, kind)
            else:
                dice[region] = kind
        self._arrange_dice(surface, dice, aside)

    def _lay(self, surface: str, region: str, kind: str) -> None:
        if kind == OTHER:
            return
        held = self._layout.catalogue.held(surface, region)
        wanted: list[PieceFace] = []
        for told in pieces_of(kind):
            named = next((piece for piece in held if piece.id == told), None)
            # Its board shows a piece that lies open: nobody has to lay it.
            if named is not None or told != OPEN:
                wanted.append((held[0].id, told) if named is None else (told, UP))
        self.lay(surface, region, wanted)

    def lay(self, surface: str, region: str, wanted: Sequence[PieceFace]) -> None:
        """Brings a region to these pieces, with these faces up."""
        catalogue = self._layout.catalogue
        together = catalogue.most(surface, region) > 1 and all(k.lies for k in catalogue.held(surface, region))
        if self._layout.board(surface).readers.get(region) == PIECES and together:
            self._sim.lay_pieces((surface, region), wanted, self._beside(surface, region), turned=False)
            return
        turned = self._layout.board(surface).readers.get(region) == PIECES
        self._sim.lay_pieces((surface, region), wanted, self._spots(surface, region), turned)

    def _beside(self, surface: str, region: str) -> Callable[[str, Sequence[SimPiece]], PointMm]:
        """Flat pieces of which several have to find room on a region: as far as they can, none lies on another."""
        kinds = self._layout.catalogue.kinds
        outline = self._layout.board(surface).regions[region]
        size = [max(axis) - min(axis) for axis in zip(*outline, strict=True)]

        def free(kind: str, there: Sequence[SimPiece]) -> PointMm:
            own = kinds[kind].size_mm
            # From corner to corner, a little beyond the edge at most.
            reach = [max(0.0, (size[n] - own[n]) / 2 + OVERHANG_MM) for n in (0, 1)]
            spots = [(x * reach[0], y * reach[1]) for y in (-1, 1, 0) for x in (-1, 1, 0)]

            def room(spot: PointMm) -> float:
                """How far apart it is there from the nearest; below 0 they overlap."""
                gaps = (
                    max(abs(spot[n] - one.spot_mm[n]) - (own[n] + kinds[one.kind].size_mm[n]) / 2 for n in (0, 1))
                    for one in there
                )
                return min(gaps, default=0.0)

            return next((spot for spot in spots if room(spot) >= 0), max(spots, key=room))

        return free

    def _lay_on_any(self, surface: str, members: Sequence[str], kind: str) -> None:
        """One piece on each of these regions: those that are right stay where they are."""
        if kind == OTHER:
            return
        lacking, there = Counter(pieces_of(kind)), self.lying_in(surface, members)
        free = []
        for member in members:
            if lacking[there[member]] > 0:
                lacking[there[member]] -= 1
            else:
                free.append(member)
        for member, piece in zip(free, [*lacking.elements(), *[EMPTY] * len(free)], strict=False):
            self._lay(surface, member, piece)

    def lying_in(self, surface: str, regions: Sequence[str]) -> dict[str, str]:
        """What lies on each of these regions."""
        return {
            region: kind_of(piece.kind for piece in self._sim.state.pieces if piece.at == (surface, region))
            for region in regions
        }

    def _spots(self, surface: str, region: str) -> list[PointMm]:
        """Where pieces are put on a region, from its middle: in rows, the middle first where there is one row; cards
        one over the other."""
        if self._layout.board(surface).readers.get(region) == CARDS:
            return [(FANNED_MM * n, 0.0) for n in range(self._layout.catalogue.most(surface, region))]
        outline = self._layout.board(surface).regions[region]
        size = max((max(kind.size_mm[:2]) for kind in self._layout.catalogue.held(surface, region)), default=1.0)
        width, height = (max(axis) - min(axis) for axis in zip(*outline, strict=True))
        most = self._layout.catalogue.most(surface, region)
        across = max(1, min(most, int(width / (APART * size))))
        down = max(1, min(-(-most // across), int(height / (APART * size))))
        return [
            (width * ((column + 0.5) / across - 0.5), height * ((row + 0.5) / down - 0.5))
            for row in range(down)
            for column in range(across)
        ]

    def _arrange_dice(self, surface: str, wanted: Mapping[str, str], aside: bool) -> None:
        """Where what lies beside matters, loose dice are taken, too."""
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
                    self.arrange(at, laid_down(trace[at]))
            state = game.apply(state, event)
        for surface in surfaces:
            shown = game.expected_sight(state, surface.id)
            if surface.pieces:  # what follows from moves; dice lie where moves have put them
                dice = (BESIDE, *self._layout.board(surface.id).dice_regions)
                self.arrange(surface.id, {region: kind for region, kind in shown.items() if region not in dice})
                continue
            marks = {region: kind for region, kind in shown.items() if kind not in (EMPTY, OTHER)}
            self.draw(surface.id, marks, surface.owner or 0, 0.0, 0.6)


def laid_down(part: Mapping[str, str], forgotten: str | None = None) -> dict[str, str]:
    """What hands lay for a move; where anything may lie afterwards, what lay there is taken away."""
    return {region: EMPTY if kind == OTHER else kind for region, kind in part.items() if region != forgotten}
