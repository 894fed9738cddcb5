"""What one seat may not see is in no byte that another browser receives.

Two tables are played alike but for one hidden ticket. Whatever anybody else receives from them must be the same.
"""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pi_app.engine.events import to_json
from pi_app.table.inputs import Command
from tests.games.tram import GAME
from tests.games.tram.rules import Braked, GameStarted, TicketDrawn, TramMoved
from tests.web.house import Table4Web, opened

HIDDEN = 1
"""The seat whose ticket differs."""
TICKETS = (3, 7)
MOVES = (TramMoved(0, 3), Braked(0, 1), TramMoved(1, 4))


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[list[Table4Web]]:
    with ExitStack() as stack:
        yield [stack.enter_context(opened(tmp_path / str(ticket), game=GAME)) for ticket in TICKETS]


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path) -> None:
    for ticket in TICKETS:
        (tmp_path / str(ticket)).mkdir()


def play(at: Table4Web, ticket: int, undo: bool = False) -> dict[str, str | None]:
    """Three people with phones, a host and somebody who only looks, in the middle of a game."""
    tokens: dict[str, str | None] = {
        f"seat {seat}": at.join(seat, name, colour)
        for seat, (name, colour) in enumerate((("Ash", "cyan"), ("Birch", "pink"), ("Cedar", "lime")))
    }
    drawn = (TicketDrawn(0, 5), TicketDrawn(HIDDEN, ticket), TicketDrawn(2, 5))
    for event in (GameStarted(0), *drawn, *MOVES):
        at.table.step(Command("do", {"event": to_json(event)}))
        assert at.table.refusal is None
    if undo:
        drawing = next(record.seq for record in at.table.records if record.event == drawn[HIDDEN])
        at.table.step(Command("undo", {"upto": drawing}))
    at.dashboard.publish()
    return {**tokens, "host": at.host(), "nobody": None}


ADDRESSES = (
    *("/api/state", "/api/games", "/api/games/1", "/api/games/1/game.json", "/api/games/1/points.csv"),
    *(f"/api/games/1/table/{seq}" for seq in (0, 2, 3, 4, 7)),
    *("/games/1", "/games", "/players", "/", "/seat", "/host", "/api/me", "/api/games.csv", "/api/players"),
)


def received(at: Table4Web, token: str | None) -> dict[str, str]:
    """Everything that somebody gets, but for what differs between any two tables."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answers = {}
    for address in ADDRESSES:
        answer = at.client.get(address, headers=headers)
        assert answer.status_code == 200, address
        answers[address] = answer.get_data(as_text=True)
    stream = at.client.get("/api/stream", headers=headers)
    answers["/api/stream"] = next(stream.iter_encoded()).decode()
    stream.close()
    return {address: re.sub(r'("?version"?: ?|id: )\d+', "", told) for address, told in answers.items()}


@pytest.mark.parametrize("undo", [False, True], ids=["played", "undone"])
def test_a_hidden_ticket_changes_nothing_that_others_receive(tables: list[Table4Web], undo: bool) -> None:
    who = [play(at, ticket, undo) for at, ticket in zip(tables, TICKETS, strict=True)]
    for name in who[0]:
        one, other = (received(at, tokens[name]) for at, tokens in zip(tables, who, strict=True))
        differing = {address for address in one if one[address] != other[address]}
        assert bool(differing) == (name == f"seat {HIDDEN}"), (name, differing)


def test_its_owner_sees_it_in_state_and_stream(tables: list[Table4Web]) -> None:
    tokens = play(tables[0], TICKETS[0])
    told = received(tables[0], tokens[f"seat {HIDDEN}"])
    assert json.loads(told["/api/state"].replace("{,", "{"))["table"]["game"]["tickets"] == [None, TICKETS[0], None]
    assert f'"ticket":{TICKETS[0]}' in told["/api/stream"]


def test_whoever_leaves_a_seat_sees_no_more_than_everybody(tables: list[Table4Web]) -> None:
    tokens = play(tables[0], TICKETS[0])
    tables[0].post("/api/leave", {}, tokens[f"seat {HIDDEN}"])
    tables[0].dashboard.publish()
    assert received(tables[0], tokens[f"seat {HIDDEN}"])["/api/state"] == received(tables[0], None)["/api/state"]


def test_nobody_tells_a_ticket_for_somebody_else(tables: list[Table4Web]) -> None:
    at = tables[0]
    token = at.join(2, "Cedar", "lime")
    at.table.step(Command("do", {"event": to_json(GameStarted(0))}))
    at.dashboard.publish()
    answer = at.command("do", {"event": to_json(TicketDrawn(0, 3))}, token)
    assert (answer.status_code, answer.json["error"]) == (403, "people.not_yours")
