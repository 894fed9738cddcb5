"""Bots with hands play a game that this house knows nothing of: by its contract alone, and seen by plain eyes."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hardware.settings import HardwareSettings
from hardware.sim.state import SimBoard
from hardware.sim.table import SimTable
from pi_app.engine.contract import Setup
from pi_app.engine.evidence import Looks
from pi_app.engine.kinds import BESIDE, EMPTY, OTHER
from pi_app.games.profile_files import load_profile
from pi_app.perception.sight import Glance, Look
from pi_app.run.session import Session, Simulation
from pi_app.simulation.bots import Bots
from pi_app.simulation.habits import Habits
from pi_app.simulation.hands import Hands
from pi_app.simulation.turn import Turn, turn_now
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Glanced, Looked
from pi_app.table.table import Table
from tests.e2e.night import CAMERA
from tests.games.any_game import NAMES
from tests.games.tram import GAME as TRAM
from tests.hardware.clock import Clock
from tests.playing import ticking
from web.text import Text

QUICK = Habits(mark_s=0.05)
MOST_PICTURES = 4000


class Plain:
    """A table that sees whatever lies there as it is, unless a hand is over it."""

    def __init__(self, folder: Path, players: int, seed: int, habits: Habits = QUICK) -> None:
        profile = load_profile(TRAM.edition, TRAM.edition.supplied["house"])
        self.setup, self.clock = Setup(profile, {}, NAMES[:players]), Clock()
        self.table = Table(TRAM, Store(folder / "games.db"), self.setup, ticking(), bots=range(players))
        surfaces = [SimBoard(at.id, 150.0, 100.0, at.owner) for at in TRAM.surfaces(self.setup)]
        self.sim = SimTable(seed, self.clock, surfaces)
        layout = TRAM.edition.kit(profile).layout
        self.hands = Hands(self.sim, layout, TRAM.surfaces(self.setup))
        self.hands.lay_out(TRAM, self.setup, [])
        self.bots = Bots(self.sim, self.table, layout, random.Random(seed), habits)

    def turn(self) -> None:
        """One picture later."""
        self.bots.step()
        self.clock.go(0.25)
        hands = frozenset(hand.board for hand in self.sim.state.hands if hand.there(self.clock()))
        self.table.step(Glanced(Glance(moving=hands)))
        self.table.work()
        if self.table.wants_look:
            boards = {at.id: self._seen(at.id, at.pieces) for at in TRAM.surfaces(self.setup)}
            self.table.step(Looked(Look({at: seen for at, seen in boards.items() if at in self.table.wanted})))

    def _seen(self, surface: str, pieces: bool) -> Looks:
        expected = TRAM.expected_sight(self.table.state, surface)
        if pieces:
            lying = self.hands.lying(surface)
            return {region: {lying.get(region, EMPTY): 0.0, OTHER: -9.0} for region in (*expected, BESIDE)}
        inked = self.hands.inked(surface)
        kinds = {region: "marked" if region in inked else EMPTY for region in expected}
        return {
            region: {name: 0.0 if name == kind else -9.0 for name in (EMPTY, "marked")}
            for region, kind in kinds.items()
        }

    def play(self) -> None:
        for _ in range(MOST_PICTURES):
            if self.table.is_over and not self.bots.busy:
                return
            self.turn()
        raise AssertionError(self.table.view())


@pytest.mark.parametrize("players", [2, 5, 8])
def test_bots_play_it_to_the_end_with_interrupts_and_say_what_cannot_be_seen(players: int, tmp_path: Path) -> None:
    at = Plain(tmp_path, players, players)
    at.play()
    tally, moves = at.bots.tally, [record.event for record in at.table.records if TRAM.is_move(record.event)]
    assert (tally.moves, tally.wrong, tally.asked, tally.again, tally.by_hand) == (len(moves), 0, 0, 0, 0)
    assert "braked" in {move.type for move in moves}
    assert at.table.history == at.table.records


def test_slips_are_pointed_out_and_put_right(tmp_path: Path) -> None:
    at = Plain(tmp_path, 3, 5, replace(QUICK, slip=0.5))
    at.play()
    assert at.bots.tally.slips > 3
    assert (at.bots.tally.caught, at.bots.tally.wrong) == (at.bots.tally.slips, 0)


def test_a_bot_waits_for_what_is_somebody_elses_and_tells_its_own_ticket(tmp_path: Path) -> None:
    """Luck that belongs to a seat is told by who sits there."""
    at = Plain(tmp_path, 2, 1)
    at.table.step(Command("new_game", {"leader": 0}))
    at.table.step(Command("sit", {"seat": 0, "name": NAMES[0], "bot": False}))
    for _ in range(5):
        at.turn()
    assert [record.event.type for record in at.table.records] == ["game_started"]
    at.table.step(Command("do", {"event": {"type": "ticket_drawn", "player": 0, "ticket": 3}}))
    for _ in range(5):
        at.turn()
    assert [record.event.type for record in at.table.records] == ["game_started", "ticket_drawn", "ticket_drawn"]


def test_its_folder_is_all_that_it_takes_to_be_played_before_the_camera(tmp_path: Path) -> None:
    """From the kit over rendered pictures and reading to the last point."""
    players = NAMES[:3]
    setup = Setup(load_profile(TRAM.edition, TRAM.edition.supplied["house"]), {}, players)
    table = Table(TRAM, Store(tmp_path / "games.db"), setup, ticking(), bots=range(3))
    text, settings = Text("en", players, TRAM.folder), HardwareSettings(camera=CAMERA)
    session = Session(table, settings, Console(quiet=True), text, tmp_path / "none.png", Simulation(3, "max"))
    with session.open():
        for _ in range(MOST_PICTURES):
            if session.finished:
                break
            session.turn()
    assert table.is_over
    assert table.history == table.records


def test_what_hands_have_to_do_follows_from_its_moves(tmp_path: Path) -> None:
    at = Plain(tmp_path, 2, 1)
    while not at.table.state.tickets[1:]:
        at.turn()
    at.table.step(Command("pause"))
    turn = turn_now(TRAM, at.setup, at.table.state)
    stops = [("line", f"stop.{n}") for n in (2, 3, 4)]
    assert turn == Turn((at.table.state.turn,), ("put",), 0, {"6": stops})
