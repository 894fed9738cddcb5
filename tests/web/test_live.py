"""The game through the API: what is shown, who may do what, and what is refused in which words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.playing import TAG_CITY
from tests.web.house import PIN, Table4Web, opened
from tests.web.patching import states
from web.app import create_app
from web.limits import Limits
from web.permits import BUTTONS, COMMANDS
from web.text import Text


def test_the_state_has_a_version_that_grows_with_every_change(web: Table4Web) -> None:
    first = web.state
    assert web.state == first
    web.play(3)
    assert web.state["version"] > first["version"]
    assert [record["event"]["type"] for record in web.state["table"]["feed"]][:2] == ["game_started", "dice_rolled"]


def test_a_stream_begins_with_the_whole_state_and_goes_on_with_what_changes(web: Table4Web) -> None:
    answer = web.client.get("/api/stream", buffered=False)
    assert answer.content_type.startswith("text/event-stream")
    told = list[bytes]()

    def lines() -> Iterator[bytes]:
        for update in answer.iter_encoded():
            told.append(update)
            yield from update.splitlines()

    updates = states(lines())
    first = next(updates)
    for moves in range(1, 4):
        web.play(moves)
        assert next(updates) == web.state
    answer.close()
    assert first["version"] < web.state["version"]
    assert [update.split(b"\n")[1] for update in told] == [b"event: state"] + [b"event: changes"] * 3
    assert all(len(changes) < len(told[0]) / 2 for changes in told[1:])


def test_who_reads_late_gets_the_newest_state_at_once(web: Table4Web) -> None:
    answer = web.client.get("/api/stream", buffered=False)
    updates = states(line for update in answer.iter_encoded() for line in update.splitlines())
    next(updates)
    for _ in range(20):
        web.play(1)
    assert next(updates) == web.state
    answer.close()


def test_who_sits_somewhere_is_here_while_the_stream_is_open(web: Table4Web) -> None:
    token = web.join(1, "Bo")
    answer = web.client.get("/api/stream", headers={"Authorization": f"Bearer {token}"}, buffered=False)
    next(answer.iter_encoded())
    assert [seat["here"] for seat in web.state["people"]["seats"]] == [True]
    answer.close()
    assert [seat["here"] for seat in web.state["people"]["seats"]] == [False]


def test_too_many_streams_are_told_to_ask_again(web: Table4Web) -> None:
    client = create_app(web.house, Limits(streams_of_strangers=2)).test_client()
    streams = [client.get("/api/stream", buffered=False) for _ in range(2)]
    late = client.get("/api/stream")
    assert (late.status_code, late.headers["Retry-After"]) == (503, "5")
    streams[0].close()
    again = client.get("/api/stream", buffered=False)
    assert again.status_code == 200
    for stream in (*streams[1:], again):
        stream.close()


def test_a_seat_enters_its_own_move_and_nobody_elses(web: Table4Web) -> None:
    tokens = [web.join(seat, f"Player {seat}", colour) for seat, colour in enumerate(("cyan", "pink", "lime"))]
    while web.state["table"]["game"]["phase"] != "draft":
        web.play(1)
    seat = web.state["table"]["game"]["to_act"][0]
    mine = web.get("/api/state", Authorization=f"Bearer {tokens[seat]}").json
    die = mine["table"]["game"]["options"]["dice"][0]
    assert web.get(f"/api/placements?piece={die}").status_code == 401
    found = web.get(f"/api/placements?piece={die}", Authorization=f"Bearer {tokens[seat]}").json
    shape = next(one for one in found["shapes"] if one["drone"] is None)
    event = {"type": "shape_painted", "player": seat, "die": die, "shape": shape["shape"], "drone": None}
    event["cells"] = shape["placements"][0]
    other = web.command("do", {"event": event}, tokens[(seat + 1) % 3])
    assert (other.status_code, other.json["error"]) == (403, "people.not_yours")
    assert web.command("do", {"event": event}, tokens[seat]).status_code == 200
    assert web.state["table"]["feed"][-1]["event"] == event


def test_a_rule_that_is_broken_is_told_in_the_readers_language(web: Table4Web) -> None:
    token = web.host()
    while web.state["table"]["game"]["phase"] != "place":
        web.play(1)
    event = {"type": "dice_rolled", "values": [1, 2, 3, 4]}
    sent = {"command": "do", "args": {"event": event}}
    answer = web.post("/api/commands", sent, token, **{"Accept-Language": "fr"})
    assert answer.status_code == 409
    assert answer.json["message"] == Text("fr", (), TAG_CITY.folder)("rule.already_rolled")


def test_refusals_call_people_by_the_names_they_sit_under(web: Table4Web) -> None:
    while web.state["table"]["game"]["phase"] != "roll":
        web.play(1)
    leader = web.state["table"]["game"]["leader"]
    web.join(leader, "Zoë", "violet")
    event = {"type": "die_placed", "die": 0, "section": 1}
    answer = web.command("do", {"event": event}, web.host())
    assert "Zoë" in answer.json["message"]


def test_somebody_else_has_to_agree_to_an_undo(web: Table4Web) -> None:
    ana, bo = web.join(0), web.join(1, "Bo", "pink")
    web.play(6)
    before = web.state["table"]["last_seq"]
    assert web.command("grant_undo", token=bo).json["error"] == "people.undo_gone"
    assert web.command("ask_undo", token=ana).status_code == 200
    assert web.state["people"]["undo_asked"]["seat"] == 0
    assert web.command("grant_undo", token=ana).json["error"] == "people.undo_other"
    assert web.command("grant_undo", token=bo).status_code == 200
    assert web.state["table"]["last_seq"] == before + 1
    assert web.state["people"]["undo_asked"] is None


def test_a_wish_to_undo_ends_when_the_game_has_gone_on(web: Table4Web) -> None:
    ana, bo = web.join(0), web.join(1, "Bo", "pink")
    web.play(6)
    web.command("ask_undo", token=ana)
    web.play(1)
    assert web.command("grant_undo", token=bo).json["error"] == "people.undo_gone"


def test_a_report_reaches_the_host_and_is_cleared(web: Table4Web) -> None:
    web.command("report", {"what": "dice"}, web.join(2, "Cy"))
    assert [report["what"] for report in web.state["people"]["reports"]] == ["dice"]
    web.command("clear_reports", token=web.host())
    assert web.state["people"]["reports"] == []


def test_a_pause_keeps_what_is_seen_from_counting(web: Table4Web) -> None:
    token = web.host()
    web.command("pause", token=token)
    assert web.state["table"]["paused"] is True
    assert not web.table.wants_look
    web.command("resume", token=token)
    assert web.state["table"]["paused"] is False


def test_a_game_is_put_away_and_can_be_continued(web: Table4Web) -> None:
    token = web.host()
    web.play(8)
    feed = web.state["table"]["feed"]
    assert web.command("put_away", token=token).status_code == 200
    assert web.state["table"]["continue"]["events"] == len(feed)
    assert web.command("continue", token=web.join(0)).status_code == 200
    assert web.state["table"]["feed"] == feed


def test_the_host_starts_a_game_with_names_options_and_leader(web: Table4Web) -> None:
    args = {
        "players": ["Ana", "Bo"],
        "options": {"city_side": "B", "hq_side": "B", "equal_dice": False, "drone_order": "free"},
        "profile": "house",
        "leader": 1,
    }
    assert web.command("new_game", args, web.host()).status_code == 200
    game = web.state["table"]["game"]
    assert [board["player"] for board in game["boards"]] == ["Ana", "Bo"]
    assert (game["leader"], game["phase"]) == (1, "roll")


@pytest.mark.parametrize(
    "args",
    [
        {"players": ["Ana"]},
        {"players": "Ana"},
        {"players": [1, 2]},
        {"players": ["x" * 5000, "Bo"]},
        {"options": {"city_side": "Z"}},
        {"options": []},
        {"profile": "../../etc/passwd"},
        {"profile": 7},
        {"leader": 9},
        {"leader": "Ana"},
        {"colour": "red"},
    ],
)
def test_a_game_that_cannot_be_is_refused_and_the_old_one_stays(args: dict[str, Any], web: Table4Web) -> None:
    web.play(3)
    game_id = web.state["table"]["game_id"]
    answer = web.command("new_game", args, web.host())
    assert 400 <= answer.status_code < 500
    assert answer.json["message"]
    assert web.state["table"]["game_id"] == game_id


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(command=st.sampled_from([*COMMANDS, *BUTTONS]) | st.text(max_size=10), args=anything)
def test_no_command_however_odd_breaks_the_table(command: str, args: Any, web: Table4Web) -> None:
    token = web.host()
    answer = web.post("/api/commands", {"command": command, "args": args}, token)
    assert answer.status_code < 500
    assert web.get("/healthz").json["ok"] is True


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"nul", b"[" * 60_000, b'{"command": "\\ud800", "args": {}}', b"\xff\xfe"]
)
def test_what_is_no_json_object_is_refused(body: bytes, web: Table4Web) -> None:
    headers = {"Authorization": f"Bearer {web.host()}"}
    answer = web.client.post("/api/commands", data=body, content_type="application/json", headers=headers)
    assert answer.status_code == 400
    assert b"message" in answer.data


def test_what_is_too_large_is_refused(web: Table4Web) -> None:
    answer = web.post("/api/commands", {"command": "x" * 100_000, "args": {}}, web.host())
    assert (answer.status_code, answer.json["error"]) == (413, "web.too_large")


def test_only_the_host_is_told_the_pin(web: Table4Web) -> None:
    seated, host = web.join(0), web.host()
    told = {token: web.get("/api/me", Authorization=f"Bearer {token}").json for token in (seated, host)}
    assert [one["pin"] for one in told.values()] == [None, PIN]
    assert PIN not in json.dumps(web.state)


def test_a_table_with_no_game_says_so_and_starts_one(tmp_path: Path) -> None:
    with opened(tmp_path, begin=False) as at:
        assert at.state["table"]["game_id"] is None
        seated = at.join(0)
        found = at.get("/api/placements?piece=0", Authorization=f"Bearer {seated}")
        assert (found.status_code, found.json["error"]) == (404, "web.gone_on")
        assert at.command("undo", token=at.host()).json["error"] == "table.no_game"
        assert at.command("confirm", token=seated).json["error"] == "people.host_only"
        assert at.command("confirm", token=at.host()).status_code == 200
        assert at.state["table"]["game_id"] == 1


def test_every_command_is_the_tables_or_the_peoples(web: Table4Web) -> None:
    people = {"ask_undo", "grant_undo", "refuse_undo", "report", "free_seat", "open_joining", "clear_reports"}
    assert {*COMMANDS, *BUTTONS} - people == set(web.table._commands) - {"sit"}  # that follows from joining
