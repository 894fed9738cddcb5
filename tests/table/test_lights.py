"""What the lights say, zone by zone."""

import re
from pathlib import Path

import pytest

from pi_app.engine.contract import Message
from pi_app.perception.sight import Sees, Told
from pi_app.table.lights import (
    ACCEPTED,
    ASKING,
    DARK,
    LOST,
    OPEN,
    PLAYERS,
    PLAYING,
    REFUSED,
    SEAT_COLOURS,
    TURN,
    Flash,
    lamps,
    seat_colours,
)
from tests.games.tag_city.helpers import GAME, at_last_die, drafting, played, social, tiny

BOARDS = {"city-1": 0, "city-2": 1, "hq": None}


def test_whose_turn_it_is_and_which_sections_are_open() -> None:
    frame = lamps(GAME.lights(drafting(1, 2, 3)), {}, BOARDS)
    assert frame.keys() == {"seat.1", "seat.2", *(f"section.{n}" for n in range(1, 7)), "status"}
    assert (frame["seat.1"], frame["seat.2"]) == (DARK, TURN)
    assert [frame[f"section.{n}"] for n in range(1, 7)] == [OPEN, OPEN, OPEN, DARK, DARK, DARK]
    assert frame["status"] == PLAYING


def test_with_the_last_die_all_who_are_to_act_are_lit() -> None:
    frame = lamps(GAME.lights(at_last_die(1)), {}, BOARDS)
    assert (frame["seat.1"], frame["seat.2"]) == (TURN, TURN)


@pytest.mark.parametrize(
    ("state", "colour"), [(Sees.ASKING, ASKING), (Sees.MISMATCH, REFUSED), (Sees.CAMERA_LOST, LOST)]
)
def test_a_question_or_a_refusal_lights_its_own_seat(state: Sees, colour: tuple[int, int, int]) -> None:
    frame = lamps(GAME.lights(drafting(1, 2, 3)), {"city-1": Told(state)}, BOARDS)
    assert (frame["seat.1"], frame["seat.2"], frame["status"]) == (colour, TURN, colour)


@pytest.mark.parametrize("state", [Sees.WAIT, Sees.HAND, Sees.SETTLING, Sees.DRAWING, Sees.READING])
def test_what_is_no_news_changes_no_light(state: Sees) -> None:
    roles = GAME.lights(drafting(1, 2, 3))
    assert lamps(roles, {"city-2": Told(state), "hq": Told(state)}, BOARDS) == lamps(roles, {}, BOARDS)


def test_a_wrong_die_lights_its_section_and_several_light_them_all() -> None:
    roles = GAME.lights(drafting(1, 2, 3))
    one = lamps(roles, {"hq": Told(Sees.MISMATCH, Message("rule.wrong_section", {"section": 5}))}, BOARDS)
    assert [zone for zone, colour in one.items() if colour == REFUSED] == ["section.5", "status"]
    several = lamps(roles, {"hq": Told(Sees.MISMATCH, Message("mismatch.two_dice_taken", {"count": 2}))}, BOARDS)
    assert sum(several[f"section.{n}"] == REFUSED for n in range(1, 7)) == 6


def test_accepted_is_green_and_a_completed_feature_shows_the_players_colour() -> None:
    roles = GAME.lights(drafting(1, 2, 3))
    assert lamps(roles, {}, BOARDS, [Flash(0)])["seat.1"] == ACCEPTED
    assert lamps(roles, {}, BOARDS, [Flash(0), Flash(0, completed=True)])["seat.1"] == SEAT_COLOURS[0]


def test_the_end_shines_in_the_winners_colours() -> None:
    over = played(at_last_die(1, profile=tiny(bubbles=[-2])), social(0, 0, 1), social(1, 0, 1))
    outcome = GAME.outcome(over)
    assert outcome is not None
    frame = lamps(GAME.lights(over), {}, BOARDS)
    assert {seat for seat in (0, 1) if frame[f"seat.{seat + 1}"] == SEAT_COLOURS[seat]} == set(outcome.winners)


def test_a_finished_feature_shines_in_the_colour_its_player_chose() -> None:
    roles = GAME.lights(drafting(1, 2, 3))
    chosen = seat_colours({0: "violet", 1: "cyan"})
    assert lamps(roles, {}, BOARDS, [Flash(0, completed=True)], chosen)["seat.1"] == PLAYERS["violet"]
    assert chosen[1] == PLAYERS["cyan"]
    assert len(set(chosen)) == len(chosen), "nobody shares a colour"


def test_every_colour_of_a_seat_can_be_shown_on_pages_too() -> None:
    style = (Path(__file__).parents[2] / "web" / "static" / "css" / "base.css").read_text(encoding="utf-8")
    assert set(re.findall(r"\.c-(\w+)", style)) == set(PLAYERS)


def test_a_game_of_eight_names_its_own_zones() -> None:
    roles = {**{f"seat.{seat}": "calm" for seat in range(8)}, "seat.7": "winner", "stop.3": "open", "status": "over"}
    told = {"line": Told(Sees.MISMATCH, Message("mismatch.moved", {"stop": 3}))}
    assert lamps(roles, {}, {"line": None})["seat.8"] == SEAT_COLOURS[7]
    assert lamps(roles, {}, {"line": None})["stop.3"] == OPEN
    assert lamps(roles, told, {"line": None})["stop.3"] == REFUSED
