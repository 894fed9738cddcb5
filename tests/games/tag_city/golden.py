"""Whole games of Tag City for transcripts, and how they are told."""

import random
from collections.abc import Callable

from pi_app.engine.events import Event, GameEnded, Undone
from pi_app.engine.log import Play
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    FeatureCompleted,
    GameStarted,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.games.tag_city.rules.shapes import square_name
from tests.playing import TAG_CITY, house_setup, new_play, play_on


def two_players_side_a() -> Play[State]:
    return play_on(new_play(house_setup(2)), random.Random(1))


def three_players_other_sides_and_options() -> Play[State]:
    setup = house_setup(3, "B", hq_seed=4, equal_dice=False, drone_order="free")
    return play_on(new_play(setup), random.Random(2))


def four_players_with_undo_and_correction() -> Play[State]:
    play = play_on(new_play(house_setup(4)), random.Random(3), 40)
    play.undo()
    play_on(play, random.Random(4), 5)
    play.undo(play.in_force[9].seq)
    play.redo()
    wrong = next(record for record in reversed(play.in_force) if isinstance(record.event, ShapePainted))
    move = wrong.event
    assert isinstance(move, ShapePainted)
    free = ~(play.state.boards[move.player].painted & ~play.state.printed.mask(move.cells))
    places = play.state.printed.shapes[move.shape].placements
    cells = next(cells for mask, cells in places.items() if mask & free == mask and cells != move.cells)
    play.correct({wrong.seq: ShapePainted(move.player, move.die, move.shape, cells, move.drone)})
    return play_on(play, random.Random(5))


GAMES: dict[str, Callable[[], Play[State]]] = {
    "2-players": two_players_side_a,
    "3-players-options": three_players_other_sides_and_options,
    "4-players-corrected": four_players_with_undo_and_correction,
}


def line(event: Event, names: tuple[str, ...]) -> str:
    match event:
        case GameStarted(leader):
            return f"{names[leader]} leads first"
        case DiceRolled(values):
            return f"roll: {' '.join(map(str, values))}"
        case DiePlaced(die, section):
            return f"die {die} to section {section}"
        case ShapePainted(player, die, shape, cells, drone):
            with_drone = "" if drone is None else f" by drone {drone}"
            return f"{names[player]}, die {die}: {shape}{with_drone} on {' '.join(map(square_name, cells))}"
        case SocialChecked(player, die, bubble):
            return f"{names[player]}, die {die}: social networks, " + (f"bubble {bubble}" if bubble else "free")
        case FeatureCompleted(player, feature, rank, value):
            return f"   {names[player]} completes {feature}, {rank}: {value}"
        case RoundEnded(number, next_leader):
            return f"end of round {number}, {names[next_leader]} leads next"
        case GameEnded(reasons, scores, winners):
            won = " & ".join(names[seat] for seat in winners)
            return f"end ({', '.join(reasons)}): {' '.join(map(str, scores))}, won by {won}"
        case Undone(upto):
            return f"undone: everything after {upto}"
    raise AssertionError(event)


def boards(state: State) -> list[str]:
    seats = TAG_CITY.view(state, None)["boards"]
    width = state.printed.cols + 4
    heads = "".join(f"{board['player']} {board['score']['total']}".ljust(width) for board in seats)
    rows = ["".join(board["painted"][row].ljust(width) for board in seats) for row in range(state.printed.rows)]
    return [heads, *rows]
