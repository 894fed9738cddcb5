"""What lies behind one screen is in no byte that another browser receives.

Two tables are played alike but for what one seat hides: the permit that it drew, and the paint that it kept. Whatever
anybody else receives from them must be the same.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.contract import Message
from pi_app.engine.events import Event, to_json
from pi_app.games.graffiti.rules.model import (
    NeutralDrawn,
    NeutralPainted,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsTaken,
)
from pi_app.perception.sight import Sees, Told
from pi_app.table.inputs import Command
from pi_app.table.referee import Question
from tests.games.graffiti.helpers import GAME, opening
from tests.web.house import Table4Web, opened

HIDDEN = 1
"""The seat whose tiles differ."""
FACES = (2, 4)
KEPT = (("R", "Y"), ("B", "B"))
SEQS = (0, 12, 13, 14, 16, 20, 24, 30)
ADDRESSES = (
    *("/api/state", "/api/games", "/api/games/1", "/api/games/1/game.json", "/api/games/1/points.csv"),
    *(f"/api/games/1/table/{seq}" for seq in SEQS),
    *("/games/1", "/games", "/players", "/", "/seat", "/host", "/api/me", "/api/games.csv", "/api/players"),
)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[list[Table4Web]]:
    with ExitStack() as stack:
        found = []
        for number in range(2):
            (tmp_path / str(number)).mkdir()
            found.append(stack.enter_context(opened(tmp_path / str(number), players=2, game=GAME)))
        yield found


def evening(state: Any, face: int, kept: tuple[str, ...]) -> Sequence[Event]:
    """The set-up, a short first round, and the second one begun."""
    begin = [event for event in opening(state) if event != PermitDrawn(HIDDEN, HIDDEN + 1)]
    first_round = [
        *(PermitDrawn(HIDDEN, face), PaintTaken(0, "primary", "R", 1), PaintTaken(1, "primary", "B", 1)),
        *(PermitsTaken(0, "left", 1), PermitRevealed(2, 5), PermitRevealed(3, 5)),
        *(PermitsTaken(1, "draw", 1), PermitDrawn(1, face), PermitRevealed(6, 3), Passed(0), Passed(1)),
        *(PaintKept(0, ("R", "R")), PaintKept(1, kept)),
        *(NeutralDrawn(3), NeutralPainted(0, "E1"), NeutralDrawn(5), NeutralPainted(0, "I1")),
    ]
    return [*begin, *first_round, PaintTaken(0, "green.1", "G", 1), PaintTaken(1, "black.1", "K", 1)]


def play(at: Table4Web, number: int) -> dict[str, str | None]:
    """Two people with phones, a host and somebody who only looks."""
    tokens: dict[str, str | None] = {
        f"seat {seat}": at.join(seat, name, colour)
        for seat, (name, colour) in enumerate((("Ash", "cyan"), ("Birch", "pink")))
    }
    for event in evening(at.table.state, FACES[number], KEPT[number]):
        at.table.step(Command("do", {"event": to_json(event)}))
        assert at.table.refusal is None, (event, at.table.refusal)
    at.dashboard.publish()
    return {**tokens, "host": at.host(), "nobody": None}


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


def compared(tables: list[Table4Web], who: list[dict[str, str | None]]) -> dict[str, set[str]]:
    """By who looks, the addresses where the two tables differ."""
    found = {}
    for name in who[0]:
        one, other = (received(at, tokens[name]) for at, tokens in zip(tables, who, strict=True))
        found[name] = {address for address in one if one[address] != other[address]}
    return found


def test_hidden_tiles_change_nothing_that_others_receive(tables: list[Table4Web]) -> None:
    who = [play(at, number) for number, at in enumerate(tables)]
    found = compared(tables, who)
    assert found.pop(f"seat {HIDDEN}") == {"/api/state", "/api/stream"}
    assert set().union(*found.values()) == set()


def test_an_undone_choice_is_as_secret_as_one_that_counts(tables: list[Table4Web]) -> None:
    who = [play(at, number) for number, at in enumerate(tables)]
    for at in tables:
        keeping = next(r.seq for r in at.table.records if r.event == PaintKept(0, ("R", "R")))
        at.table.step(Command("undo", {"upto": keeping}))
        assert at.table.refusal is None
        at.dashboard.publish()
    found = compared(tables, who)
    assert found.pop(f"seat {HIDDEN}")
    assert set().union(*found.values()) == set()


def test_what_is_refused_and_asked_is_told_to_whom_it_concerns(tables: list[Table4Web]) -> None:
    """The same complaint about both, but for its facts; and a question with as many answers as the hand allows."""
    who = [play(at, number) for number, at in enumerate(tables)]
    for number, at in enumerate(tables):
        referee = at.table._referee
        assert referee is not None
        facts = {"player": HIDDEN, "part": "B1", "kinds": list(KEPT[number])}
        referee.sight._boards["actions"].unsettled = False
        referee.sight.tell("actions", Told(Sees.MISMATCH, Message("rule.paint_not_held", facts)))
        ways = [PartPainted(HIDDEN, "1.1", 1, "D1", (2, 2), (kind,)) for kind in KEPT[number]][: number + 1]
        referee.question = Question("tunnel", tuple(ways), "sight.which")
        at.dashboard.publish()
    found = compared(tables, who)
    assert found.pop(f"seat {HIDDEN}")
    assert set().union(*found.values()) == set()
    told = tables[0].state["table"]
    assert told["boards"]["actions"]["reason"] == "sight.not_yet"
    assert told["question"] == {
        "board": "tunnel",
        "player": HIDDEN,
        "alone": HIDDEN,
        "moves": [],
        "regions": [],
        "chosen": 0,
        "reason": "sight.asked_alone",
    }
    answer = tables[0].command("answer", {"number": 0}, who[0]["seat 0"])
    assert (answer.status_code, answer.json["error"]) == (403, "people.not_yours")


def test_a_host_who_tells_moves_of_others_does_not_learn_why_they_are_refused(tables: list[Table4Web]) -> None:
    at = tables[0]
    tokens = play(at, 0)
    at.table.step(Command("do", {"event": to_json(Passed(0))}))
    move = {"event": to_json(PartPainted(HIDDEN, "5.1", 1, "I2", (5,), ("Y", "K", "B")))}
    at.dashboard.publish()
    assert at.command("do", move, tokens["host"]).json["error"] == "sight.not_yet"
    assert at.command("do", move, tokens[f"seat {HIDDEN}"]).json["error"] == "rule.permit_not_held"
