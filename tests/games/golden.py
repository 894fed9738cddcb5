"""Whole games as text that a person can read and compare.

Run `python -m tests.games.golden` to write the transcripts in tests/data/golden anew; look at the
difference before you keep it.
"""

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from pi_app.engine.events import GameEnded, Record, Undone
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

FOLDER = Path(__file__).parent.parent / "data" / "golden"


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
    "tag_city-2-players": two_players_side_a,
    "tag_city-3-players-options": three_players_other_sides_and_options,
    "tag_city-4-players-corrected": four_players_with_undo_and_correction,
}


def transcript(play: Play[State]) -> str:
    """Every event in a line, all boards after every round."""
    lines = [f"{', '.join(play.setup.players)}; options: {dict(play.setup.options)}", ""]
    told = Play(TAG_CITY, play.setup, now=str)
    for index, record in enumerate(play.records):
        lines.append(f"{record.seq:>4}  {_line(record, play.setup.players)}")
        if isinstance(record.event, RoundEnded):
            told = Play(TAG_CITY, play.setup, now=str, records=play.records[: index + 1])
            lines += ["", *_boards(told.state), ""]
    return "\n".join(lines) + "\n"


def _line(record: Record, names: tuple[str, ...]) -> str:
    match record.event:
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
    raise AssertionError(record)


def _boards(state: State) -> list[str]:
    boards = TAG_CITY.view(state, None)["boards"]
    width = state.printed.cols + 4
    heads = "".join(f"{board['player']} {board['score']['total']}".ljust(width) for board in boards)
    rows = ["".join(board["painted"][row].ljust(width) for board in boards) for row in range(state.printed.rows)]
    return ["      " + line.rstrip() for line in [heads, *rows]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the transcripts anew.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for name, play in GAMES.items():
        (folder / f"{name}.txt").write_text(transcript(play()), encoding="utf-8")
        print(folder / f"{name}.txt")
