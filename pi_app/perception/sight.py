"""What is seen, over time: when a board may be read, and when its reading is settled.

Per surface: nothing is read while something moves or lies over it, and a reading
counts once several pictures in a row agree. Time is counted in pictures, never in seconds. What a settled
reading means is for others to say.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from pi_app.engine.contract import Message, Surface
from pi_app.engine.evidence import Looks, best_kind, likelihood, sure

ELSEWHERE = "table"
"""The table around the boards: where dice roll."""

AGREEING = 2
PATIENCE = 10
"""Something that lies over a board and has not moved for so many pictures may be no hand at all: look closer."""
PIECES_PATIENCE = 30
"""The same where pieces lie, which a hand that rests hides without a trace."""
PUSHED = 2
"""A board that looks covered for so many pictures, with nothing that moves, may lie elsewhere: it is looked for.

Not again for PATIENCE pictures."""
MISSED, NEXT_TRY = 3, 5
"""So many looks without a board are worth telling; then it is looked for in every so-many-th picture only."""
LOOKS_AT_MOST = 8
"""If even so many pictures do not agree, their average has to do."""


DieAt = tuple[int, float, float]
"""What a die shows, and where the middle of it is on its board, in millimetres."""


class Sees(StrEnum):
    """The states that people are shown."""

    WAIT = "wait"
    HAND = "hand"
    SETTLING = "settling"
    DRAWING = "drawing"
    READING = "reading"
    ASKING = "asking"
    MISMATCH = "mismatch"
    CAMERA_LOST = "camera_lost"


@dataclass(frozen=True)
class Glance:
    """What a small picture tells, by board (and ELSEWHERE)."""

    moving: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()
    """Something lies over these that was not there when they were read last."""
    light_changed: bool = False


@dataclass(frozen=True)
class Look:
    """What a full picture tells: every board that it shows clearly."""

    boards: Mapping[str, Looks]
    hidden: frozenset[str] = frozenset()
    """Boards of which a good part cannot be seen."""
    dice: Mapping[str, Mapping[str, Sequence[DieAt]]] = field(default_factory=dict)
    """By board and place for dice, where those lie: a die that stays where it was is no new roll."""

    def only(self, boards: Collection[str]) -> "Look":
        """The same without other boards."""
        return replace(
            self,
            boards={board: looks for board, looks in self.boards.items() if board in boards},
            dice={board: places for board, places in self.dice.items() if board in boards},
        )


@dataclass(frozen=True)
class Told:
    """What people are shown about a board: the state, and why."""

    state: Sees
    message: Message | None = None


@dataclass
class _Board:
    moving: bool = False
    covered: bool = False
    covered_for: int = 0
    hidden: bool = False
    patience: int = PATIENCE
    missed: int = 0
    rest: int = 0
    looked_for: int = PATIENCE
    """Pictures since then."""
    unsettled: bool = True
    needed: int = AGREEING
    looks: list[Look] = field(default_factory=list)
    tried: int = 0
    told: Told = Told(Sees.WAIT)

    @property
    def clear(self) -> bool:
        return not self.moving and not self.rest and (not self.covered or self.covered_for >= self.patience)

    @property
    def maybe_pushed(self) -> bool:
        return self.covered_for >= PUSHED and self.looked_for >= PATIENCE

    def disturb(self) -> None:
        self.unsettled, self.needed, self.tried = True, AGREEING, 0
        self.looks.clear()


class Sight:
    """Fed with glances and looks; `evidence` is what is settled."""

    def __init__(self, surfaces: Iterable[Surface]) -> None:
        self._boards = {surface.id: _Board(patience=patience(surface)) for surface in surfaces}
        self._evidence: dict[str, Looks] = {}
        self._dice: dict[str, Mapping[str, Sequence[DieAt]]] = {}
        self._lost = False
        self.around: frozenset[str] = frozenset()
        """Where what lies beside a board matters now: it is not settled while anything moves around it."""

    @property
    def evidence(self) -> dict[str, Looks]:
        """The settled readings. A board that is disturbed has none until it is settled again."""
        return {board: looks for board, looks in self._evidence.items() if not self._boards[board].unsettled}

    def last(self, board: str) -> Looks:
        """The last settled reading of a board, also while it is disturbed."""
        return self._evidence.get(board, {})

    def dice(self, board: str) -> Mapping[str, Sequence[DieAt]]:
        """Where dice lay on a board, place by place, when it was settled last."""
        return self._dice.get(board, {})

    @property
    def told(self) -> dict[str, Told]:
        """The state of every board."""
        if self._lost:
            return {board: Told(Sees.CAMERA_LOST, Message("sight.camera_lost")) for board in self._boards}
        return {board: self._told(board, at) for board, at in self._boards.items()}

    @property
    def wants_look(self) -> bool:
        """Whether a full picture would help."""
        return bool(self.wanted)

    @property
    def wanted(self) -> frozenset[str]:
        """The boards that a full picture would tell something about; others in it are not looked at."""
        unsettled = (board for board, at in self._boards.items() if at.unsettled and (at.clear or at.maybe_pushed))
        return frozenset() if self._lost else frozenset(unsettled)

    def glance(self, glance: Glance) -> None:
        self._lost = False
        for board, at in self._boards.items():
            at.moving = board in glance.moving or (board in self.around and ELSEWHERE in glance.moving)
            at.covered = board in glance.covered
            at.covered_for = at.covered_for + 1 if at.covered and not at.moving else 0
            at.rest = max(0, at.rest - 1)
            at.looked_for += 1
            if at.moving or glance.light_changed or (at.covered and not at.clear):
                at.disturb()

    def look(self, look: Look) -> frozenset[str]:
        """Takes in a full picture; tells which boards it settled."""
        return frozenset(board for board, at in self._boards.items() if at.unsettled and self._settles(board, at, look))

    def look_again(self, board: str, more: int) -> None:
        """The settled reading does not suffice: so many more pictures of the same."""
        at = self._boards[board]
        at.unsettled, at.needed = True, len(at.looks) + more

    def times_tried(self, board: str) -> int:
        """How many pictures the settled reading comes from."""
        return len(self._boards[board].looks)

    def reread(self) -> None:
        """Everything may have changed: all boards are to be read anew."""
        for at in self._boards.values():
            at.disturb()

    def lose(self) -> None:
        """There are no pictures."""
        self._lost = True
        self.reread()

    def tell(self, board: str, told: Told) -> None:
        """What a settled board turned out to mean; shown until it is disturbed."""
        self._boards[board].told = told

    def _settles(self, board: str, at: _Board, look: Look) -> bool:
        if not at.clear:
            at.looked_for = 0 if at.maybe_pushed else at.looked_for
            return False
        if board not in look.boards:
            at.looks.clear()
            at.missed += 1
            at.rest = NEXT_TRY if at.missed >= MISSED else 0
            return False
        at.missed, at.hidden = 0, board in look.hidden
        if at.hidden:
            # A hand that lies still: wait as long again before the next try.
            at.covered_for, at.rest = 0, NEXT_TRY
            at.looks.clear()
            return False
        at.tried += 1
        if at.looks and not _agree(at.looks[-1], look, board) and at.tried < LOOKS_AT_MOST:
            at.looks.clear()
        at.looks.append(look)
        if len(at.looks) < at.needed:
            return False
        at.unsettled = False
        at.told = Told(Sees.WAIT)
        self._evidence[board] = _average([each.boards[board] for each in at.looks])
        self._dice[board] = look.dice.get(board, {})
        return True

    def _told(self, board: str, at: _Board) -> Told:
        if at.moving or at.hidden or (at.covered and not at.clear):
            return Told(Sees.HAND, Message("sight.hand", {"board": board}))
        if not at.unsettled:
            return at.told
        if at.missed >= MISSED:
            return Told(Sees.SETTLING, Message("sight.board_missing", {"board": board}))
        if at.needed > AGREEING:
            return Told(Sees.READING, Message("sight.reading", {"board": board}))
        return Told(Sees.SETTLING, Message("sight.settling", {"board": board}))


def patience(surface: Surface) -> int:
    """For how many pictures something that lies over it is taken for a hand."""
    return PIECES_PATIENCE if surface.pieces else PATIENCE


def _agree(one: Look, other: Look, board: str) -> bool:
    """Whether two pictures say the same wherever both are sure."""
    here, there = one.boards[board], other.boards[board]
    return all(
        best_kind(look) == best_kind(there[region]) or not (sure(look) and sure(there[region]))
        for region, look in here.items()
        if region in there
    )


def _average(looks: Sequence[Looks]) -> Looks:
    """What several pictures say together. A kind that one of them does not know is least likely there."""
    first, *others = looks
    if not others:
        return first
    return {
        region: {
            kind: sum(likelihood(look.get(region, {}), kind) for look in looks) / len(looks)
            for kind in {kind for look in looks for kind in look.get(region, {})}
        }
        for region in first
    }
