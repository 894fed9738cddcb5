"""The engine's legal moves against an independent brute-force count (brute.py)."""

import ast
import random
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pi_app.engine.contract import LUCK, Setup
from pi_app.engine.events import Event
from pi_app.games.tag_city.edition.profile import HOUSE, draw_sections, resolve
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    GameStarted,
    ShapePainted,
    SocialChecked,
    State,
)
from tests.games.tag_city import brute
from tests.games.tag_city.helpers import GAME, NAMES, drafting, played, scores, table, with_painted
from tests.profiles import load_profile


def plain(event: Event) -> brute.Move:
    """A move of the engine in the words of brute.py."""
    match event:
        case GameStarted():
            return ("start", event.leader)
        case DiceRolled():
            return ("roll", event.values)
        case DiePlaced():
            return ("place", event.die, event.section)
        case ShapePainted():
            return ("paint", event.player, event.die, event.shape, tuple(sorted(event.cells)), event.drone)
        case SocialChecked():
            return ("social", event.player, event.die, event.bubble)
    raise TypeError(event.type)


def as_event(move: brute.Move) -> Event:
    kinds: dict[str, Any] = {
        "start": GameStarted,
        "roll": DiceRolled,
        "place": DiePlaced,
        "paint": ShapePainted,
        "social": SocialChecked,
    }
    event: Event = kinds[move[0]](*move[1:])
    return event


# --- whole games on the house edition ---------------------------------------------------------

HOUSE_EDITION = load_profile(HOUSE)
World: TypeAlias = tuple[str, int, bool, str]
WORLDS: list[World] = [
    (side, players, equal_dice, drone_order)
    for players in (2, 3, 4)
    for side in ("A", "B")
    for equal_dice in (True, False)
    for drone_order in ("printed", "free")
]


@dataclass(frozen=True)
class Both:
    """One position of a game, as the engine and as brute force have it."""

    state: State
    rules: brute.Rules
    at: brute.Position


@cache
def game_of(side: str, players: int, equal_dice: bool, drone_order: str) -> list[Both]:
    """A game by lot from its start to its end."""
    rng = random.Random(f"{side} {players} {equal_dice} {drone_order}")
    profile = resolve(HOUSE_EDITION, side, draw_sections(HOUSE_EDITION, rng))
    options = {"equal_dice": equal_dice, "drone_order": drone_order}
    state, rules = GAME.start(Setup(profile, options, NAMES[:players])), brute.Rules(profile, equal_dice, drone_order)
    game = [Both(state, rules, brute.begin(players))]
    while GAME.to_act(state).must:
        move = _mostly_painting(state, rng)
        state = played(state, move)
        game.append(Both(state, rules, brute.after(rules, game[-1].at, plain(move))))
    return game


def _mostly_painting(state: State, rng: random.Random) -> Event:
    """A legal move; taggers like to fill their city from the top, so that rows and districts get complete."""
    moves = GAME.legal_moves(state, rng.choice(GAME.to_act(state).must))
    own = list(takewhile(lambda move: isinstance(move, ShapePainted) and move.drone is None, moves))
    if own and rng.random() < 0.95:
        return min(own, key=_height)
    return rng.choice(moves)


def _height(move: Event) -> float:
    assert isinstance(move, ShapePainted)
    return sum(row for row, _ in move.cells) / len(move.cells)


def choices(game: list[Both], most: int) -> list[tuple[Both, int]]:
    """At most so many positions of a game, by lot, with a seat to act; rolls are looked at elsewhere."""
    acting = [both for both in game if both.state.phase != "roll" and GAME.to_act(both.state).must]
    chosen = random.Random(len(game)).sample(acting, min(most, len(acting)))
    return [(both, seat) for both in chosen for seat in GAME.to_act(both.state).must]


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_a_game_has_as_many_moves_as_brute_force_finds(world: World) -> None:
    for both, seat in choices(game_of(*world), most=12):
        assert len(GAME.legal_moves(both.state, seat)) == sum(1 for _ in brute.moves(both.rules, both.at, seat))


@pytest.mark.parametrize("world", WORLDS[::3], ids=str)
def test_a_game_has_the_very_moves_that_brute_force_finds(world: World) -> None:
    for both, seat in choices(game_of(*world), most=5):
        moves = [plain(move) for move in GAME.legal_moves(both.state, seat)]
        assert len(set(moves)) == len(moves)
        assert set(moves) == set(brute.moves(both.rules, both.at, seat))


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_a_game_has_the_same_turns_points_and_marks_as_on_paper(world: World) -> None:
    for both in game_of(*world):
        assert set(GAME.to_act(both.state).must) == set(brute.who(both.at))
        assert scores(both.state) == both.at.scores()
        for seat in range(both.at.players):
            assert _marks(both.state, seat) == _marks_on_paper(both.at, seat)


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_a_game_ends_as_on_paper(world: World) -> None:
    last = game_of(*world)[-1]
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert list(outcome.scores) == last.at.scores()
    assert list(outcome.winners) == brute.winners(last.at)
    assert list(outcome.reasons) == last.at.reasons


def test_these_games_meet_all_kinds_of_marks() -> None:
    ends = [game_of(*world)[-1].at for world in WORLDS]
    regions = {region for at in ends for values in at.circled for region in values}
    kinds = {(region.partition(".")[0], region.rpartition(".")[2]) for region in regions}
    assert kinds >= {(kind, rank) for kind in ("row", "col", "district") for rank in ("high", "low")}
    assert {"drone.5", "bubble.5"} <= regions


def _marks(state: State, seat: int) -> dict[str, str]:
    sight = GAME.expected_sight(state, f"city-{seat + 1}")
    return {region: kind for region, kind in sight.items() if kind != "empty"}


def _marks_on_paper(at: brute.Position, seat: int) -> dict[str, str]:
    squares = {f"r{row + 1}c{col + 1}": "marked" for row, col in at.painted[seat]}
    return squares | dict.fromkeys(at.circled[seat], "circled") | dict.fromkeys(at.crossed[seat], "crossed")


# --- every position up to a depth, on a tiny city ---------------------------------------------


def count(state: State, depth: int, roll: tuple[int, ...]) -> brute.Tally:
    if depth == 0:
        return brute.Tally(1, int(state.phase == "over"), sum(scores(state)))
    tally = brute.Tally()
    for seat in GAME.to_act(state).must:
        moves = [DiceRolled(roll)] if state.phase == "roll" else GAME.legal_moves(state, seat)
        for move in moves:
            tally += count(played(state, move), depth - 1, roll)
    return tally


def expected_counts() -> list[tuple[str, int, brute.Tally]]:
    found = []
    for line in brute.COUNTS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, *numbers = line.split()
            depth, positions, ended, points = map(int, numbers)
            found.append((name, depth, brute.Tally(positions, ended, points)))
    return found


@pytest.mark.parametrize(("name", "depth", "expected"), expected_counts())
def test_positions_by_depth(name: str, depth: int, expected: brute.Tally) -> None:
    start = brute.STARTS[name]
    options = {"equal_dice": start.equal_dice, "drone_order": start.drone_order}
    state = played(table(start.players, brute.CROSSING, **options), *map(as_event, start.line))
    assert count(state, depth, start.roll) == expected


def test_the_table_of_counts_is_what_brute_force_counts() -> None:
    assert brute.COUNTS.read_text(encoding="utf-8").splitlines() == list(brute.rows())


def test_the_counts_reach_the_ends_of_rounds_and_games() -> None:
    tallies = expected_counts()
    assert {name for name, _, _ in tallies} == set(brute.STARTS)
    assert any(0 < tally.ended < tally.positions for _, _, tally in tallies)


# --- the counter and the sequence themselves --------------------------------------------------


def test_brute_force_shares_nothing_with_the_program() -> None:
    tree = ast.parse(Path(brute.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= {
        "argparse",
        "collections",
        "dataclasses",
        "itertools",
        "pathlib",
        "typing",
    }


def test_every_roll_is_found_by_brute_force_too() -> None:
    state, at = played(table(3), GameStarted(0)), brute.begin(3)
    at.phase = "roll"
    rules = brute.Rules(brute.CROSSING)
    assert {plain(move) for move in GAME.legal_moves(state, LUCK)} == set(brute.moves(rules, at, LUCK))
    assert len(GAME.legal_moves(state, LUCK)) == 6**4


@pytest.mark.parametrize("drone_order", ["printed", "free"])
def test_moves_can_be_counted_indexed_searched_and_walked_through_alike(drone_order: str) -> None:
    state = with_painted(drafting(1, 2, 3, drone_order=drone_order), 1, "A1 B2 C3 D3")
    moves = GAME.legal_moves(state, 1)
    walked = list(moves)
    assert len(moves) == len(walked) == len(set(walked))
    assert [moves[i] for i in range(len(moves))] == walked
    assert [moves[-1], *moves[2:5]] == [walked[-1], *walked[2:5]]
    assert all(move in moves for move in walked)
    with pytest.raises(IndexError):
        moves[len(moves)]
