"""What holds for every game, whatever its rules: for the registered ones, and for the small one of these tests."""

import json
import random
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import LUCK, Game, IllegalMove
from pi_app.engine.events import GameEnded, from_json, to_json
from pi_app.engine.kinds import OTHER
from pi_app.games import GAMES
from pi_app.storage.gamefile import check_game_file, game_file
from tests.games.any_game import EVERY_GAME, any_move, any_play, nearly
from tests.games.tram import GAME as TRAM

LISTED = 20_000
SEEDS, MOVES = st.integers(0, 10**9), st.integers(1, 150)
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
some = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def _tram_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, TRAM.name, TRAM)


@every_game
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=SEEDS)
def test_legal_moves_never_raise_and_every_game_ends(game: Game[Any], seed: int) -> None:
    play = any_play(game, seed)
    outcome = game.outcome(play.state)
    assert game.to_act(play.state) == ((), ())
    assert outcome is not None
    assert outcome.scores == game.scores(play.state)
    assert play.in_force[-1].event == GameEnded(outcome.reasons, outcome.scores, outcome.winners)
    assert game.first_player(play.records[0].event) in range(len(play.setup.players))


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_legal_moves_are_counted_indexed_and_found_alike(game: Game[Any], seed: int, moves: int) -> None:
    """Where there are millions, such as hands that may be drawn, some of them stand for all."""
    play, rng = any_play(game, seed, moves), random.Random(seed)
    for seat in game.to_act(play.state).seats:
        legal = game.legal_moves(play.state, seat)
        count = len(legal)
        tried = range(count) if count <= LISTED else sorted(rng.sample(range(count), LISTED // 10))
        listed = {index: legal[index] for index in tried}
        assert len(listed) == len(set(listed.values())) > 0
        assert count > LISTED or list(legal) == list(listed.values())
        for index in rng.sample(tried, min(20, len(tried))):
            assert legal[index] == listed[index] == legal[index - count]
            assert listed[index] in legal
            game.decide(play.state, listed[index])
        assert legal[1:4] == [legal[index] for index in range(1, min(4, count))]
        with pytest.raises(IndexError):
            legal[count]


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_only_those_who_must_or_may_act_have_moves(game: Game[Any], seed: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    turn = game.to_act(play.state)
    assert not set(turn.must) & set(turn.may)
    for seat in {LUCK, *range(len(play.setup.players))} - set(turn.seats):
        assert len(game.legal_moves(play.state, seat)) == 0


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_what_luck_may_bring_is_legal_and_has_a_weight(game: Game[Any], seed: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    if LUCK in game.to_act(play.state).must:
        chances = game.chances(play.state)
        assert chances.weights is None or len(chances.weights) == len(chances.moves)
        assert chances.draw(random.Random(seed)) in game.legal_moves(play.state, LUCK)


@every_game
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=SEEDS, moves=MOVES)
def test_refused_moves_change_nothing(game: Game[Any], seed: int, moves: int) -> None:
    """Moves that are almost right: a legal one with one thing changed."""
    play, rng = any_play(game, seed, moves), random.Random(seed)
    records, state = list(play.records), play.state
    if not game.to_act(state).must:
        return
    move = nearly(any_move(game, state, rng), rng)
    if any(move in game.legal_moves(state, seat) for seat in game.to_act(state).seats):
        game.decide(state, move)
        return
    with pytest.raises(IllegalMove) as refused:
        play.do(move)
    json.dumps(refused.value.facts)
    assert (play.records, play.state) == (records, state)


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_the_sheet_adds_up_to_the_scores(game: Game[Any], seed: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    sums = [0] * len(play.setup.players)
    for row in game.sheet(play.setup, play.in_force):
        assert row.kind in game.categories
        sums[row.seat] += row.value
    assert tuple(sums) == game.scores(play.state)


@every_game
@some
@given(seed=SEEDS, back=st.integers(1, 20), moves=st.integers(3, 150))
def test_undo_then_redo_is_identity(game: Game[Any], seed: int, back: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    ends = [r.seq - 1 for r in play.in_force if game.is_move(r.event)][2:]
    state = play.state
    if ends:
        play.undo(ends[-min(back, len(ends))])
        play.redo()
    assert play.state == state


@every_game
@some
@given(seed=SEEDS, undo=st.booleans())
def test_replay_of_an_export_equals_the_state(game: Game[Any], seed: int, undo: bool) -> None:
    play = any_play(game, seed)
    if undo:
        play.undo()
        play.redo()
    exported: dict[str, Any] = json.loads(json.dumps(game_file(play)))
    again = check_game_file(exported)
    assert again.state == play.state
    assert again.records == play.records


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_an_export_of_a_running_game_can_be_checked_and_tells_what_all_may_know(
    game: Game[Any], seed: int, moves: int
) -> None:
    play = any_play(game, seed, moves)
    told = check_game_file(json.loads(json.dumps(game_file(play)))).records
    known = [game.event_for(record.event, None) for record in play.records]
    if game.outcome(play.state) is None:
        assert [record.event for record in told] == known[: len(told)]
    else:
        assert told == play.records


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_views_sights_and_lights_serialise(game: Game[Any], seed: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    for viewer in (None, *range(len(play.setup.players))):
        view = game.view(play.state, viewer)
        assert json.loads(json.dumps(view)) == view
    for surface in game.surfaces(play.setup):
        assert set(map(type, game.expected_sight(play.state, surface.id).values())) == {str}
        assert surface.owner in (None, *range(len(play.setup.players)))
    assert json.loads(json.dumps(game.lights(play.state)))


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_events_survive_json_also_with_their_secrets_left_out(game: Game[Any], seed: int, moves: int) -> None:
    play = any_play(game, seed, moves)
    for record in play.records:
        for event in (record.event, *(game.event_for(record.event, viewer) for viewer in (None, 0))):
            assert type(event) is type(record.event)
            assert from_json(json.loads(json.dumps(to_json(event))), game.events) == event


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_a_trace_is_what_the_move_itself_changes_in_what_is_expected(game: Game[Any], seed: int, moves: int) -> None:
    """Everything of a trace is expected after the move, or after what follows and shows it, and was not before."""
    play = any_play(game, seed, moves)
    for seat in game.to_act(play.state).seats:
        move = random.Random(seed).choice(game.legal_moves(play.state, seat))
        # One after the other: the end of a round may clear a surface, and that is no longer the move.
        states = [*accumulate(game.decide(play.state, move), game.apply, initial=play.state)]
        for at, marks in game.trace(play.state, move).items():
            before, then, *later = (game.expected_sight(state, at) for state in states)
            shown = [{region: one.get(region, kind) for region, kind in marks.items()} for one in (then, *later)]
            assert marks in shown
            assert all(before[region] != kind for region, kind in marks.items())
            acts = {r for r in then if game.act(r, then[r]) != game.act(r, before.get(r, OTHER))}
            assert acts <= {r for r, kind in marks.items() if game.act(r, kind) != game.act(r, before[r])}


@every_game
@some
@given(seed=SEEDS, moves=MOVES)
def test_moves_within_regions_are_the_legal_moves_whose_trace_lies_there(
    game: Game[Any], seed: int, moves: int
) -> None:
    play, rng = any_play(game, seed, moves), random.Random(seed)
    for seat in set(game.to_act(play.state).seats) - {LUCK}:
        legal = game.legal_moves(play.state, seat)
        regions: dict[str, set[str]] = {}
        for move in [rng.choice(legal) for _ in range(4)]:
            for at, marks in game.trace(play.state, move).items():
                regions.setdefault(at, set()).update(marks)
        found = list(game.moves_within(play.state, seat, regions))
        inside = [
            move
            for move in legal
            if all(
                {region for region, kind in marks.items() if kind != OTHER} <= regions.get(at, set())
                for at, marks in game.trace(play.state, move).items()
            )
        ]
        assert sorted(map(str, found)) == sorted(map(str, inside))
        assert not game.moves_within(play.state, len(play.setup.players), regions)


@every_game
def test_a_seat_is_told_an_event_whole_or_as_everybody_is(game: Game[Any]) -> None:
    play = any_play(game, 3, 60)
    for record in play.records:
        public = game.event_for(record.event, None)
        for viewer in range(len(play.setup.players)):
            assert game.event_for(record.event, viewer) in (record.event, public)
