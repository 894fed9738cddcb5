"""One game at the table: what the settled sight means, which moves are accepted, what people are asked.

Nothing counts before the play has saved it. Raises what the play raises: IllegalMove, StoreError.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, NamedTuple

from pi_app.engine.contract import LUCK, Game, IllegalMove, Message, Repair, Seen, Surface
from pi_app.engine.events import Event, Record
from pi_app.engine.evidence import Looks, best_kind, clear, gains, seen, sure
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER, pieces_of
from pi_app.engine.log import Play
from pi_app.engine.propose import Is, Verdict, propose
from pi_app.perception.sight import ELSEWHERE, DieAt, Glance, Look, Sees, Sight, Told
from pi_app.table.lights import Flash

MORE_LOOKS, MOST_LOOKS = 2, 6
"""Before anybody is asked, the board is looked at so much more often."""
WAIT_FOR_MORE = 15
"""Pictures without a hand before a move that could still grow is taken for finished."""
UNFINISHED = 60
"""Pictures without a change and without a hand after which an unfinished drawing is told to be wrong as it is."""
SAME_DIE_MM = 4.0
"""A die that is found so near to where it lay has not been rolled."""
FLASH = 8
"""Pictures for which an accepted move is shown in light."""


@dataclass(frozen=True)
class Question:
    """What people are asked: which of these moves was it? `chosen` is the one that a button would confirm."""

    board: str
    moves: tuple[Event, ...]
    reason: str
    chosen: int = 0


class Due(NamedTuple):
    """What boards that were read do not show yet."""

    marks: list[dict[str, str]]
    """Circles and crosses that follow from the moves, and those that do not belong there. None of them stops play."""
    undrawn: dict[str, list[str]]
    """By board, the regions of the moves themselves: they were entered by hand, or wiped."""


def _same(look: Mapping[str, float], kind: str) -> bool:
    return best_kind(look) == kind


def _some_left(look: Mapping[str, float], kind: str) -> bool:
    """Whether pieces lie there as they did, or some of them still do."""
    now, then = Counter(pieces_of(best_kind(look))), Counter(pieces_of(kind))
    return not sure(look) or now == then or (bool(now) and now <= then)


def _dice_places(trace: Seen) -> Iterator[tuple[str, str]]:
    """The places on which luck has brought dice."""
    for board, part in trace.items():
        for region, kind in part.items():
            if region != BESIDE and kind != EMPTY and all(piece.isdecimal() for piece in pieces_of(kind)):
                yield board, region


def _lies_among(die: DieAt, dice: Collection[DieAt]) -> bool:
    value, x, y = die
    return any(value == other and hypot(x - u, y - v) < SAME_DIE_MM for other, u, v in dice)


def _left_to_hands(known: Seen, now: Seen, done: Seen) -> dict[tuple[str, str], str]:
    """Where something else should lie now and no hand has seen to it, and what lay there as far as is known."""
    left = {}
    for board, expected in now.items():
        for region, kind in expected.items():
            lay = done.get(board, {}).get(region) or known.get(board, {}).get(region, EMPTY)
            if kind not in (OTHER, lay):
                left[board, region] = lay
    return left


def _remembered(*told: Seen) -> Seen:
    """What was told last of every region: what should lie there, or what lay there when that last mattered."""
    known: dict[str, dict[str, str]] = {}
    for one in told:
        for board, kinds in one.items():
            known.setdefault(board, {}).update({at: kind for at, kind in kinds.items() if kind != OTHER})
    return known


class Referee:
    """Brings sight and rules together."""

    def __init__(self, play: Play[Any]) -> None:
        self.play = play
        self.game: Game[Any] = play.game
        self.surfaces = {surface.id: surface for surface in self.game.surfaces(play.setup)}
        self._shared = [surface.id for surface in self.surfaces.values() if surface.owner is None]
        self.sight = Sight(self.surfaces.values())
        self.question: Question | None = None
        self.wrong: dict[str, Verdict] = {}
        self.cues: list[str] = []
        """Sounds that are due; whoever plays them takes them away."""
        self._before: dict[str, Looks] = {}
        """How each board looked when it last showed the record."""
        self._undone: dict[str, object] = {}
        self._denied: dict[str, tuple[Event, ...]] = {}
        """What people said no to, by board; until it is seen otherwise."""
        self._excused: dict[tuple[str, str], str] = {}
        self._pending: dict[tuple[str, str], str] = {}
        """Pieces that should lie otherwise since the record changed, and how they lay then: hands will see to it."""
        self._unseen_since: set[tuple[str, str]] = set()
        """Those of them that nobody has seen since the game was continued: hands may have done it, and more."""
        self._thrown: dict[tuple[str, str], Sequence[DieAt] | None] = {}
        """Dice that were counted, and where they lay: as long as they lie there, they are no new roll. Of a game that
        is continued, those that are seen first."""
        self._still: dict[str, int] = {}
        self._flashes: dict[Flash, int] = {}
        self._stale: frozenset[str] = frozenset()
        """Where what lies beside began to matter only now: what was there before counts for nothing."""
        self.sight.around = self._around()
        self._known: Seen = {}
        """What should lie where, and what last lay where that does not matter now."""
        self._continued()

    @property
    def flashes(self) -> tuple[Flash, ...]:
        return tuple(self._flashes)

    # --- seeing -------------------------------------------------------------------------------

    def glance(self, glance: Glance) -> None:
        self.sight.glance(glance)
        for surface in self.sight.around:
            if glance.moving & {surface, ELSEWHERE}:
                self._undone.pop(surface, None)  # rolled again, perhaps with the same values
        settled = self.sight.evidence.keys()
        self._still = {board: waited + 1 for board, waited in self._still.items() if board in settled}
        self._flashes = {flash: left - 1 for flash, left in self._flashes.items() if left > 1}
        if self.question is not None and self.question.board not in settled:
            self.question = None  # the board changes: look again before asking again
        if {WAIT_FOR_MORE, UNFINISHED} & set(self._still.values()):
            self.judge()

    def look(self, look: Look) -> None:
        settled = self.sight.look(look)
        self._stale -= settled
        if settled:
            self.judge()

    def judge(self) -> None:
        """Accepts what can be accepted, move after move, and tells people the rest."""
        while self._accept_one(verdicts := self._verdicts()):
            pass
        for board, verdict in verdicts.items():
            if verdict.if_it_stays is not None and self._still.get(board, 0) >= UNFINISHED:
                verdicts[board] = verdict.if_it_stays
        self.wrong = {board: verdict for board, verdict in verdicts.items() if verdict.what is Is.WRONG}
        for board in self.sight.evidence:
            self._tell(board, verdicts.get(board))
            if board not in verdicts or verdicts[board].what is Is.WAITING:
                self._before[board] = self.sight.last(board)

    def _verdicts(self) -> dict[str, Verdict]:
        if self.game.outcome(self.play.state) is not None:
            return {}  # the game is over: boards may be wiped
        surfaces = tuple(self.surfaces.values())
        verdicts = propose(self.game, surfaces, self.play.state, self._evidence(), self._before)
        verdicts = verdicts or self._since_the_break(surfaces)
        for board in list(self._undone):
            if board in self.sight.evidence and self._beyond_record(board) != self._undone[board]:
                del self._undone[board]  # the table was changed since: it counts again
            elif board in verdicts:
                verdicts[board] = Verdict(Is.WRONG, (), Message(self._how_undone(board), {"board": board}))
        for board, verdict in verdicts.items():
            if verdict.what is Is.UNCLEAR and self._denied.get(board) == verdict.moves:
                verdicts[board] = Verdict(Is.WRONG, (), Message("sight.denied", {"board": board}))
        return {board: verdict for board, verdict in verdicts.items() if board not in self._stale}

    def _since_the_break(self, surfaces: tuple[Surface, ...]) -> dict[str, Verdict]:
        """A move that looks just like what lay there before the game was interrupted: only people know."""
        self._unseen_since &= self._pending.keys()
        if not self._unseen_since:
            return {}
        verdicts = propose(self.game, surfaces, self.play.state, self._evidence(self._unseen_since), self._before)
        told = Message("sight.since_the_break")
        return {at: Verdict(Is.UNCLEAR, one.moves, told) for at, one in verdicts.items() if one.what is Is.MOVE}

    def _how_undone(self, board: str) -> str:
        if not self.surfaces[board].pieces:
            return "sight.undone"
        return "sight.undone_roll" if board in self.sight.around else "sight.undone_pieces"

    def _evidence(self, but: Collection[tuple[str, str]] = ()) -> dict[str, Looks]:
        """What is settled. Where people have said that the eye errs, or hands have still something to do, it is not
        asked again until it sees otherwise, `but` for some places."""
        seen = dict(self.sight.evidence)
        for board, region in [*self._pending]:
            look = seen.get(board, {}).get(region)
            expected = self._known.get(board, {}).get(region)
            if look and sure(look) and best_kind(look) == expected:
                del self._pending[board, region]  # hands have seen to it
        for known, still in ((self._excused, _same), (self._pending, _some_left)):
            for (board, region), kind in list(known.items()):
                if (board, region) in but:
                    continue
                look = seen.get(board, {}).get(region)
                if look and still(look, kind):
                    seen[board] = {**seen[board], region: dict.fromkeys(look, 0.0)}
                elif board in seen:
                    del known[board, region]
        return seen | self._without_counted_dice(seen)

    def _without_counted_dice(self, seen: Mapping[str, Looks]) -> dict[str, Looks]:
        """The boards on which dice lie that were counted: nothing is told of those."""
        told: dict[str, Looks] = {}
        for (board, region), counted in self._thrown.items():
            dice = self.sight.dice(board).get(region, ())
            if board in seen and dice:
                # Of a game that is continued, nobody has seen yet where they lie.
                self._thrown[board, region] = lay = dice if counted is None else counted
                if all(_lies_among(die, lay) for die in dice):
                    looks = told.get(board, seen[board])
                    told[board] = {**looks, region: dict.fromkeys(looks[region], 0.0)}
        return told

    def _excuse(self, boards: Collection[str]) -> None:
        """People have told a move on these boards themselves: where they show otherwise, people are right."""
        for board in boards:
            if not self.surfaces[board].pieces and board in self.sight.evidence:
                self._excused |= {(board, off["region"]): off["seen"] for off in self.differences(board)}

    def _accept_one(self, verdicts: Mapping[str, Verdict]) -> bool:
        for board, verdict in verdicts.items():
            patient = not verdict.extendable or self._still.get(board, 0) >= WAIT_FOR_MORE
            if verdict.what is Is.MOVE and patient:
                self.do(verdict.moves[0])
                return True
        return any(
            self._retell(verdict.moves[0])
            for verdict in verdicts.values()
            if verdict.what is Is.WRONG and verdict.moves
        )

    def _retell(self, meant: Event) -> bool:
        """Whether earlier moves told otherwise, or one more before it, make what was evidently meant the one move that
        explains what is seen: then they are told so."""
        repair = self.game.retold(self.play.state, self.play.in_force, meant)
        if repair is None or repair.move is None:
            return False
        tried = Play(self.game, self.play.setup, str, self.play.records)
        try:
            if repair.corrections:
                tried.correct(repair.corrections)
            if not self._explains(tried, repair.move):
                tried.do(repair.move)
                if not self._explains(tried, meant):
                    return False
        except IllegalMove:
            return False
        if repair.corrections:
            self.play.correct(repair.corrections)
            self._known = _remembered(self._expected_pieces(self.play.state))
        self.do(repair.move)
        return True

    def _explains(self, play: Play[Any], move: Event) -> bool:
        """Whether this would be the one move that explains what is seen."""
        verdicts = propose(self.game, tuple(self.surfaces.values()), play.state, self._evidence(), self._before)
        return any(verdict.what is Is.MOVE and verdict.moves == (move,) for verdict in verdicts.values())

    def _tell(self, board: str, verdict: Verdict | None) -> None:
        """Shows what a settled board means, and asks if that is unclear."""
        if verdict is None:
            self.sight.tell(board, Told(Sees.WAIT))
        elif verdict.what is Is.UNCLEAR:
            self._unclear(board, verdict)
        elif verdict.what is Is.WRONG:
            if self.sight.told[board].state is not Sees.MISMATCH:
                self.cues.append("refused")
            self.sight.tell(board, Told(Sees.MISMATCH, verdict.message))
        elif verdict.what is Is.MOVE:
            self._still.setdefault(board, 0)
            self.sight.tell(board, Told(Sees.DRAWING, Message("sight.maybe_more", {"board": board})))
        else:
            if verdict.if_it_stays is not None:
                self._still.setdefault(board, 0)
            state = Sees.DRAWING if verdict.what is Is.DRAWING else Sees.WAIT
            self.sight.tell(board, Told(state, verdict.message))

    def _unclear(self, board: str, verdict: Verdict) -> None:
        if self.sight.times_tried(board) < MOST_LOOKS:
            self.sight.look_again(board, MORE_LOOKS)
            return
        self.sight.tell(board, Told(Sees.ASKING, verdict.message))
        if self.question is None or self.question.moves != verdict.moves:
            self.question = Question(board, verdict.moves, "" if verdict.message is None else verdict.message.id)
            self.cues.append("question")

    def _shows_more(self, board: str) -> bool:
        """Whether something of what was taken back still lies or is drawn there."""
        if board in self._around():
            return any(best_kind(look) != EMPTY for look in self.sight.last(board).values())
        return bool(self.differences(board) if self.surfaces[board].pieces else self._beyond_record(board))

    def _beyond_record(self, board: str) -> object:
        """What lies or is drawn on a board beyond the record, to tell whether it was changed."""
        looks, surface = self.sight.last(board), self.surfaces[board]
        if surface.pieces:
            return {region: best_kind(look) for region, look in looks.items()}
        return clear(gains(self.game, surface, self.game.expected_sight(self.play.state, board), looks))

    # --- writing ------------------------------------------------------------------------------

    def do(self, move: Event) -> None:
        """Makes a move: stored first, then shown."""
        state, known = self.play.state, self._known
        trace, mover = self.game.trace(state, move), self.game.mover(state, move)
        records = self.play.do(move)
        self._count_dice(state, set(_dice_places(trace)) if mover == LUCK else set())
        self.question = None
        self._still.clear()
        self._show(records)
        self._record_changed()
        self._await_hands(known, trace)

    def _count_dice(self, before: Any, rolled: Collection[tuple[str, str]]) -> None:
        """The dice that luck has brought count once; so do those that lay there while nothing was expected of them."""
        for board in self.surfaces:
            places = self.sight.dice(board)
            if not places:
                continue
            was, now = (self.game.expected_sight(state, board) for state in (before, self.play.state))
            for region, dice in places.items():
                matters = now.get(region, OTHER) != OTHER and was.get(region, OTHER) == OTHER
                if (board, region) in rolled or matters:
                    self._thrown[board, region] = dice

    def told(self, move: Event, asked: bool = False) -> None:
        """Makes a move that people have told: by an answer, if they were `asked`, or by entering it."""
        move = self._explained(move)
        trace, known = self.game.trace(self.play.state, move), self._known
        self.do(move)
        self._excuse(trace.keys())
        self._await_hands(known, self._hardly_seen(trace) if asked else {})
        self.judge()

    def _hardly_seen(self, trace: Seen) -> Seen:
        """What of a move was asked about because it cannot be seen well: it is there."""
        looks = {board: self.sight.last(board) for board in trace}
        return {
            board: {at: kind for at, kind in part.items() if at in looks[board] and not sure(looks[board][at])}
            for board, part in trace.items()
        }

    def _explained(self, move: Event) -> Event:
        """The move, if need be with earlier ones told anew. Raises IllegalMove; only legal moves have a trace."""
        try:
            self.game.decide(self.play.state, move)
        except IllegalMove:
            repair = self.game.retold(self.play.state, self.play.in_force, move)
            if repair is None or type(repair.move) is not type(move):
                raise
            if repair.corrections:
                self.play.correct(repair.corrections)
            return repair.move
        return move

    def _expected_pieces(self, state: Any) -> Seen:
        pieces = (board for board, surface in self.surfaces.items() if surface.pieces)
        return {board: self.game.expected_sight(state, board) for board in pieces}

    def _await_hands(self, known: Seen, done: Seen | None = None) -> None:
        """Where the record has just changed what should lie there, pieces may stay as they are until hands move them.

        What the move itself changed is `done`, unless what follows from it changes it again.
        """
        now = self._expected_pieces(self.play.state)
        for (board, region), left in _left_to_hands(known, now, done or {}).items():
            look = self.sight.last(board).get(region)
            lying = best_kind(look) if look and sure(look) else left
            if lying != now[board][region] and (board, region) not in self._thrown:
                self._pending[board, region] = lying
                self._unseen_since.discard((board, region))
        self._known = _remembered(known, done or {}, now)

    def _continued(self) -> None:
        """What hands may still have to do when a game is continued: nobody saw whether they did."""
        state, trace = self.game.start(self.play.setup), dict[str, Mapping[str, str]]()
        for record in self.play.in_force:
            if self.game.is_move(record.event):
                self._one_move_later(state, trace)
                trace = dict(self.game.trace(state, record.event))
                if self.game.mover(state, record.event) == LUCK:
                    self._thrown |= dict.fromkeys(_dice_places(trace))
            state = self.game.apply(state, record.event)
        self._one_move_later(state, trace)
        self._pending = {place: kind for place, kind in self._pending.items() if place not in self._thrown}
        self._unseen_since = set(self._pending)

    def _one_move_later(self, state: Any, trace: Seen) -> None:
        """What a move put somewhere itself is there."""
        now = self._expected_pieces(state)
        for board, part in trace.items():
            for region in part:
                self._pending.pop((board, region), None)
        self._pending |= _left_to_hands(self._known, now, trace)
        self._known = _remembered(self._known, trace, now)

    def undo(self, upto: int | None = None) -> None:
        """Takes back a move. What it left on the table does not count again until it was changed."""
        self.play.undo(upto)
        self._undone = {board: self._beyond_record(board) for board in self.sight.evidence if self._shows_more(board)}
        self._rewritten()

    def redo(self) -> None:
        self.play.redo()
        self._undone.clear()
        self._rewritten()

    def correct(self, corrections: Mapping[int, Event]) -> None:
        """Replaces earlier moves and decides all that followed anew. What lies on the table still counts."""
        self.play.correct(corrections)
        self._rewritten()

    def choose_next(self) -> None:
        if self.question is not None:
            self.question = replace(self.question, chosen=(self.question.chosen + 1) % len(self.question.moves))

    def deny(self) -> None:
        """None of what is asked about happened: the board is to be put right."""
        if self.question is not None:
            self._denied[self.question.board] = self.question.moves
            self._unseen_since.clear()
            self.question = None
            self.judge()

    def reread(self) -> None:
        """The table was put right, or is right as it is: read all of it anew."""
        self.question = None
        self._undone.clear()
        self._denied.clear()
        self.sight.reread()

    def adopt(self, board: str) -> Repair | None:
        """The table is right: how what no rule explains on a board can stand. None if it cannot be told."""
        if board not in self.wrong:
            return None
        there = seen(self.sight.evidence, {board, *self._shared})
        return self.game.adopt(self.play.state, self.play.in_force, board, there)

    def unseen_move(self) -> Event | None:
        """The move that leaves nothing to be seen on a board, so that its player has to say it was made."""
        acting = self.game.to_act(self.play.state).must
        if acting == (LUCK,) or len(acting) != 1:
            return None
        by_button = self.game.by_button(self.play.state)
        if by_button is not None:
            return by_button
        changed = {
            board: {off["region"] for off in self.differences(board)} if board in self.sight.evidence else set()
            for board in self._shared
        }
        for move in self.game.moves_within(self.play.state, acting[0], changed):
            if self.game.trace(self.play.state, move).keys() <= changed.keys():
                return move
        return None

    def _rewritten(self) -> None:
        self.question = None
        self._known = _remembered(self._expected_pieces(self.play.state))
        self._record_changed()
        self.judge()

    def _show(self, records: list[Record]) -> None:
        cue = "accepted"
        for record in records:
            player = getattr(record.event, "player", None)
            if player is not None:
                completed = not self.game.is_move(record.event)
                self._flashes[Flash(player, completed)] = FLASH
                cue = "completed" if completed else cue
        self.cues.append("ended" if self.game.outcome(self.play.state) is not None else cue)

    def _record_changed(self) -> None:
        """What lies beside the boards may matter now. The dice of the last round are no new roll, wherever they lie."""
        around = self._around()
        self._stale = around - self.sight.around
        self.sight.around = around

    def _around(self) -> frozenset[str]:
        state = self.play.state
        return frozenset(board for board in self.surfaces if BESIDE in self.game.expected_sight(state, board))

    # --- what is left to do -------------------------------------------------------------------

    def due(self) -> Due:
        """What is still to be drawn, as far as the boards were read."""
        act = self.game.act
        off = {board: self.differences(board) for board in self.surfaces if self.sight.last(board)}
        return Due(
            [
                one
                for found in off.values()
                for one in found
                if (one["board"], one["region"]) in self._pending
                or act(one["region"], one["seen"]) == act(one["region"], one["expected"])
            ],
            {
                board: [one["region"] for one in found if act(one["region"], one["expected"]) != EMPTY]
                for board, found in off.items()
                if not self.surfaces[board].pieces
            },
        )

    def differences(self, board: str) -> list[dict[str, str]]:
        """Region by region, where the board does not show the record."""
        looks = self.sight.last(board)
        wanted = self.game.expected_sight(self.play.state, board)
        seen = {region: best_kind(look) for region in wanted if (look := looks.get(region)) and sure(look)}
        return [
            {"board": board, "region": region, "seen": kind, "expected": wanted[region]}
            for region, kind in seen.items()
            if wanted[region] not in (kind, OTHER)
        ]
