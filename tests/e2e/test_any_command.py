"""Commands of every kind, sensible or not, by everybody, in every phase: the program answers after each of them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from hardware.build import build
from hardware.settings import HardwareSettings
from hardware.sim.table import SimTable
from tests.browser.program import CONFIG, Program
from tests.e2e.legal import next_move
from tests.e2e.night import CAMERA, laid, renderer
from tests.hardware.clock import Clock
from vision.pictures import save_picture
from web.permits import BUTTONS, COMMANDS

AT_ONCE = 12
ANSWERED_AT_LAST = 40
"""Tries until the table has time for a command: it may be setting up a new game."""
EVENTS = ("game_started", "dice_rolled", "die_placed", "shape_painted", "social_checked", "house_decided", "undone")
FIELDS = ("player", "die", "shape", "cells", "drone", "bubble", "values", "leader", "section", "upto")

plain = (
    st.none()
    | st.booleans()
    | st.integers(-3, 120)
    | st.integers()
    | st.floats()
    | st.sampled_from(["city-1", "city-²", "hq", "city-9", "", "9" * 5000, "\x00", "table"])
    | st.text(max_size=12)
)
anything = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
value = st.deferred(lambda: plain | anything)
event = st.fixed_dictionaries({"type": st.sampled_from(EVENTS)}, optional=dict.fromkeys(FIELDS, value))
arguments = st.fixed_dictionaries(
    {},
    optional={
        "event": event | value,
        "corrections": st.dictionaries(st.integers(0, 30).map(str) | st.text(max_size=4), event, max_size=3) | value,
        "board": value,
        "number": st.integers(-1, 4) | value,
        "upto": st.integers(-1, 40) | value,
        "players": st.lists(st.text(max_size=5), max_size=5) | value,
        "leader": st.integers(-1, 5) | value,
        "profile": st.just("house") | value,
        "options": st.just({"hq_side": "B"}) | value,
    },
)
commands = st.sampled_from([*COMMANDS, *BUTTONS])
asking = st.tuples(
    st.sampled_from(["host", "host", "seat 0", "seat 1", "nobody"]),
    commands,
    st.just({}) | arguments | arguments.map(lambda args: dict(list(args.items())[:1])),
)


class Attacked:
    """A program that is asked for anything, and everybody who asks."""

    def __init__(self, program: Program, simulated: bool) -> None:
        self.program, self.site, self.simulated = program, program.site, simulated
        self.tokens: dict[str, str | None] = {"nobody": None}
        self.tokens["host"] = self.site.post("/api/host", {"pin": program.pin})["token"]
        self._pool = ThreadPoolExecutor(AT_ONCE)

    def seats(self) -> None:
        """Somebody may have been sent away meanwhile."""
        self.site.send({"command": "open_joining", "args": {"open": True}}, self.tokens["host"])
        for seat, colour in enumerate(("cyan", "pink")):
            sent = {"seat": seat, "name": f"Player {seat}", "colour": colour, "language": "en"}
            status, told = self.site.send(sent, self.tokens.get(f"seat {seat}"), "/api/join")
            if status == 200:
                self.tokens[f"seat {seat}"] = told["token"]

    def send(self, asked: list[tuple[str, str, Any]]) -> None:
        answers = self._pool.map(lambda one: self._one(*one), asked)
        for (role, command, args), (status, told) in zip(asked, answers, strict=True):
            assert status != 500, f"{command} {args} by {role}: {told}"
            assert status == 200 or told["message"], f"{command} {args} by {role}: {told}"

    def _one(self, role: str, command: str, args: Any) -> tuple[int, Any]:
        return self.site.send({"command": command, "args": args}, self.tokens.get(role))

    def still_answers(self) -> None:
        assert self.program.is_alive, "\n".join(self.program.said[-30:])
        for _ in range(ANSWERED_AT_LAST):
            status, told = self.site.send({"command": "answer", "args": {"number": 77}}, self.tokens["host"])
            if status != 503:
                break
        assert told["error"] in ("table.nothing_asked", "table.no_game"), told
        trouble = self.site.get("/api/state")["table"]["trouble"]
        assert trouble is None or trouble["reason"] != "table.failed", "\n".join(self.program.said[-30:])

    def go_on(self, few: bool) -> None:
        """The next move of the game on the table, or a new game."""
        shown = self.site.get("/api/state")["table"]
        move = next_move(shown, few)
        if move is None:
            self.send([("host", "continue" if shown["continue"] else "new_game", {})])
        else:
            self.send([("host", "resume", {}), ("host", "do", {"event": move})])


def _machine(at: Attacked) -> type[RuleBasedStateMachine]:
    class Evening(RuleBasedStateMachine):
        @initialize()
        def sit_down(self) -> None:
            at.seats()

        @rule(asked=st.lists(asking, min_size=1, max_size=AT_ONCE))
        def ask(self, asked: list[tuple[str, str, Any]]) -> None:
            at.send(asked)
            at.still_answers()

        @rule(moves=st.integers(1, 6), few=st.booleans())
        def play(self, moves: int, few: bool) -> None:
            for _ in range(moves):
                at.go_on(few)
            at.still_answers()

        @rule(button=st.sampled_from(["confirm", "undo", "next"]), held=st.booleans())
        def press(self, button: str, held: bool) -> None:
            if at.simulated:
                at.site.send({"action": "press", "button": button, "long": held}, at.tokens["host"], "/api/sim")
            at.still_answers()

    return Evening


REAL = CONFIG.replace("width_px = 1920\nheight_px = 1080", 'kind = "folder"\npath = "pictures"')


@pytest.fixture(params=["simulated", "real"])
def attacked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Attacked]:
    if request.param == "simulated":
        with Program(tmp_path, "--sim", "--players", "2") as program:
            yield Attacked(program, True)
        return
    (tmp_path / "pictures").mkdir()
    camera = build(HardwareSettings(camera=CAMERA), Clock(), SimTable(7, Clock(), laid(2)), renderer().draw).camera
    clean = camera.full()
    assert clean is not None
    save_picture(tmp_path / "pictures" / "1.png", clean.bgr)
    with Program(tmp_path, "--players", "2", config=REAL, ready=lambda state: True) as program:
        yield Attacked(program, False)


def test_no_command_ends_the_program(attacked: Attacked) -> None:
    run_state_machine_as_test(
        _machine(attacked),
        settings=settings(
            max_examples=3, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.parametrize("before", ["at once", "after some moves", "paused"])
def test_a_game_that_is_put_away_leaves_the_table_and_can_be_continued(before: str, attacked: Attacked) -> None:
    attacked.seats()
    if attacked.site.get("/api/state")["table"]["game_id"] is None:
        attacked.send([("host", "new_game", {"leader": 0})])
    if before == "after some moves":
        for _ in range(4):
            attacked.go_on(False)
    if before == "paused":
        attacked.send([("host", "pause", {})])
    attacked.send([("host", "put_away", {})])
    attacked.still_answers()
    shown = attacked.site.until(lambda state: state["table"]["game_id"] is None, "no game is on the table")
    assert shown["table"]["continue"] is not None
    attacked.send([("seat 0", "continue", {})])
    attacked.still_answers()
    assert attacked.site.get("/api/state")["table"]["game_id"] == 1


def test_a_button_at_the_table_ends_the_wait_after_wrong_pins(tmp_path: Path) -> None:
    with Program(tmp_path, "--sim", "--players", "2") as program:
        site, right = program.site, {"pin": program.pin}
        host = site.post("/api/host", right)["token"]
        while site.send({"pin": "wrong"}, None, "/api/host")[0] != 429:
            pass
        assert site.send(right, None, "/api/host")[0] == 429
        assert site.send({"command": "pause", "args": {}}, host)[0] == 200  # who is the host stays the host
        site.send({"command": "resume", "args": {}}, host)
        site.send({"action": "press", "button": "next", "long": False}, host, "/api/sim")
        for _ in range(5):
            site.send({"command": "answer", "args": {"number": 77}}, host)  # answered after a turn of the loop
        assert site.send(right, None, "/api/host")[0] == 200
