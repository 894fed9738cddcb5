"""Who may do what: every command, by everybody, in every phase of an evening."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_app.engine.contract import Message
from pi_app.engine.events import to_json
from pi_app.games import GAMES
from pi_app.games.spree.rules.model import WalkRolled
from pi_app.games.tag_city.rules.model import (
    DiceRolled,
    DiePlaced,
    GameStarted,
    HouseDecided,
    ShapePainted,
    SocialChecked,
)
from pi_app.games.tag_city.rules.sight import city_board
from pi_app.perception.sight import Sees, Told
from pi_app.table.inputs import Command
from pi_app.table.referee import Question
from tests.games.spree.helpers import opening as spree_opening
from tests.web.house import Table4Web, opened
from web.permits import BUTTONS, COMMANDS

ROLES = ("nobody", "guest", "acting", "waiting", "host")
"""A spectator; somebody with a token that means nothing any more; a seat whose turn it is (where it is anybody's),
one whose turn it is not; the host."""

SEATS, HOST = frozenset({"acting", "waiting", "host"}), frozenset({"host"})
ACTING = frozenset({"acting", "host"})
EXPECTED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("continue", "reread", "restore", "answer", "deny"), SEATS),
    **dict.fromkeys(("grant_undo", "refuse_undo"), SEATS),
    **dict.fromkeys(("ask_undo", "report"), SEATS - HOST),  # the host does what others ask for
    **dict.fromkeys(("new_game", "undo", "redo", "correct", "adopt", "pause", "resume", "put_away"), HOST),
    **dict.fromkeys(("free_seat", "open_joining", "clear_reports"), HOST),
    **dict.fromkeys(("confirm", "next"), ACTING),
    "do": HOST,  # what the acting seat may do is told move by move below
}
EXCEPTIONS: dict[tuple[str, str], frozenset[str]] = {
    ("no game", "confirm"): HOST,  # starts a new one
    ("no game", "next"): HOST,
    ("interrupted", "confirm"): SEATS,  # continues
    ("interrupted", "next"): HOST,  # starts a new one instead
    **{(phase, "continue"): HOST for phase in ("leader", "roll", "place", "draft", "last", "paused", "mismatch")},
    **{(f"asking {about}", "continue"): HOST for about in ("the one to act", "about the dice")},  # another game
    ("leader", "confirm"): HOST,
    ("leader", "next"): HOST,
    ("roll", "confirm"): HOST,
    ("roll", "next"): HOST,
    ("over", "confirm"): HOST,
    ("over", "next"): HOST,
    ("asking the one to act", "answer"): ACTING,
    ("asking the one to act", "deny"): ACTING,
    ("asking about the dice", "confirm"): SEATS,
    ("asking about the dice", "next"): SEATS,
    ("mismatch", "confirm"): SEATS,  # reads again
    ("mismatch", "next"): SEATS,
}


def until(phase: str) -> Callable[[Table4Web], None]:
    def play(at: Table4Web) -> None:
        while at.table.state.phase != phase:
            at.play(1)

    return play


def interrupted(at: Table4Web) -> None:
    at.play(4)
    at.table.step(Command("put_away"))


def asking(board: str | None) -> Callable[[Table4Web], None]:
    def ask(at: Table4Web) -> None:
        until("draft")(at)
        referee, game = at.table._playing(), at.table.game
        seat = game.to_act(at.table.state).must[0]
        moves = tuple(game.legal_moves(at.table.state, seat)[i] for i in range(2))
        referee.question = Question(board or city_board(seat), moves, "sight.ask")

    return ask


def mismatch(at: Table4Web) -> None:
    until("draft")(at)
    sight = at.table._playing().sight
    sight._boards["city-1"].unsettled = False
    sight.tell("city-1", Told(Sees.MISMATCH, Message("sight.undone", {"board": "city-1"})))


PHASES: dict[str, Callable[[Table4Web], None]] = {
    "no game": lambda at: None,
    "interrupted": interrupted,
    "leader": lambda at: None,
    "roll": until("roll"),
    "place": until("place"),
    "draft": until("draft"),
    "last": until("last"),
    "over": until("over"),
    "paused": lambda at: (until("draft")(at), at.table.step(Command("pause")))[0],  # type: ignore[func-returns-value]
    "asking the one to act": asking(None),
    "asking about the dice": asking("hq"),
    "mismatch": mismatch,
}


@pytest.fixture(params=PHASES)
def phase(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Table4Web, dict[str, str | None]]]:
    with opened(tmp_path, begin=request.param != "no game") as at:
        tokens: dict[str, str | None] = {"nobody": None, "guest": "nothing", "host": at.host()}
        seats = [at.join(seat, f"Player {seat}", colour) for seat, colour in enumerate(("cyan", "pink", "lime"))]
        PHASES[request.param](at)
        at.dashboard.publish()
        acting = [] if at.table.state is None else at.table.game.to_act(at.table.state).must
        turn = next((seat for seat in acting if seat >= 0), 0)
        waiting = next((seat for seat in range(3) if seat not in acting), None)
        tokens["acting"] = seats[turn]
        if waiting is not None and waiting != turn:
            tokens["waiting"] = seats[waiting]
        yield request.param, at, tokens


def test_every_command_by_everybody_in_every_phase(
    phase: tuple[str, Table4Web, dict[str, str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who may is asked here: what the table would do is left out, so that one command does not spoil the next."""
    name, at, tokens = phase
    asked: list[str] = []
    monkeypatch.setattr(at.dashboard, "command", lambda command, args: asked.append(command))
    assert {*COMMANDS, *BUTTONS} == set(EXPECTED)
    found = {
        command: frozenset(
            role
            for role, token in tokens.items()
            if at.command(command, ARGS.get(command, {}), token).status_code not in (401, 403)
        )
        for command in EXPECTED
    }
    wanted = {command: EXCEPTIONS.get((name, command), roles) & tokens.keys() for command, roles in EXPECTED.items()}
    if name == "asking the one to act":
        wanted["confirm"] = wanted["next"] = ACTING & tokens.keys()
    assert found == wanted
    assert set(asked) <= {*COMMANDS, *BUTTONS}


ARGS: dict[str, dict[str, Any]] = {
    "do": {"event": to_json(GameStarted(0))},
    "answer": {"number": 0},
    "adopt": {"board": "city-1"},
    "restore": {"board": "city-1"},
    "correct": {"corrections": {}},
    "report": {"what": "board"},
    "free_seat": {"seat": 3},
    "open_joining": {"open": True},
}


@pytest.mark.parametrize("at_phase", ["roll", "place", "draft", "last"])
def test_a_seat_enters_what_the_rules_give_it_to_choose_and_nothing_else(at_phase: str, tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        seats = [at.join(seat, f"Player {seat}", colour) for seat, colour in enumerate(("cyan", "pink", "lime"))]
        until(at_phase)(at)
        at.dashboard.publish()
        leader = at.table.state.leader
        for seat, token in enumerate(seats):
            allowed = {
                move.type
                for move in (
                    GameStarted(seat),
                    DiceRolled((6, 6, 6, 6)),
                    DiePlaced(0, 9),
                    ShapePainted(seat, 9, "block", ((0, 0),)),
                    ShapePainted((seat + 1) % 3, 9, "block", ((0, 0),)),
                    SocialChecked(seat, 9, 1),
                    HouseDecided(seat, 0, ((0, 0), (0, 1)), None, None),
                )
                if at.command("do", {"event": to_json(move)}, token).json["error"] != "people.not_yours"
            }
            own = {"shape_painted", "social_checked"} | ({"die_placed"} if seat == leader else set())
            assert allowed == own


def test_what_luck_brought_is_entered_by_whose_hands_did_it(tmp_path: Path) -> None:
    with opened(tmp_path, game=GAMES["spree"]) as at:
        tokens = [at.join(seat, f"Player {seat}", colour) for seat, colour in enumerate(("cyan", "pink", "lime"))]
        for move in spree_opening(3):  # now it is seat 0's turn
            at.table.step(Command("do", {"event": to_json(move)}))
        at.dashboard.publish()
        answers = [
            at.command("do", {"event": to_json(WalkRolled((1, 2)))}, token).status_code for token in tokens[::-1]
        ]
        assert answers == [403, 403, 200]


def test_nobody_scores_by_a_decision_of_the_house_without_a_pin(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        until("draft")(at)
        at.dashboard.publish()
        seat = at.state["table"]["game"]["to_act"][0]
        squares = tuple((row, col) for row in range(8) for col in range(12))
        event = to_json(HouseDecided(seat, 0, squares, None, None))
        answer = at.command("do", {"event": event}, at.join(seat))
        assert (answer.status_code, answer.json["error"]) == (403, "people.not_yours")
        assert at.state["table"]["game"]["boards"][seat]["score"]["total"] == 0
