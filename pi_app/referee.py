"""One game at the table: what the settled sight means, which moves are accepted, what people are asked.

Nothing counts before the play has saved it. Raises what the play raises: IllegalMove, StoreError.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pi_app.engine.contract import LUCK, Game
from pi_app.engine.events import Event, Record
from pi_app.engine.evidence import CLEAR, best_kind, gains, observed
from pi_app.engine.log import Play
from pi_app.engine.observation import HQ, Observation
from pi_app.engine.propose import Is, Verdict, propose
from pi_app.lamps import Flash
from pi_app.sight import ELSEWHERE, Glance, Look, Looks, Sees, Sight, Told

MORE_LOOKS, MOST_LOOKS = 2, 6
"""Before anybody is asked, the board is looked at so much more often."""
WAIT_FOR_MORE = 15
"""Pictures without a hand before a move that could still grow is taken for finished."""
UNFINISHED = 60
"""Pictures without a change and without a hand after which an unfinished drawing is told to be wrong as it is."""
FLASH = 8
"""Pictures for which an accepted move is shown in light."""


@dataclass(frozen=True)
class Question:
    """What people are asked: which of these moves was it? `chosen` is the one that a button would confirm."""

    board: str
    moves: tuple[Event, ...]
    reason: str
    chosen: int = 0


class Referee:
    """Brings sight and rules together."""

    def __init__(self, play: Play[Any]) -> None:
        self.play = play
        self.game: Game[Any] = play.game
        self.boards = [self.game.board(seat) for seat in range(len(play.setup.players))]
        self.sight = Sight([*self.boards, HQ])
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
        self._still: dict[str, int] = {}
        self._flashes: dict[Flash, int] = {}
        self._dice_stale = False
        self._record_changed()

    @property
    def flashes(self) -> tuple[Flash, ...]:
        return tuple(self._flashes)

    # --- seeing -------------------------------------------------------------------------------

    def glance(self, glance: Glance) -> None:
        self.sight.glance(glance)
        if self._rolling and glance.moving & {HQ, ELSEWHERE}:
            self._undone.pop(HQ, None)  # rolled again, perhaps with the same values
        settled = self.sight.evidence.keys()
        self._still = {board: waited + 1 for board, waited in self._still.items() if board in settled}
        self._flashes = {flash: left - 1 for flash, left in self._flashes.items() if left > 1}
        if self.question is not None and self.question.board not in settled:
            self.question = None  # the board changes: look again before asking again
        if {WAIT_FOR_MORE, UNFINISHED} & set(self._still.values()):
            self.judge()

    def look(self, look: Look) -> None:
        settled = self.sight.look(look)
        self._dice_stale = self._dice_stale and HQ not in settled
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
        verdicts = propose(self.game, self.play.state, self._evidence(), self.sight.dice, self._before)
        for board in list(self._undone):
            if board in self.sight.evidence and self._beyond_record(board) != self._undone[board]:
                del self._undone[board]  # the table was changed since: it counts again
            elif board in verdicts:
                reason = (
                    "sight.undone" if board != HQ else "sight.undone_roll" if self._rolling else "sight.undone_dice"
                )
                verdicts[board] = Verdict(Is.WRONG, (), reason, {"board": board})
        for board, verdict in verdicts.items():
            if verdict.what is Is.UNCLEAR and self._denied.get(board) == verdict.moves:
                verdicts[board] = Verdict(Is.WRONG, (), "sight.denied", {"board": board})
        if self._dice_stale:
            verdicts.pop(HQ, None)
        return verdicts

    def _evidence(self) -> dict[str, Looks]:
        """What is settled. Where people have said that the eye errs, it is not asked again until it sees otherwise."""
        seen = dict(self.sight.evidence)
        for (board, region), kind in list(self._excused.items()):
            if board in seen and best_kind(seen[board][region]) != kind:
                del self._excused[board, region]
            elif board in seen:
                seen[board] = {**seen[board], region: dict.fromkeys(seen[board][region], 0.0)}
        return seen

    def _excuse(self, boards: Collection[str]) -> None:
        """People have told a move on these boards themselves: where they show otherwise, people are right."""
        for board in boards:
            if board != HQ and board in self.sight.evidence:
                self._excused |= {(board, off["region"]): off["seen"] for off in self.differences(board)}

    def _accept_one(self, verdicts: Mapping[str, Verdict]) -> bool:
        for board, verdict in verdicts.items():
            patient = not verdict.extendable or self._still.get(board, 0) >= WAIT_FOR_MORE
            if verdict.what is Is.MOVE and patient:
                self.do(verdict.moves[0])
                return True
        return False

    def _tell(self, board: str, verdict: Verdict | None) -> None:
        """Shows what a settled board means, and asks if that is unclear."""
        if verdict is None:
            self.sight.tell(board, Told(Sees.WAIT))
        elif verdict.what is Is.UNCLEAR:
            self._unclear(board, verdict)
        elif verdict.what is Is.WRONG:
            if self.sight.told[board].state is not Sees.MISMATCH:
                self.cues.append("refused")
            self.sight.tell(board, Told(Sees.MISMATCH, verdict.reason, verdict.facts))
        elif verdict.what is Is.MOVE:
            self._still.setdefault(board, 0)
            self.sight.tell(board, Told(Sees.DRAWING, "sight.maybe_more", {"board": board}))
        else:
            if verdict.if_it_stays is not None:
                self._still.setdefault(board, 0)
            state = Sees.DRAWING if verdict.what is Is.DRAWING else Sees.WAIT
            self.sight.tell(board, Told(state, verdict.reason, verdict.facts))

    def _unclear(self, board: str, verdict: Verdict) -> None:
        if self.sight.times_tried(board) < MOST_LOOKS:
            self.sight.look_again(board, MORE_LOOKS)
            return
        self.sight.tell(board, Told(Sees.ASKING, verdict.reason, {"board": board}))
        if self.question is None or self.question.moves != verdict.moves:
            self.question = Question(board, verdict.moves, verdict.reason)
            self.cues.append("question")

    def _shows_more(self, board: str) -> bool:
        """Whether something of what was taken back still lies or is drawn there."""
        if board == HQ:
            return bool(self.sight.dice if self._rolling else self.differences(HQ))
        return bool(self._beyond_record(board))

    @property
    def _rolling(self) -> bool:
        return self.game.to_act(self.play.state) == (LUCK,)

    def _beyond_record(self, board: str) -> object:
        """What lies or is drawn on a board beyond the record, to tell whether it was changed."""
        if board == HQ:
            return Counter((die.value, die.section) for die in self.sight.dice)
        found = gains(self.game, self.game.expected_sight(self.play.state, board), self.sight.last(board))
        return frozenset(region for region, gain in found.items() if gain >= CLEAR)

    # --- writing ------------------------------------------------------------------------------

    def do(self, move: Event) -> None:
        """Makes a move: stored first, then shown."""
        records = self.play.do(move)
        self.question = None
        self._still.clear()
        self._show(records)
        self._record_changed()

    def told(self, move: Event) -> None:
        """Makes a move that people have told: by an answer, or by entering it."""
        self.game.decide(self.play.state, move)  # raises IllegalMove; only legal moves have a trace
        boards = self.game.trace(self.play.state, move).keys()
        self.do(move)
        self._excuse(boards)
        self.judge()

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
            self.question = None
            self.judge()

    def reread(self) -> None:
        """The table was put right, or is right as it is: read all of it anew."""
        self.question = None
        self._undone.clear()
        self._denied.clear()
        self.sight.reread()

    def decision_of_the_house(self, board: str) -> Event | None:
        """The table is right: what no rule explains on a board stands as such a decision. None if it cannot be told."""
        return self.game.adopt(self.play.state, observed(self.sight.evidence, [board], self.sight.dice))

    def dice_as_they_lie(self) -> Mapping[int, Event]:
        """What the record would have to say if the dice are right. Empty if that cannot be told."""
        return self.game.dice_as_seen(self.play.state, self.play.in_force, Observation({}, self.sight.dice))

    def unseen_move(self) -> Event | None:
        """The move that leaves nothing to be seen on a board, so that its player has to say it was made."""
        acting = self.game.to_act(self.play.state)
        if acting == (LUCK,) or len(acting) != 1:
            return None
        record, looks = self.game.expected_sight(self.play.state, HQ), self.sight.evidence.get(HQ, {})
        gone = {section for section, look in looks.items() if best_kind(look) != record.get(section)}
        for move in self.game.moves_within(self.play.state, acting[0], {HQ: gone}):
            if self.game.board(acting[0]) not in self.game.trace(self.play.state, move):
                return move
        return None

    def _rewritten(self) -> None:
        self.question = None
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
        """Which dice matter now?"""
        rolling = self._rolling
        # The dice of the last round are no new roll, wherever they lie.
        self._dice_stale = rolling and not self.sight.dice_anywhere
        self.sight.dice_anywhere = rolling

    # --- what is left to do -------------------------------------------------------------------

    def marks_due(self) -> list[dict[str, str]]:
        """Circles and crosses that follow from the moves and were not seen yet, and those that do not belong there.

        None of them stops play.
        """
        return [
            off
            for board in self.boards
            for off in self.differences(board)
            if not self.game.is_act(off["region"], off["seen"]) and not self.game.is_act(off["region"], off["expected"])
        ]

    def differences(self, board: str) -> list[dict[str, str]]:
        """Region by region, where the board does not show the record."""
        looks = self.sight.last(board)
        wanted = self.game.expected_sight(self.play.state, board)
        seen = {region: best_kind(looks[region]) for region in wanted if looks.get(region)}
        return [
            {"board": board, "region": region, "seen": kind, "expected": wanted[region]}
            for region, kind in seen.items()
            if kind != wanted[region]
        ]
