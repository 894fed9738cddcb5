"""What many games tell about one player."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from pi_app.history.story import Digest, places
from pi_app.storage.store import Person, StoredGame

RECENT: Final = 10
FAVOURITES: Final = 8


@dataclass(frozen=True)
class Result:
    """How one seat of a finished game fared."""

    game: StoredGame
    seat: int
    place: int

    @property
    def score(self) -> int:
        assert self.game.scores is not None
        return self.game.scores[self.seat]

    @property
    def won(self) -> bool:
        return self.place == 1


def results(games: Iterable[StoredGame]) -> dict[int, list[Result]]:
    """The results of everybody by their number, in the order of the games.

    Games count that are finished, and neither practice nor out of sight.
    """
    found: dict[int, list[Result]] = {}
    for game in games:
        made = None if game.practice or game.hidden else places(game)
        for seat, person in enumerate(game.people if made else ()):
            assert made is not None
            found.setdefault(person.id, []).append(Result(game, seat, made[seat]))
    return found


def summary(person: Person, own: Sequence[Result]) -> dict[str, Any]:
    """A player in a list of players."""
    scores = [result.score for result in own]
    best = max(own, key=lambda result: result.score, default=None)
    return {
        "id": person.id,
        "name": person.name,
        "games": len(own),
        "wins": sum(result.won for result in own),
        "average": round(fmean(scores), 1) if scores else None,
        "best": best and {"score": best.score, "game": best.game.id},
        "last_at": own[-1].game.started_at if own else None,
    }


def profile(person: Person, own: Sequence[Result], digests: Mapping[int, Digest]) -> dict[str, Any]:
    """A player's page; `digests` are those of their finished games by number."""
    return {
        **summary(person, own),
        "form": [_form(result) for result in own[-RECENT:]],
        "by_game": [
            _in_game(name, [result for result in own if result.game.game == name], digests)
            for name in dict.fromkeys(result.game.game for result in own)
        ],
        "opponents": _opponents(person, own),
    }


def _in_game(name: str, own: Sequence[Result], digests: Mapping[int, Digest]) -> dict[str, Any]:
    """Where points came from in games of one name, and where those of the others."""
    others = [(digests[r.game.id], seat) for r in own for seat in range(len(r.game.people)) if seat != r.seat]
    return {
        "game": name,
        "parts": _average_parts([(digests[result.game.id], result.seat) for result in own]),
        "others": _average_parts(others),
        "favourites": _favourites(own, digests),
    }


def _form(result: Result) -> dict[str, Any]:
    game = result.game
    return {
        "game": game.id,
        "at": game.started_at,
        "score": result.score,
        "place": result.place,
        "of": len(game.people),
        "won": result.won,
    }


def _average_parts(seats: Sequence[tuple[Digest, int]]) -> dict[str, float] | None:
    """Points per game, by where they come from."""
    if not seats:
        return None
    parts = [digest.parts(seat) for digest, seat in seats]
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: round(fmean(part[name] for part in parts if name in part), 1) for name in names}


def _favourites(own: Sequence[Result], digests: Mapping[int, Digest]) -> list[dict[str, Any]]:
    """What brought most, edition by edition: the same item is another one on another board."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for result in own:
        for row in digests[result.game.id].rows:
            if row.seat != result.seat or row.value <= 0:
                continue
            key = (result.game.profile, row.item)
            start = {"profile": key[0], "item": key[1], "times": 0, "ranks": {}, "points": 0}
            one = found.setdefault(key, start)
            one["times"] += 1
            one["ranks"][row.rank] = one["ranks"].get(row.rank, 0) + 1
            one["points"] += row.value
    return sorted(found.values(), key=lambda one: (-one["points"], one["item"]))[:FAVOURITES]


def _opponents(person: Person, own: Sequence[Result]) -> list[dict[str, Any]]:
    """Head to head: who was ahead in the games played together."""
    found: dict[int, dict[str, Any]] = {}
    for result in own:
        made, scores = places(result.game), result.game.scores
        assert made is not None
        assert scores is not None
        for seat, other in enumerate(result.game.people):
            if other.id == person.id or other.name is None:
                continue
            start = {"id": other.id, "name": other.name, "games": 0, "ahead": 0, "behind": 0, "level": 0, "margin": 0}
            one = found.setdefault(other.id, start)
            one["games"] += 1
            outcome = "ahead" if result.place < made[seat] else "behind" if result.place > made[seat] else "level"
            one[outcome] += 1
            one["margin"] += result.score - scores[seat]
    for one in found.values():
        one["margin"] = round(one["margin"] / one["games"], 1)
    return sorted(found.values(), key=lambda one: (-one["games"], one["name"].casefold()))
