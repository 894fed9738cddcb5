"""One game told afterwards: what counted and what was taken back, how the scores went, the table at any moment."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from pi_app.engine.contract import ScoreRow, Setup
from pi_app.engine.events import Record, Undone, to_json
from pi_app.engine.log import Play, after_record
from pi_app.engine.shown import shown
from pi_app.games import GAMES
from pi_app.storage.store import StoredGame

BREAK_S: Final = 30 * 60
"""A longer pause between two events is a break, not play."""


@dataclass(frozen=True)
class Digest:
    """The little that statistics need of a game."""

    minutes: int
    rounds: int
    rows: tuple[ScoreRow, ...]
    categories: Mapping[str, str]

    def parts(self, seat: int) -> dict[str, int]:
        """The points of a seat by where they come from."""
        own = [row for row in self.rows if row.seat == seat]
        return {name: sum(row.value for row in own if row.kind == kind) for kind, name in self.categories.items()}


class Story:
    """A stored game and everything that can be told about it. Raises BadData for a set-up that is no longer known."""

    def __init__(self, stored: StoredGame, setup: Setup, records: Sequence[Record]) -> None:
        self.stored = stored
        self.play = Play(GAMES[stored.game], setup, now=lambda: stored.last_at, records=records)

    @cached_property
    def states(self) -> list[Any]:
        """The state after every record; the first is the one before them all."""
        game = self.play.game
        states, kept = [game.start(self.play.setup)], [0]
        for record in self.play.records:
            if isinstance(record.event, Undone):
                while kept[-1] > record.event.upto:
                    kept.pop()
                states.append(states[kept[-1]])
            else:
                states.append(game.apply(states[kept[-1]], record.event))
                kept.append(record.seq)
        return states

    def table(self, seq: int) -> dict[str, Any]:
        """The table after record `seq`, as far as a screen draws it: the same shape as of a game that is played."""
        return shown(self.play.game, self.play.setup, self.states[seq], None)

    @cached_property
    def steps(self) -> list[dict[str, Any]]:
        """Every event with its round, the scores after it, and whether it still counts."""
        counts = {record.seq for record in self.play.in_force}
        game = self.play.game
        rounds = [game.round(state) for state in self.states]
        return [
            {
                "seq": record.seq,
                "at": record.at,
                # A round that ends belongs to itself, and after the last one no other begins.
                "round": min(rounds[record.seq - 1], rounds[record.seq]),
                "scores": list(game.scores(self.states[record.seq])),
                "counts": record.seq in counts,
                **to_json(known.event),
            }
            for record, known in zip(self.play.records, self.play.known_to(None, self.play.records), strict=True)
        ]

    @cached_property
    def race(self) -> list[dict[str, Any]]:
        """The scores after every turn that counts; turn 0 is the start."""
        points = [{"turn": 0, "seq": 0, "round": 1, "scores": [0] * len(self.play.setup.players)}]
        for step in self.steps:
            if not step["counts"]:
                continue
            if "player" in step and self.play.game.is_move(self.play.records[step["seq"] - 1].event):
                points.append({"turn": len(points), **{key: step[key] for key in ("seq", "round", "scores")}})
            else:  # a feature belongs to the turn that finished it
                points[-1] = {**points[-1], "seq": step["seq"], "scores": step["scores"]}
        return points

    @cached_property
    def minutes(self) -> int:
        return played_minutes(self.stored, self.play.records)

    def told(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        play, game = self.play, self.play.game
        outcome = game.outcome(play.state)
        return {
            **listed(self.stored),
            "scores": list(game.scores(play.state)),
            "minutes": self.minutes,
            "rounds": game.round(play.state),
            "options": dict(play.setup.options),
            "first_player": self.first_player,
            "parts": self._parts(),
            "reasons": list(outcome.reasons) if outcome else [],
            "steps": self.steps,
            "race": self.race,
            "view": game.view(play.state, None),
        }

    @property
    def first_player(self) -> int | None:
        return self.play.game.first_player(self.play.records[0].event) if self.play.records else None

    def _parts(self) -> list[dict[str, int]]:
        """The points of every seat by where they come from."""
        told = digest(self.stored, self.play.setup, self.play.records)
        return [told.parts(seat) for seat in range(len(self.play.setup.players))]


def digest(stored: StoredGame, setup: Setup, records: Sequence[Record]) -> Digest:
    """Without playing the game again: statistics may need hundreds of these at once."""
    in_force: list[Record] = []
    for record in records:
        in_force = after_record(in_force, record)
    game = GAMES[stored.game]
    ended = sum(game.ends_round(record.event) for record in in_force)
    if not stored.finished:
        in_force = [replace(record, event=game.event_for(record.event, None)) for record in in_force]
    rows = tuple(game.sheet(setup, in_force))
    return Digest(played_minutes(stored, records), ended if stored.finished else ended + 1, rows, game.categories)


def played_minutes(stored: StoredGame, records: Sequence[Record]) -> int:
    """How long was played, without breaks."""
    times = [datetime.fromisoformat(at) for at in (stored.started_at, *(record.at for record in records))]
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    return round(sum(pause for pause in pauses if 0 < pause <= BREAK_S) / 60)


def listed(stored: StoredGame) -> dict[str, Any]:
    """A game as lists show it."""
    return {
        "id": stored.id,
        "game": stored.game,
        "profile": stored.profile,
        "started_at": stored.started_at,
        "last_at": stored.last_at,
        "finished": stored.finished,
        "players": [
            {"seat": seat, **asdict(person), "bot": seat in stored.bots} for seat, person in enumerate(stored.people)
        ],
        "hidden": stored.hidden,
        "practice": stored.practice,
        "scores": list(stored.scores) if stored.scores is not None else None,
        "winners": list(stored.winners or ()),
        "places": places(stored),
        "events": stored.events,
    }


def places(stored: StoredGame) -> list[int] | None:
    """Which place every seat made; those who share one have the same number."""
    if stored.scores is None or stored.winners is None:
        return None
    won = set(stored.winners)
    return [
        1 if seat in won else 1 + max(len(won), sum(other > score for other in stored.scores))
        for seat, score in enumerate(stored.scores)
    ]
