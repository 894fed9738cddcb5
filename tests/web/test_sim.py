"""The simulated table through the API: hands do what they are told, and nonsense is refused."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.sim.table import DIE_MM, SimTable
from pi_app.perception.board_pictures import Pictures
from pi_app.simulation.renderer import SimRenderer
from pi_app.simulation.simroom import SimGame, SimRoom
from pi_app.table.inputs import Command
from tests.playing import TAG_CITY, house_setup
from tests.web.house import Answer, Table4Web, opened
from web.sim import ACTIONS


class At:
    """A dashboard with a simulated table behind it."""

    def __init__(self, web: Table4Web, sim: SimTable, room: SimRoom) -> None:
        self.web, self.sim, self.room = web, sim, room
        self.token = web.host()

    def act(self, action: str, **args: Any) -> Answer:
        return self.web.post("/api/sim", {"action": action, **args}, self.token)


@pytest.fixture(scope="module")
def renderer() -> SimRenderer:
    return SimRenderer.of(TAG_CITY.edition.kit(house_setup(2).profile))


@pytest.fixture
def at(tmp_path_factory: pytest.TempPathFactory, renderer: SimRenderer) -> Iterator[At]:
    room = SimRoom()
    with opened(tmp_path_factory.mktemp("sim"), players=2, sim=room) as web:
        sim = SimTable(1, lambda: 0.0, renderer.boards(TAG_CITY.surfaces(house_setup(2))))
        for seat, name in enumerate(web.table.setup.players):
            web.table.step(Command("sit", {"seat": seat, "name": name, "bot": True}))
        web.play(1)  # somebody leads and is to roll
        room.open(SimGame(sim, web.table, renderer, Pictures(renderer.layout)))
        yield At(web, sim, room)


def test_dice_are_rolled_put_taken_and_knocked_over(at: At) -> None:
    assert at.act("roll").status_code == 200
    assert len(at.sim.state.dice) == 3, "one more than there are players"
    value = at.sim.state.dice[0].value
    at.act("put", die=0, board="hq", region="section.4")
    at.act("knock", die=1)
    at.act("take", die=2)
    shown = at.web.get("/api/sim").json["dice"]
    assert shown[0] == {"die": 0, "value": value, "board": "hq", "region": "section.4"}
    assert [die["die"] for die in shown] == [0, 1]
    assert at.act("take", die=2).json["error"] == "sim.cannot"


def test_a_die_that_was_taken_is_in_hand_and_can_be_put_back(at: At) -> None:
    at.act("roll")
    values = [die.value for die in at.sim.state.dice]
    at.act("put", die=1, board="hq", region="section.5")
    at.act("take", die=1)
    at.act("take", die=2)
    assert at.web.get("/api/sim").json["taken"] == [
        {"value": values[1], "board": "hq", "region": "section.5"},
        {"value": values[2], "board": None, "region": None},
    ], "and where they lay"
    assert at.act("bring", value=values[1], board="hq", region="section.2").status_code == 200
    assert at.act("bring", value=values[2], board=None, region=None).status_code == 200
    shown = at.web.get("/api/sim").json
    assert shown["taken"] == []
    assert [(die["value"], die["region"]) for die in shown["dice"]] == [
        (values[0], None),
        (values[1], "section.2"),
        (values[2], None),
    ]
    assert at.act("bring", value=1, board="hq", region="section.1").json["error"] == "sim.cannot", (
        "there are no more dice than that"
    )
    at.act("take", die=0)
    at.act("roll")
    assert at.web.get("/api/sim").json["taken"] == [], "a new roll is one of all dice"


def test_a_die_on_a_section_can_be_laid_beside_the_hq_again(at: At) -> None:
    at.act("roll")
    at.act("put", die=0, board="hq", region="section.4")
    at.act("put", die=0, board=None, region=None)
    assert at.web.get("/api/sim").json["dice"][0]["board"] is None
    first, *others = at.sim.state.dice
    assert all(math.dist((first.x_mm, first.y_mm), (die.x_mm, die.y_mm)) > DIE_MM for die in others)


def test_where_everything_is_on_a_board_is_told(at: At) -> None:
    regions = at.web.get("/api/sim/boards/city-1.json").json
    assert {"r1c1", "r8c12", "row.1.high", "drone.1", "bubble.5"} <= regions.keys()
    assert all(len(region["outline"]) == 4 for region in regions.values())
    assert (regions["r1c1"]["mark"], regions["bubble.5"]["mark"]) == ("cross", "ring")
    assert "section.6" in at.web.get("/api/sim/boards/hq.json").json
    assert at.web.get("/api/sim/boards/city-4.json").status_code == 404


def test_it_tells_who_has_to_do_what_and_where_dice_may_be_put(at: At) -> None:
    leader = at.web.table.state.leader
    assert at.web.get("/api/sim").json["turn"] == {"seats": [leader], "acts": ["roll"], "fits": {}}
    at.web.play(1)
    turn = at.web.get("/api/sim").json["turn"]
    assert (turn["seats"], turn["acts"]) == ([leader], ["put"])
    values = at.web.table.state.printed.values
    assert turn["fits"] == {
        str(die.value): [["hq", f"section.{n}"] for n in values[die.value]] for die in at.web.table.state.dice
    }
    at.web.play(3)
    turn = at.web.get("/api/sim").json["turn"]
    assert (len(turn["seats"]), turn["acts"], turn["fits"]) == (1, ["take", "draw"], {})


@pytest.mark.parametrize(("board", "region"), [("hq", "section.7"), ("city-1", "r1c1"), ("hq", None), (None, "x")])
def test_a_die_is_put_only_where_dice_lie(board: str | None, region: str | None, at: At) -> None:
    at.act("roll")
    assert at.act("put", die=0, board=board, region=region).json["error"] == "sim.cannot"
    assert at.sim.state.dice[0].at is None


def test_a_line_is_drawn_goes_on_and_is_wiped(at: At) -> None:
    at.act("stroke", board="city-1", points=[[40, 40], [45, 45]])
    at.act("stroke", board="city-1", points=[[45, 45], [50, 50.5]])
    assert at.web.get("/api/sim").json["boards"][0]["strokes"][0]["points"] == [[40, 40], [45, 45], [50, 50.5]]
    at.act("erase", board="city-1", points=[[38, 38], [52, 52]])
    assert at.sim.state.strokes == ()
    at.act("stroke", board="city-1", points=[[40, 40], [45, 45]])
    at.act("wipe", board="city-1")
    assert at.sim.state.strokes == ()


@pytest.mark.parametrize(
    ("region", "pieces"),
    [
        ("stock.1", "red"),
        ("stock.1", [["red"]]),
        ("stock.1", [["red", "up"]] * 13),
        ("stock.1", [["red", 1]]),
        ("", []),
        (None, []),
    ],
)
def test_pieces_are_told_by_name_and_face_and_never_too_many(region: Any, pieces: Any, at: At) -> None:
    answer = at.act("arrange", board="hq", region=region, pieces=pieces)
    assert (answer.status_code, answer.json["error"]) == (400, "web.bad_input")


def test_a_game_without_loose_pieces_has_none_to_lay(at: At) -> None:
    assert at.act("arrange", board="hq", region="section.1", pieces=[]).json["error"] == "sim.cannot"
    move = {"board": "hq", "region": "section.1", "to_board": "hq", "to_region": "section.2"}
    assert at.act("move", piece=["red", "up"], **move).json["error"] == "sim.cannot"
    assert at.act("move", piece=["red", "up"], **{**move, "to_board": "x"}).json["error"] == "table.unknown_board"
    assert at.web.get("/api/sim/pieces.json").json == {}
    assert at.web.get("/api/sim/pieces/red/up.png").status_code == 404
    boards = at.web.get("/api/sim").json["boards"]
    assert not any(board["lays"] or board["pieces"] for board in boards)


def test_light_lens_cables_and_hands_are_changed(at: At) -> None:
    for action, args in (
        ("lamp", {"level": 0.3}),
        ("daylight", {"level": 0}),
        ("cover", {"on": True}),
        ("cable", {"device": "camera", "on": False}),
        ("hand", {"board": "hq", "on": True}),
        ("lay", {"thing": "mug"}),
    ):
        assert at.act(action, **args).status_code == 200
    shown = at.web.get("/api/sim").json
    assert (shown["lamp"], shown["daylight"], shown["covered"], shown["unplugged"]) == (0.3, 0, True, ["camera"])
    assert shown["boards"][-1]["hand"] is True
    assert [thing.kind for thing in at.sim.state.things] == ["mug"]
    before = at.sim.state
    at.act("bump")
    at.act("nudge", board="city-2")
    assert at.sim.state.camera != before.camera
    assert at.sim.state.boards[1] != before.boards[1]


def test_a_hand_that_only_draws_is_not_held_there(at: At) -> None:
    at.act("stroke", board="city-1", points=[[60, 60], [70, 70]])
    assert at.web.get("/api/sim").json["boards"][0]["hand"] is False


def test_bots_leave_the_seats_that_people_take(at: At) -> None:
    assert not at.room.touched
    at.act("bots", seats=[1])
    at.web.command("pause", token=at.web.host())  # answered after what was put before it
    assert at.web.table.bots == {1}
    assert at.room.touched, "from now on bots only follow the table"


def test_spectators_look_and_touch_nothing(at: At) -> None:
    before = at.sim.state
    answer = at.web.post("/api/sim", {"action": "roll"})
    assert (answer.status_code, answer.json["error"]) == (401, "people.token_needed")
    assert at.sim.state == before
    assert at.web.get("/api/sim").status_code == 200
    assert at.web.client.get("/api/sim/boards/city-1.png").data.startswith(b"\x89PNG")
    assert at.web.client.get("/api/sim/boards/elsewhere.png").status_code == 404
    page = at.web.client.get("/sim").text
    assert page.count("<fieldset") == page.count(" disabled>"), "nothing can be tapped before it is known who taps"


def test_a_seat_may_act_too(at: At) -> None:
    token = at.web.join(0)
    assert at.web.post("/api/sim", {"action": "roll"}, token).status_code == 200


def test_boards_of_other_games_are_refused(at: At) -> None:
    assert at.act("wipe", board="city-4").json["error"] == "table.unknown_board"


def test_without_a_game_it_says_so(at: At) -> None:
    at.room.close()
    assert at.act("roll").json["error"] == "sim.no_game"
    assert at.web.get("/api/sim").json["error"] == "sim.no_game"


def test_a_real_table_has_no_such_page(web: Table4Web) -> None:
    assert web.client.get("/sim").status_code == 404
    assert web.client.get("/api/sim").status_code == 404


odd = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.lists(st.floats(), max_size=3)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(action=st.sampled_from(sorted(ACTIONS)), data=st.data())
def test_whatever_is_sent_it_is_done_or_refused(action: str, data: st.DataObject, at: At) -> None:
    args = {name: data.draw(odd | st.lists(st.lists(odd, max_size=3), max_size=3)) for name in ACTIONS[action]}
    assert at.act(action, **args).status_code in (200, 400, 409)
    assert at.web.get("/api/sim").status_code == 200
