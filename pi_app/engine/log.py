"""A game being played: moves, undo and corrections, all as records that are only ever added."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Generic

from pi_app.engine.contract import Game, IllegalMove, Setup, State
from pi_app.engine.events import Event, Record, Undone

Save = Callable[[Sequence[Record]], None]


class Play(Generic[State]):
    """The record of one game and the state that it folds to.

    `save` is given new records before anything changes here: if it raises, the move was not made.
    `now` gives the time stamp of a record.
    """

    def __init__(
        self,
        game: Game[State],
        setup: Setup,
        now: Callable[[], str],
        records: Iterable[Record] = (),
        save: Save = lambda records: None,
    ) -> None:
        self.game = game
        self.setup = setup
        self.records = list(records)
        self._now = now
        self._save = save
        self._start = game.start(setup)
        self._in_force: list[Record] = []
        for record in self.records:
            self._in_force = after_record(self._in_force, record)
        self.state = self._fold(self._in_force)

    @property
    def in_force(self) -> tuple[Record, ...]:
        """The records that count: nothing undone, no undoing."""
        return tuple(self._in_force)

    def known_to(self, viewer: int | None, records: Iterable[Record]) -> list[Record]:
        """Records as that seat may know them (None: as all may). After the end all is open."""
        game = self.game
        if game.outcome(self.state) is not None:
            return list(records)
        ends = (record.seq for record in self._in_force if game.ends_round(record.event))
        round_began = max(ends, default=0)
        return [
            replace(record, event=(game.event_for if record.seq > round_began else game.recalled)(record.event, viewer))
            for record in records
        ]

    def rename(self, players: Iterable[str]) -> None:
        """Others sit at the table now; nothing that happened changes."""
        self.setup = replace(self.setup, players=tuple(players))
        self._start = self.game.start(self.setup)
        self.state = self._fold(self._in_force)

    def do(self, move: Event) -> list[Record]:
        """Makes a move. Raises IllegalMove, or what `save` raises; then nothing has changed."""
        events = self.game.decide(self.state, move)
        state = self.state
        for event in events:
            state = self.game.apply(state, event)
        return self._add(events, state)

    def undo(self, upto: int | None = None) -> list[Record]:
        """Takes back the last move, or all moves after record `upto`. Raises IllegalMove."""
        moves = [record.seq for record in self._in_force if self.game.is_move(record.event)]
        if len(moves) < 2:
            # The first move starts the game: without it there is no game to undo in.
            raise IllegalMove("undo_nothing")
        if upto is None:
            upto = self._before(moves[-1])
        if upto not in {self._before(seq) for seq in moves[1:]}:
            raise IllegalMove("undo_unknown", upto=upto)
        kept = [record for record in self._in_force if record.seq <= upto]
        return self._add([Undone(upto)], self._fold(kept))

    def redo(self) -> list[Record]:
        """Takes the undo that was the last thing to happen back. Raises IllegalMove."""
        if not self.records or not isinstance(self.records[-1].event, Undone):
            raise IllegalMove("redo_nothing")
        before: list[Record] = []
        for record in self.records[:-1]:
            before = after_record(before, record)
        events = [record.event for record in before[len(self._in_force) :]]
        state = self.state
        for event in events:
            state = self.game.apply(state, event)
        return self._add(events, state)

    def correct(self, corrections: Mapping[int, Event]) -> list[Record]:
        """Replaces earlier moves (by record number) and decides all that followed anew.

        The result is what the game would be had it been played so. A later move that no longer
        fits is an IllegalMove naming its record, and nothing changes; correct both together.
        """
        moves = [record for record in self._in_force if self.game.is_move(record.event)]
        unknown = sorted(corrections.keys() - {record.seq for record in moves})
        if unknown or not corrections:
            raise IllegalMove("correct_unknown", seq=unknown[0] if unknown else 0)
        first = min(corrections)
        if first == moves[0].seq:
            raise IllegalMove("correct_start", seq=first)
        upto = self._before(first)
        state = self._fold(record for record in self._in_force if record.seq <= upto)
        events: list[Event] = [Undone(upto)]
        for record in moves:
            if record.seq <= upto:
                continue
            try:
                decided = self.game.decide(state, corrections.get(record.seq, record.event))
            except IllegalMove as error:
                raise IllegalMove(error.rule, **{**error.facts, "seq": record.seq}) from error
            for event in decided:
                state = self.game.apply(state, event)
            events.extend(decided)
        return self._add(events, state)

    def _before(self, seq: int) -> int:
        """The record in force just before record `seq`: undone ones lie between in the numbering."""
        return max((record.seq for record in self._in_force if record.seq < seq), default=0)

    def _fold(self, records: Iterable[Record]) -> State:
        state = self._start
        for record in records:
            state = self.game.apply(state, record.event)
        return state

    def _add(self, events: Sequence[Event], state: State) -> list[Record]:
        at, seq = self._now(), len(self.records) + 1
        new = [Record(seq + i, at, event) for i, event in enumerate(events)]
        self._save(new)
        for record in new:
            self._in_force = after_record(self._in_force, record)
        self.records += new
        self.state = state
        return new


def after_record(in_force: list[Record], record: Record) -> list[Record]:
    """The records that count once `record` is added to those that counted before."""
    if isinstance(record.event, Undone):
        upto = record.event.upto
        return [kept for kept in in_force if kept.seq <= upto]
    in_force.append(record)
    return in_force
