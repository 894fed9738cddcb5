"""From what was seen to the one legal move that explains it, or to the rule that it breaks.

Evidence is, for every region of every board, how likely its look is under each kind of mark (logarithms). All
sums are in those units: what a move gains over the record, and what a move leaves unexplained, be it ink that
it does not account for or ink of its own that is not there. A move is accepted when it explains nearly all and
no other comes close; otherwise people are asked.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic

from pi_app.engine.contract import LUCK, Game, IllegalMove, State
from pi_app.engine.events import Event
from pi_app.engine.evidence import (
    CLEAR,
    EMPTY,
    UNEXPLAINED,
    Evidence,
    best_kind,
    fresh,
    gains,
    likelihood,
    observed,
    wiped,
)
from pi_app.engine.observation import HQ, Observation, SeenDie

MARGIN: Final = 4.0
"""How much worse the runner-up must explain what is seen: e to the 4th, about 50 to 1."""
PLAUSIBLE: Final = -4.0
"""A region with less gain than this is surely not drawn."""
WORTH_ASKING: Final = 7.0
SURE_DIE: Final = 0.6
"""Below this, the value of a die is asked for."""
MOST_ASKED: Final = 3


class Is(StrEnum):
    """What a board tells."""

    MOVE = "move"
    DRAWING = "drawing"
    UNCLEAR = "unclear"
    WRONG = "wrong"
    WAITING = "waiting"
    """Nothing is wrong, and something is still to be done: facts and reason say what."""


@dataclass(frozen=True)
class Verdict:
    """What is made of one board. `moves` is the move, or the candidates, best first.

    `reason` is the id of a sentence (rule.* of the game, sight.* of ours) that `facts` fill.
    """

    what: Is
    moves: tuple[Event, ...] = ()
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    extendable: bool = False
    """The same hand could go on and make another legal move of it: be patient."""
    if_it_stays: "Verdict | None" = None
    """What to say instead when nobody goes on."""


def propose(
    game: Game[State],
    state: State,
    evidence: Evidence,
    dice: Collection[SeenDie] = (),
    before: Evidence | None = None,
) -> dict[str, Verdict]:
    """The verdict on every board that has something to tell.

    `dice` are all that lie on the table, `before` is what boards looked like when they last showed the record.
    """
    return _Proposing(game, state, evidence, dice, before or {}).verdicts()


@dataclass(frozen=True)
class _Candidate:
    move: Event
    left: float
    """What it leaves unexplained."""
    weakest: float
    """The gain of its least sure mark."""


class _Proposing(Generic[State]):
    def __init__(
        self, game: Game[State], state: State, evidence: Evidence, dice: Collection[SeenDie], before: Evidence
    ) -> None:
        self._game, self._state, self._evidence, self._dice = game, state, evidence, tuple(dice)
        self._acting = game.to_act(state)
        self._record = {board: game.expected_sight(state, board) for board in evidence}
        self._gains = {
            board: fresh(
                gains(game, self._record[board], looks), gains(game, self._record[board], before.get(board, {}))
            )
            for board, looks in evidence.items()
            if board != HQ
        }
        # Where no move takes a die, as with the last one, what lies on the HQ tells nothing.
        self._dice_gone = self._changed_sections() if HQ in self._first_trace() else {}
        self._dice_are_wrong = False

    def verdicts(self) -> dict[str, Verdict]:
        found: dict[str, Verdict] = {}
        if HQ not in self._evidence and HQ in self._first_trace():
            return found  # which die was taken cannot be told now
        hq = self._hq_verdict()
        if hq is not None:
            found[HQ] = hq
        self._dice_are_wrong = hq is not None and hq.what is Is.WRONG
        seats = {self._game.board(seat): seat for seat in self._acting if seat != LUCK and self._draws(seat)}
        for board in self._gains:
            verdict = self._wiped(board)
            if verdict is None:
                verdict = self._drawn_by(board, seats[board]) if board in seats else self._out_of_turn(board)
            if verdict is not None:
                found[board] = verdict
        return found

    # --- city boards --------------------------------------------------------------------------

    def _draws(self, seat: int) -> bool:
        """Whether this seat's moves leave marks on a board of its own."""
        moves = self._game.legal_moves(self._state, seat)
        return bool(moves) and self._game.board(seat) in self._game.trace(self._state, moves[0])

    def _wiped(self, board: str) -> Verdict | None:
        gone = wiped(self._game, self._record[board], self._evidence[board])
        return Verdict(Is.WRONG, (), "sight.mark_wiped", {"board": board, "regions": gone}) if gone else None

    def _drawn_by(self, board: str, seat: int) -> Verdict | None:
        """What the seat on turn has drawn."""
        drawn = self._clear(board)
        if not drawn:
            return self._take_or_draw(board, seat)
        found = self._candidates(board, seat)
        best = found[0] if found else None
        if best is None or best.left > WORTH_ASKING or best.weakest < -CLEAR:
            return self._unexplained(board, seat, drawn)
        rivals = [other for other in found[1:] if other.left - best.left < MARGIN]
        if best.left <= UNEXPLAINED and best.weakest >= CLEAR and not rivals:
            return Verdict(Is.MOVE, (best.move,), extendable=self._extendable(board, seat, best.move))
        if len(rivals) >= MOST_ASKED or best.weakest < CLEAR:
            partial = self._unfinished(board, seat, drawn)
            if partial is not None and best.weakest < 0:
                return partial
        return Verdict(Is.UNCLEAR, tuple(each.move for each in (best, *rivals)[:MOST_ASKED]), "sight.which")

    def _take_or_draw(self, board: str, seat: int) -> Verdict | None:
        if self._dice_gone and not self._dice_are_wrong:
            return Verdict(Is.WAITING, (), "sight.draw_now", {"player": seat})
        return None

    def _clear(self, board: str) -> set[str]:
        return {region for region, gain in self._gains[board].items() if gain >= CLEAR}

    def _candidates(self, board: str, seat: int) -> list[_Candidate]:
        """Moves that could be what is seen, best first; of moves that look the same only the first."""
        possible = {region for region, gain in self._gains[board].items() if gain >= PLAUSIBLE}
        wanted = sum(gain for gain in self._gains[board].values() if gain > 0) + sum(self._dice_gone.values())
        found: dict[frozenset[tuple[str, str, str]], _Candidate] = {}
        for move in self._game.moves_within(self._state, seat, {board: possible, HQ: self._dice_gone}):
            trace = self._game.trace(self._state, move)
            marks = trace.get(board)
            if not marks:
                continue  # nothing drawn: nobody can see that move
            key = frozenset((name, region, kind) for name, part in trace.items() for region, kind in part.items())
            if key not in found:
                seen = [self._gains[board][region] for region in marks]
                explained = sum(seen) + sum(self._die_gain(*each) for each in trace.get(HQ, {}).items())
                found[key] = _Candidate(move, wanted - explained, min(seen))
        return sorted(found.values(), key=lambda candidate: candidate.left)

    def _unexplained(self, board: str, seat: int, drawn: set[str]) -> Verdict:
        return self._unfinished(board, seat, drawn) or self._broken(board, seat)

    def _unfinished(self, board: str, seat: int, drawn: set[str]) -> Verdict | None:
        """The ink is part of a legal move, or all of it while the die still lies on the HQ.

        If it is whole but for a mark of quite another kind (a shape, and no drone circled for it), the rule that
        it breaks as it is tells people more.
        """
        everywhere = {board: set(self._record[board]), HQ: self._dice_gone or set(self._record.get(HQ, ()))}
        whole = False
        for move in self._game.moves_within(self._state, seat, everywhere):
            marks = self._game.trace(self._state, move).get(board, {})
            if drawn < marks.keys():
                if not {marks[region] for region in marks.keys() - drawn}.isdisjoint(marks[region] for region in drawn):
                    return self._drawing(board, seat, drawn)
                whole = True
            if drawn == marks.keys() and not self._dice_gone:
                return Verdict(Is.WAITING, (), "sight.take_die", {"player": seat})
        if not whole:
            return None
        return self._refused(board) or self._drawing(board, seat, drawn)

    def _drawing(self, board: str, seat: int, drawn: set[str]) -> Verdict:
        facts = {"player": seat, "count": len(drawn)}
        return Verdict(Is.DRAWING, (), "sight.drawing", facts, if_it_stays=self._refused(board))

    def _extendable(self, board: str, seat: int, move: Event) -> bool:
        """Another legal move has all these marks and more of the same kinds."""
        trace = self._game.trace(self._state, move)
        marks = trace[board]
        others = {region for region, kind in self._record[board].items() if kind == EMPTY}
        kinds = set(marks.values())
        for other in self._game.moves_within(self._state, seat, {board: others, HQ: trace.get(HQ, {})}):
            more = self._game.trace(self._state, other).get(board, {})
            if marks.keys() < more.keys() and {more[r] for r in more.keys() - marks.keys()} <= kinds:
                return True
        return False

    def _out_of_turn(self, board: str) -> Verdict | None:
        if not self._clear(board):
            return None
        verdict = self._refused(board)
        if verdict is not None:
            return verdict
        reason = "sight.not_your_turn" if LUCK not in self._acting else "sight.too_early"
        return Verdict(Is.WRONG, (), reason, {"board": board})

    def _broken(self, board: str, seat: int) -> Verdict:
        """Which rule forbids what was evidently meant."""
        verdict = self._refused(board)
        if verdict is not None:
            return verdict
        return Verdict(Is.WRONG, (), "sight.no_move_fits", {"player": seat, "board": board})

    def _refused(self, board: str) -> Verdict | None:
        meant = self._game.attempt(self._state, observed(self._evidence, [board], self._dice))
        if meant is None:
            return None
        try:
            self._game.decide(self._state, meant)
        except IllegalMove as error:
            return Verdict(Is.WRONG, (meant,), f"rule.{error.rule}", error.facts)
        return None

    # --- dice ---------------------------------------------------------------------------------

    def _changed_sections(self) -> dict[str, float]:
        """The sections whose dice are clearly not those of the record, and how clear that is."""
        changed = {}
        for section, look in self._evidence.get(HQ, {}).items():
            off = max(look.values()) - likelihood(look, self._record[HQ].get(section, EMPTY))
            if off > 0:
                changed[section] = off
        return changed

    def _die_gain(self, section: str, kind: str) -> float:
        look = self._evidence.get(HQ, {}).get(section, {})
        if not look:
            return 0.0
        return likelihood(look, kind) - likelihood(look, self._record[HQ][section])

    def _hq_verdict(self) -> Verdict | None:
        if HQ not in self._evidence or not self._acting:
            return None
        boards = self._first_trace().keys()
        if boards <= {HQ}:
            return self._dice_move()
        return self._dice_wrong() if HQ in boards else None

    def _first_trace(self) -> Mapping[str, Mapping[str, str]]:
        """What any move that is possible now would change: they are all of one kind."""
        if not self._acting:
            return {}
        return self._game.trace(self._state, self._game.legal_moves(self._state, self._acting[0])[0])

    def _dice_move(self) -> Verdict | None:
        """Dice were rolled, or put on a section."""
        meant = self._game.attempt(self._state, Observation({}, self._dice))
        if meant is None:
            return None if self._acting == (LUCK,) else self._dice_wrong(placing=True)
        try:
            self._game.decide(self._state, meant)
        except IllegalMove as error:
            # Dice that are not all there yet are no mistake.
            what = Is.WAITING if self._acting == (LUCK,) else Is.WRONG
            return Verdict(what, (), f"rule.{error.rule}", error.facts)
        if min(die.confidence for die in self._dice) < SURE_DIE:
            return Verdict(Is.UNCLEAR, (meant,), "sight.dice_unsure")
        return Verdict(Is.MOVE, (meant,))

    def _dice_wrong(self, placing: bool = False) -> Verdict | None:
        """More happened to the dice on the HQ than one of them being taken; who places dice may lift any."""
        missing: list[tuple[str, str]] = []
        extra: list[tuple[str, str]] = []
        for section in self._dice_gone:
            seen, expected = (
                Counter(kind.replace(EMPTY, "").split())
                for kind in (best_kind(self._evidence[HQ][section]), self._record[HQ][section])
            )
            missing += [(section, value) for value in (expected - seen).elements()]
            extra += [(section, value) for value in (seen - expected).elements()]
        if extra:
            return self._die_strange(missing, extra, placing)
        if len(missing) > 1 and not placing:
            return Verdict(Is.WRONG, (), "sight.two_dice_taken", {"count": len(missing)})
        return None

    def _die_strange(self, missing: list[tuple[str, str]], extra: list[tuple[str, str]], placing: bool) -> Verdict:
        section, value = extra[0]
        number = section.rpartition(".")[2]
        facts = {"section": int(number), "value": int(value)}
        same = [was for place, was in missing if place == section]
        if same:
            return Verdict(Is.WRONG, (), "sight.die_turned", {**facts, "expected": int(same[0])})
        moved = [place for place, was in missing if was == value]
        if moved:
            came = int(moved[0].rpartition(".")[2])
            return Verdict(Is.WRONG, (), "sight.die_moved", {**facts, "expected": came})
        return Verdict(Is.WRONG, (), "sight.die_unknown" if placing else "sight.die_back", facts)
