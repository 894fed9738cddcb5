"""Pieces that came, went or were turned, and the moves that explain it, on all surfaces together.

Where all surfaces bear pieces, a move is told by all that it changes: a can here, a tile there, a part turned. It is
accepted when all of that is seen and what else changed is explained by the moves that follow, because people are
quicker than cameras. Part of a move is still being done.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, NamedTuple

from pi_app.engine.contract import LUCK, Game, IllegalMove, Message, Seen, State, Surface
from pi_app.engine.events import Event
from pi_app.engine.evidence import CLEAR, LEAST, UNEXPLAINED, Evidence, gains, likelihood, seen
from pi_app.engine.kinds import EMPTY, OTHER, pieces_of
from pi_app.engine.verdict import MARGIN, MOST_ASKED, PLAUSIBLE, WORTH_ASKING, Is, Verdict

FARTHEST = 3
"""So many moves may lie on the table before the first of them is accepted."""

Place = tuple[str, str]
"""A region of a surface."""


def explain(game: Game[State], surfaces: Sequence[Surface], state: State, evidence: Evidence) -> dict[str, Verdict]:
    """The verdict on the surface that tells most, as far as surfaces are in sight."""
    return _Explaining(game, surfaces, evidence).verdict(state)


class _Candidate(NamedTuple):
    seat: int
    moves: Sequence[Event]
    """They leave the same to be seen."""
    trace: Seen
    left: float
    """What it leaves unexplained."""
    weakest: float
    """The gain of its least sure change."""

    @property
    def vague(self) -> bool:
        """Whether anything may lie where it changes something: what follows from it has to be there, too."""
        return bool(self.trace) and all(kind == OTHER for part in self.trace.values() for kind in part.values())


class _Table(NamedTuple):
    """What is seen, compared with one state of the record."""

    record: Mapping[str, Mapping[str, str]]
    gains: Mapping[Place, Mapping[str, float]]
    """Where the record says what should be there, how much likelier other kinds are."""
    changed: frozenset[Place]
    wanted: float
    """All that is to be explained."""


class _Explaining(Generic[State]):
    def __init__(self, game: Game[State], surfaces: Sequence[Surface], evidence: Evidence) -> None:
        self._game, self._evidence, self._all = game, evidence, surfaces
        self._surfaces = [surface for surface in surfaces if surface.id in evidence]

    def verdict(self, state: State) -> dict[str, Verdict]:
        if not self._surfaces or self._game.unseen_luck(state) is not None:
            return {}
        table = self._compared(state)
        found = self._candidates(state, table, 0)
        accepted = self._accepted(state, found, 0)
        if accepted is not None:
            return {next(iter(accepted.trace), self._surfaces[0].id): self._told(state, accepted)}
        if not table.changed:
            return self._hardly_read(state, found)
        at = self._most_changed(table)
        told = self._implied(state) or self._asked(state, at, found) or self._doing(state, table)
        told = told or self._gone_on(state)
        if told is None and all(surface.id in self._evidence for surface in self._all if surface.owner is None):
            told = self._wrong(state, table, at)
        return {} if told is None else {at: told}

    def _told(self, state: State, accepted: _Candidate) -> Verdict:
        """The move, or a question where several leave the same to be seen; of too many one has to be told."""
        meant = self._game.meant(state, accepted.moves)
        if meant is not None:
            return Verdict(Is.MOVE, (meant,))
        if self._too_many(state, accepted.moves):
            return Verdict(Is.WAITING, (), Message("sight.tell_it", {"player": accepted.seat}))
        return Verdict(Is.UNCLEAR, tuple(accepted.moves), Message("sight.which", {"board": next(iter(accepted.trace))}))

    def _too_many(self, state: State, moves: Sequence[Event]) -> bool:
        """Whether these are more than people should choose from, unless all that is to be asked is who it was."""
        return len(moves) > MOST_ASKED and len({self._game.mover(state, move) for move in moves}) < len(moves)

    def _compared(self, state: State, before: State | None = None) -> _Table:
        """`before` is a state from which things may still lie as they did, because hands have not seen to them."""
        record = {surface.id: self._game.expected_sight(state, surface.id) for surface in self._surfaces}
        ahead = self._game.ahead(state, self._seen)
        found: dict[Place, Mapping[str, float]] = {}
        for surface in self._surfaces:
            skipped = {*ahead.get(surface.id, ()), *self._left(surface.id, record[surface.id], before)}
            known = {r: kind for r, kind in record[surface.id].items() if kind != OTHER and r not in skipped}
            for region, kinds in gains(self._game, surface, known, self._evidence[surface.id]).items():
                found[surface.id, region] = kinds
        best = {place: max(kinds.values()) for place, kinds in found.items()}
        changed = frozenset(place for place, gain in best.items() if gain >= CLEAR)
        return _Table(record, found, changed, sum(max(0.0, gain) for gain in best.values()))

    def _left(self, at: str, record: Mapping[str, str], before: State | None) -> Iterator[str]:
        """Regions where something is expected to be otherwise than it was, and still is as it was."""
        if before is not None:
            for region, kind in self._game.expected_sight(before, at).items():
                if record.get(region, kind) != kind and self._shows(at, region, kind):
                    yield region

    @cached_property
    def _seen(self) -> Seen:
        return seen(self._evidence, self._evidence)

    # --- candidates ---------------------------------------------------------------------------

    def _candidates(self, state: State, table: _Table, depth: int) -> list[_Candidate]:
        """Moves that could be what is seen, best first. Where one leaves anything and luck follows, that has to be
        there: a die that is thrown tells who is shot at."""
        possible = {surface.id: self._possible(surface.id, table) for surface in self._surfaces}
        found: dict[frozenset[tuple[str, str, str]], tuple[int, Seen, list[Event]]] = {}
        for seat in self._game.to_act(state).seats:
            for move in self._moves(state, seat, possible):
                trace = self._game.trace(state, move)
                if trace.keys() <= self._evidence.keys():
                    changes = ((at, region, kind) for at, part in trace.items() for region, kind in part.items())
                    found.setdefault(frozenset(changes), (seat, trace, []))[2].append(move)
        candidates = [self._scored(table, *alike) for alike in found.values()]
        proven = [c for c in candidates if not c.vague or self._leads_on(state, c, depth)]
        return sorted(proven, key=lambda candidate: candidate.left)

    def _possible(self, at: str, table: _Table) -> set[str]:
        """Regions that may have changed, or of which the record says nothing."""
        regions = {r for r, kind in table.record[at].items() if kind == OTHER}
        return regions | {
            region
            for (surface, region), kinds in table.gains.items()
            if surface == at and max(kinds.values()) >= PLAUSIBLE
        }

    def _moves(self, state: State, seat: int, possible: Mapping[str, set[str]]) -> Sequence[Event]:
        return self._game.chances(state).moves if seat == LUCK else self._game.moves_within(state, seat, possible)

    def _scored(self, table: _Table, seat: int, trace: Seen, moves: Sequence[Event]) -> _Candidate:
        gained, weakest = 0.0, -LEAST
        for at, part in trace.items():
            for region, kind in part.items():
                kinds = table.gains.get((at, region))
                if kind == OTHER:
                    gained += 0.0 if kinds is None else max(0.0, *kinds.values())
                elif kinds is not None:
                    gain = kinds.get(kind, kinds.get(OTHER, LEAST))
                    gained, weakest = gained + gain, min(weakest, gain)
                else:
                    certainty = self._certainty(at, region, kind)
                    gained, weakest = gained + min(0.0, certainty), min(weakest, certainty)
        return _Candidate(seat, moves, trace, table.wanted - gained, weakest)

    def _certainty(self, at: str, region: str, kind: str) -> float:
        """How much likelier a kind is than any other, where the record expects nothing in particular."""
        look = self._evidence[at].get(region)
        if not look:
            return LEAST
        return likelihood(look, kind) - max((value for name, value in look.items() if name != kind), default=LEAST)

    # --- what can be accepted -----------------------------------------------------------------

    def _accepted(self, state: State, found: Sequence[_Candidate], depth: int) -> _Candidate | None:
        """The one move that is wholly there, if it explains all that is seen or others explain the rest after it."""
        seen_moves = [candidate for candidate in found if candidate.trace and candidate.weakest >= CLEAR]
        if seen_moves:
            best = seen_moves[0]
            rivals = [c for c in found if c is not best and c.trace and c.left - best.left < MARGIN]
            if not rivals and (best.left <= UNEXPLAINED or self._goes_on(state, best, depth)):
                return best
            # What explains most may have come after what explains less.
            earlier = [
                c for c in seen_moves[1:FARTHEST] if c.left - best.left >= MARGIN and self._goes_on(state, c, depth)
            ]
            if not rivals and len(earlier) == 1:
                return earlier[0]
        # What luck brings may look like what was there before: what follows from it tells.
        unseen = [c for c in found if c.seat == LUCK and not c.trace and len(c.moves) == 1]
        return next((c for c in unseen if self._goes_on(state, c, depth, wholly=True)), None)

    def _leads_on(self, state: State, candidate: _Candidate, depth: int) -> bool:
        """Whether what luck brings then is there, if it is to bring something at once."""
        after = self._after(state, candidate.moves[0])
        if self._game.to_act(after).must != (LUCK,):
            return True
        return depth < FARTHEST and self._is_explained(after, depth + 1)

    def _is_explained(self, state: State, depth: int, before: State | None = None) -> bool:
        found = self._candidates(state, self._compared(state, before), depth)
        return self._accepted(state, found, depth) is not None

    def _goes_on(self, state: State, candidate: _Candidate, depth: int, wholly: bool = False) -> bool:
        """Whether what a move leaves unexplained is explained by moves that follow it, maybe one that is being made."""
        if depth >= FARTHEST:
            return False
        after = self._after(state, self._game.meant(state, candidate.moves) or candidate.moves[0])
        table = self._compared(after)
        if not table.changed:
            return bool(candidate.trace) or candidate.left > UNEXPLAINED
        if self._accepted(after, self._candidates(after, table, depth + 1), depth + 1) is not None:
            return True
        return not wholly and self._part_of(after, table) is not None

    def _after(self, state: State, move: Event) -> State:
        """The state after a move, and after what luck brings then that no camera sees."""
        follows: Event | None = move
        while follows is not None:
            for event in self._game.decide(state, follows):
                state = self._game.apply(state, event)
            follows = self._game.unseen_luck(state)
        return state

    # --- what cannot --------------------------------------------------------------------------

    def _hardly_read(self, state: State, found: Sequence[_Candidate]) -> dict[str, Verdict]:
        """Where luck was to bring something that lies there and cannot be told apart from others, people tell it."""
        brought = [c for c in found if c.seat == LUCK and c.trace and self._lies_there(c.trace)]
        at = next(iter(brought[0].trace)) if brought else ""
        asked = self._asked(state, at, brought)
        return {} if asked is None else {at: asked}

    def _lies_there(self, trace: Seen) -> bool:
        """Whether something surely lies in all these places, whatever it is."""
        looks = (self._evidence[at].get(region, {}) for at, part in trace.items() for region in part)
        return all(look and max(look.values()) - likelihood(look, EMPTY) >= CLEAR for look in looks)

    def _asked(self, state: State, at: str, found: Sequence[_Candidate]) -> Verdict | None:
        """Two or three moves explain it about equally well, or one does and is not sure."""
        likely = [c for c in found if c.trace and c.left <= WORTH_ASKING and c.weakest > -CLEAR]
        if not likely:
            return None
        if self._too_many(state, self._alike(state, likely[0])):
            return Verdict(Is.WAITING, (), Message("sight.tell_it", {"player": likely[0].seat}))
        near = [move for c in likely if c.left - likely[0].left < MARGIN for move in self._alike(state, c)]
        return Verdict(Is.UNCLEAR, tuple(near[:MOST_ASKED]), Message("sight.which", {"board": at}))

    def _alike(self, state: State, candidate: _Candidate) -> Sequence[Event]:
        meant = self._game.meant(state, candidate.moves)
        return candidate.moves if meant is None else (meant,)

    def _doing(self, state: State, table: _Table) -> Verdict | None:
        begun = self._part_of(state, table)
        if begun is None:
            return None
        seat, trace = begun
        done, missing = {}, {}
        for at, part in trace.items():
            is_there = {region: kind for region, kind in part.items() if self._shows(at, region, kind)}
            done[at] = is_there
            missing[at] = {region: kind for region, kind in part.items() if region not in is_there and kind != OTHER}
        message = self._game.unfinished(state, seat, _told(done), _told(missing))
        return Verdict(Is.DRAWING, (), Message(f"doing.{message.id}", message.facts), if_it_stays=self._refused(state))

    def _part_of(self, state: State, table: _Table) -> tuple[int, Seen] | None:
        """Who has begun a legal move, and what it would change: the one of which least is missing."""
        everywhere = {surface.id: set(self._game.expected_sight(state, surface.id)) for surface in self._all}
        best: tuple[int, int, Seen] | None = None
        for seat in self._game.to_act(state).seats:
            if seat == LUCK:
                continue
            for move in self._game.moves_within(state, seat, everywhere):
                trace = self._game.trace(state, move)
                if all(self._on_the_way(table, place, trace) for place in table.changed):
                    missing = sum(
                        not self._shows(at, r, kind) for at, part in trace.items() for r, kind in part.items()
                    )
                    if best is None or missing < best[0]:
                        best = missing, seat, trace
        return None if best is None else best[1:]

    def _on_the_way(self, table: _Table, place: Place, trace: Seen) -> bool:
        """Whether what is seen in a place lies between the record and what a move would leave there."""
        target = trace.get(place[0], {}).get(place[1])
        if target is None:
            return False
        if target == OTHER:
            return True
        look = self._evidence[place[0]][place[1]]
        now = Counter(pieces_of(max(look, key=lambda kind: look[kind])))
        before, then = Counter(pieces_of(table.record[place[0]][place[1]])), Counter(pieces_of(target))
        return now == then or before <= now <= then or then <= now <= before

    def _shows(self, at: str, region: str, kind: str) -> bool:
        look = self._evidence.get(at, {}).get(region, {})
        return kind == OTHER or (bool(look) and max(look, key=lambda name: look[name]) == kind)

    def _implied(self, state: State) -> Verdict | None:
        """The same where it goes without saying."""
        unmarked = self._game.by_button(state)
        if unmarked is None or not self._game.implied(state, unmarked) or not self._explains(state, unmarked):
            return None
        return Verdict(Is.MOVE, (unmarked,))

    def _gone_on(self, state: State) -> Verdict | None:
        """Who is to act seems to have made the move that leaves nothing behind: the next one has gone on."""
        unmarked = self._game.by_button(state)
        if unmarked is None or not self._explains(state, unmarked):
            return None
        player = self._game.mover(state, unmarked)
        return Verdict(Is.UNCLEAR, (unmarked,), Message("sight.gone_on", {"player": player}))

    def _explains(self, state: State, unmarked: Event) -> bool:
        """Whether all that is seen follows after a move that leaves nothing behind."""
        return self._is_explained(self._after(state, unmarked), 0, before=state)

    def _wrong(self, state: State, table: _Table, at: str) -> Verdict | None:
        refused = self._refused(state)
        if refused is not None:
            return refused
        surely = {
            region: kind for region, kind in seen(self._evidence, [at])[at].items() if (at, region) in table.changed
        }
        message = self._game.mismatch(state, at, {at: surely})
        if message is None:
            return Verdict(Is.WRONG, (), Message("sight.no_move_fits", {"board": at, "player": self._acting(state)}))
        return Verdict(Is.WRONG, (), Message(f"mismatch.{message.id}", message.facts))

    def _acting(self, state: State) -> int:
        return next((seat for seat in self._game.to_act(state).must if seat != LUCK), 0)

    def _refused(self, state: State) -> Verdict | None:
        """Which rule forbids what was evidently meant."""
        meant = self._game.attempt(state, self._seen)
        if meant is None:
            return None
        try:
            self._game.decide(state, meant)
        except IllegalMove as error:
            return Verdict(Is.WRONG, (meant,), error.message)
        return None

    def _most_changed(self, table: _Table) -> str:
        counts = Counter(at for at, _ in table.changed)
        return max((surface.id for surface in self._surfaces), key=lambda at: counts[at])


def _told(parts: Mapping[str, Mapping[str, str]]) -> Seen:
    return {at: part for at, part in parts.items() if part}
