"""From what was seen to the one legal move that explains it, or to the rule that it breaks.

Evidence is, for every region of every surface, how likely its look is under each kind of thing (logarithms). All
sums are in those units: what a move gains over the record, and what a move leaves unexplained, be it a change that
it does not account for or one of its own that is not there. A move is accepted when it explains nearly all and
no other comes close; otherwise people are asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from pi_app.engine.contract import LUCK, Game, IllegalMove, Message, State, Surface
from pi_app.engine.events import Event
from pi_app.engine.evidence import (
    CLEAR,
    LEAST,
    UNEXPLAINED,
    Evidence,
    clear,
    fresh,
    gains,
    seen,
    sure,
    wiped,
)
from pi_app.engine.explain import explain
from pi_app.engine.kinds import EMPTY, OTHER
from pi_app.engine.verdict import MARGIN, MOST_ASKED, PLAUSIBLE, WORTH_ASKING, Is, Verdict

__all__ = ["Is", "Verdict", "propose"]


def propose(
    game: Game[State], surfaces: Sequence[Surface], state: State, evidence: Evidence, before: Evidence | None = None
) -> dict[str, Verdict]:
    """The verdict on every surface that has something to tell.

    `before` is what surfaces looked like when they last showed the record.
    """
    if all(surface.pieces for surface in surfaces):
        return explain(game, surfaces, state, evidence)
    return _Proposing(game, surfaces, state, evidence, before or {}).verdicts()


@dataclass(frozen=True)
class _Candidate:
    move: Event
    left: float
    """What it leaves unexplained."""
    weakest: float
    """The gain of its least sure change."""


class _Proposing(Generic[State]):
    def __init__(
        self, game: Game[State], surfaces: Sequence[Surface], state: State, evidence: Evidence, before: Evidence
    ) -> None:
        self._game, self._state, self._evidence = game, state, evidence
        self._surfaces = {surface.id: surface for surface in surfaces}
        self._shared = [surface.id for surface in surfaces if surface.owner is None]
        turn = game.to_act(state)
        self._must, self._acting = turn.must, turn.seats
        self._record = {at: game.expected_sight(state, at) for at in evidence}
        self._gains = {at: self._gained(at, before) for at in evidence}
        self._changed = {at: clear(found) for at, found in self._gains.items()}
        self._touched = {seat: self._first_trace(seat) for seat in self._acting}
        """By who may act, the surfaces that their moves change."""
        self._taken_wrong = False

    def _gained(self, at: str, before: Evidence) -> Mapping[str, Mapping[str, float]]:
        surface, record = self._surfaces[at], self._record[at]
        found = gains(self._game, surface, record, self._evidence[at])
        return found if surface.pieces else fresh(found, gains(self._game, surface, record, before.get(at, {})))

    def verdicts(self) -> dict[str, Verdict]:
        found: dict[str, Verdict] = {}
        if not any(self._is_in_sight(seat) for seat in self._acting or (LUCK,)):
            return found  # what belongs to a move on a shared surface cannot be told now
        for at in self._shared:
            if at in self._evidence and (verdict := self._shared_verdict(at)) is not None:
                found[at] = verdict
                self._taken_wrong = self._taken_wrong or verdict.what is Is.WRONG
        for at in self._evidence:
            owner = self._surfaces[at].owner
            if owner is None:
                continue
            verdict = self._wiped(at)
            if verdict is None and at in self._touched.get(owner, ()):
                verdict = self._done_by(at, owner) if self._is_in_sight(owner) else None
            elif verdict is None:
                verdict = self._out_of_turn(at)
            if verdict is not None:
                found[at] = verdict
        return found

    def _first_trace(self, seat: int) -> set[str]:
        """The surfaces that any move of this seat would change: they are all of one kind."""
        moves = self._game.legal_moves(self._state, seat)
        return set(self._game.trace(self._state, moves[0])) if moves else set()

    def _involved(self, seat: int) -> list[str]:
        """The shared surfaces that this seat's moves change: what lies on any other tells nothing about them."""
        return [at for at in self._shared if at in self._touched[seat]]

    def _is_in_sight(self, seat: int) -> bool:
        """Whether all that is shared and belongs to a move of this seat can be seen."""
        return all(at in self._evidence for at in self._shared if at in self._touched.get(seat, ()))

    # --- surfaces of a seat -------------------------------------------------------------------

    def _wiped(self, at: str) -> Verdict | None:
        if self._surfaces[at].pieces:
            return None
        gone = wiped(self._game, self._record[at], self._evidence[at])
        return Verdict(Is.WRONG, (), Message("sight.mark_wiped", {"board": at, "regions": gone})) if gone else None

    def _done_by(self, at: str, seat: int) -> Verdict | None:
        """What the seat on turn has done on its own surface, and on those that all share."""
        done = self._changed[at]
        if not done:
            return self._only_begun(at, seat)
        found = self._candidates(at, seat)
        best = found[0] if found else None
        if best is None or best.left > WORTH_ASKING or best.weakest < -CLEAR:
            return self._unexplained(at, seat, done)
        rivals = [other for other in found[1:] if other.left - best.left < MARGIN]
        if best.left <= UNEXPLAINED and best.weakest >= CLEAR and not rivals:
            return Verdict(Is.MOVE, (best.move,), extendable=self._extendable(at, seat, best.move))
        if len(rivals) >= MOST_ASKED or best.weakest < CLEAR:
            partial = self._unfinished(at, seat, done)
            if partial is not None and best.weakest < 0:
                return partial
        return Verdict(
            Is.UNCLEAR, tuple(each.move for each in (best, *rivals)[:MOST_ASKED]), Message("sight.which", {"board": at})
        )

    def _only_begun(self, at: str, seat: int) -> Verdict | None:
        """Nothing here yet; perhaps the part of a move on a shared surface."""
        begun = self._changed_shared(seat)
        if self._taken_wrong or not begun:
            return None
        for move in self._game.moves_within(self._state, seat, {at: set(self._record[at]), **begun}):
            return self._waiting(at, seat, move)
        return None

    def _candidates(self, at: str, seat: int) -> list[_Candidate]:
        """Moves that could be what is seen, best first; of moves that look the same only the first."""
        scope = [at, *self._involved(seat)]
        possible = {
            place: {region for region, kinds in self._gains[place].items() if max(kinds.values()) >= PLAUSIBLE}
            for place in scope
        }
        wanted = sum(max(0.0, *kinds.values()) for place in scope for kinds in self._gains[place].values())
        found: dict[frozenset[tuple[str, str, str]], _Candidate] = {}
        for move in self._game.moves_within(self._state, seat, possible):
            trace = self._game.trace(self._state, move)
            if not trace.get(at):
                continue  # nothing of it here: nobody can see that move
            changes = frozenset((place, region, kind) for place, part in trace.items() for region, kind in part.items())
            if changes not in found:
                gained = [self._gain(*change) for change in changes]
                found[changes] = _Candidate(move, wanted - sum(gained), min(gained))
        return sorted(found.values(), key=lambda candidate: candidate.left)

    def _gain(self, at: str, region: str, kind: str) -> float:
        kinds = self._gains.get(at, {}).get(region, {OTHER: 0.0})
        return kinds.get(kind, kinds.get(OTHER, LEAST))

    def _unexplained(self, at: str, seat: int, done: set[str]) -> Verdict:
        return self._unfinished(at, seat, done) or self._broken(at, seat)

    def _unfinished(self, at: str, seat: int, done: set[str]) -> Verdict | None:
        """What is here is part of a legal move, or all of it while its part on a shared surface is missing.

        If it is whole but for a thing of quite another kind (a shape, and no drone circled for it), the rule that
        it breaks as it is tells people more.
        """
        begun = self._changed_shared(seat)
        whole = None
        for move in self._game.moves_within(self._state, seat, {at: set(self._record[at]), **self._elsewhere(seat)}):
            marks = self._game.trace(self._state, move).get(at, {})
            if done < marks.keys():
                if not {marks[region] for region in marks.keys() - done}.isdisjoint(marks[region] for region in done):
                    return self._doing(at, seat, move)
                whole = whole or move
            if done == marks.keys() and not begun:
                return self._waiting(at, seat, move)
        if whole is None:
            return None
        return self._refused(at) or self._doing(at, seat, whole)

    def _elsewhere(self, seat: int) -> dict[str, set[str]]:
        """Where a move could leave its part on shared surfaces: where something changed, or anywhere."""
        return self._changed_shared(seat) or {at: set(self._record[at]) for at in self._involved(seat)}

    def _changed_shared(self, seat: int) -> dict[str, set[str]]:
        return {at: self._changed[at] for at in self._involved(seat) if self._changed[at]}

    def _doing(self, at: str, seat: int, move: Event) -> Verdict:
        return Verdict(Is.DRAWING, (), self._missing(at, seat, move), if_it_stays=self._refused(at))

    def _waiting(self, at: str, seat: int, move: Event) -> Verdict:
        return Verdict(Is.WAITING, (), self._missing(at, seat, move))

    def _missing(self, at: str, seat: int, move: Event) -> Message:
        """What to say while only part of this move is there."""
        done = {at: self._changed[at], **self._changed_shared(seat)}
        trace = self._game.trace(self._state, move)
        parts = [
            {
                place: {region: kind for region, kind in part.items() if (region in done.get(place, ())) == is_done}
                for place, part in trace.items()
            }
            for is_done in (True, False)
        ]
        message = self._game.unfinished(self._state, seat, *({p: c for p, c in part.items() if c} for part in parts))
        return Message(f"doing.{message.id}", message.facts)

    def _extendable(self, at: str, seat: int, move: Event) -> bool:
        """Another legal move has all of this and more of the same kinds."""
        trace = self._game.trace(self._state, move)
        marks = trace[at]
        others = {region for region, kind in self._record[at].items() if kind == EMPTY}
        kinds = set(marks.values())
        for other in self._game.moves_within(self._state, seat, {**trace, at: others}):
            more = self._game.trace(self._state, other).get(at, {})
            if marks.keys() < more.keys() and {more[r] for r in more.keys() - marks.keys()} <= kinds:
                return True
        return False

    def _out_of_turn(self, at: str) -> Verdict | None:
        if not self._changed[at]:
            return None
        verdict = self._refused(at)
        if verdict is not None:
            return verdict
        reason = "sight.not_your_turn" if LUCK not in self._must else "sight.too_early"
        return Verdict(Is.WRONG, (), Message(reason, {"board": at}))

    def _broken(self, at: str, seat: int) -> Verdict:
        """Which rule forbids what was evidently meant."""
        fits_not = Message("sight.no_move_fits", {"player": seat, "board": at})
        return self._refused(at) or Verdict(Is.WRONG, (), fits_not)

    def _refused(self, at: str) -> Verdict | None:
        meant = self._game.attempt(self._state, seen(self._evidence, [at, *self._shared]))
        if meant is None:
            return None
        try:
            self._game.decide(self._state, meant)
        except IllegalMove as error:
            return Verdict(Is.WRONG, (meant,), error.message)
        return None

    # --- surfaces that all share --------------------------------------------------------------

    def _shared_verdict(self, at: str) -> Verdict | None:
        if any(touched <= {at} for touched in self._touched.values()):
            return self._put_there(at)
        return self._mismatch(at) if any(at in touched for touched in self._touched.values()) else None

    def _put_there(self, at: str) -> Verdict | None:
        """All that can be done now is done here, with pieces that are put down one after the other, or rolled."""
        there = seen(self._evidence, [at])
        meant = self._game.attempt(self._state, there)
        if meant is None:
            return None if self._must == (LUCK,) else self._mismatch(at)
        try:
            self._game.decide(self._state, meant)
        except IllegalMove as error:
            # Dice that are not all there yet are no mistake.
            what = Is.WAITING if self._must == (LUCK,) else Is.WRONG
            return Verdict(what, (), error.message)
        if not self._all_sure(at, self._game.trace(self._state, meant).get(at, ())):
            return Verdict(Is.UNCLEAR, (meant,), Message("sight.pieces_unsure", {"board": at}))
        return Verdict(Is.MOVE, (meant,))

    def _all_sure(self, at: str, regions: Iterable[str]) -> bool:
        return all(sure(self._evidence[at][region]) for region in regions)

    def _mismatch(self, at: str) -> Verdict | None:
        """What is wrong with what has surely changed."""
        surely = {r: kind for r, kind in seen(self._evidence, [at])[at].items() if r in self._changed[at]}
        message = self._game.mismatch(self._state, at, {at: {**self._record[at], **surely}})
        if message is None:
            return None
        return Verdict(Is.WRONG, (), Message(f"mismatch.{message.id}", message.facts))
