"""Spree! at a table: cards that nobody shows, moves that people tell, a walk that is told anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.engine.events import Event, to_json
from pi_app.games.spree.rules.model import CardsDrawn, CarParked, GameStarted, Walked
from pi_app.perception.sight import Glance
from pi_app.storage.store import Store
from pi_app.table.inputs import Command, Glanced
from pi_app.table.table import Table
from tests.games.spree.helpers import (
    ADA,
    BOB,
    GAME,
    PLACES,
    SETTLED,
    a_setup,
    at,
    cart,
    done,
    roll,
    stop,
    take,
    walk,
)
from tests.playing import ticking


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Everybody has parked; it is the first seat's turn."""
    with Store(tmp_path / "allcity.db") as store:
        table = Table(GAME, store, a_setup(3), ticking())
        tell(table, GameStarted(2), *(CarParked(seat, PLACES[seat]) for seat in (2, 1, 0)))
        yield table


def tell(table: Table, *moves: Event) -> None:
    for move in moves:
        table.step(Command("do", {"event": to_json(move)}))
        assert table.refusal is None
        while GAME.unseen_luck(table.state) is not None:  # what nobody sees comes with the next picture
            table.step(Glanced(Glance()))
            table.work()


def test_cards_are_drawn_by_themselves_and_nobody_tells_which(table: Table) -> None:
    drawn = [record.event for record in table.records if isinstance(record.event, CardsDrawn)]
    assert drawn == [CardsDrawn(seat, 5, None) for seat in range(3)]
    assert table.state.turn == ADA


def test_hands_are_filled_between_turns_without_anybody_doing_anything(table: Table) -> None:
    tell(table, roll(6, 6), walk(ADA, "D1", "D2"), take(ADA, "D2", "3S"), SETTLED, done(ADA))
    assert table.state.turn == BOB
    assert [seat.cards for seat in table.state.seats] == [5, 5, 5]


def test_a_move_while_something_is_pending_is_refused_and_nothing_is_lost(table: Table) -> None:
    tell(table, roll(6, 6), walk(ADA, "D1", "D2"), take(ADA, "D2", "3S"))
    table.step(Command("do", {"event": to_json(walk(ADA, "D3"))}))
    assert table.refusal is not None
    assert table.refusal.id == "rule.act_pending"
    tell(table, SETTLED, walk(ADA, "D3"))
    assert cart(table.state, ADA) == "3S"


def test_anybody_who_may_can_stop(table: Table) -> None:
    tell(table, roll(6, 6), walk(ADA, "D1"), done(ADA), roll(1, 1), walk(BOB, "G1"))
    tell(table, done(BOB), roll(1, 1), done(2), roll(1, 1), walk(ADA, "D2"))
    tell(table, take(ADA, "D2", "3S"), stop(BOB, "AS"), SETTLED)
    assert cart(table.state, ADA) == ""


def test_a_walk_that_needs_another_story_is_told_anew(table: Table) -> None:
    """Who takes something on C4 and goes on upwards has come from below."""
    tell(table, roll(6, 6), walk(ADA, "D1", "D2", "D3", "C3", "C4"), take(ADA, "C4", "5S"), SETTLED, walk(ADA, "C3"))
    assert (at(table.state, ADA), cart(table.state, ADA), table.state.steps) == ("C3", "5S", 2)
    first, second = [record.event for record in table.records if isinstance(record.event, Walked)]
    assert (first.path[-2:], second.path) == (("C5", "C4"), ("C3",))


def test_a_walk_that_no_story_explains_is_refused(table: Table) -> None:
    tell(table, roll(2, 3), walk(ADA, "D1", "D2", "D3", "C3", "C4"))
    table.step(Command("do", {"event": to_json(walk(ADA, "C3"))}))
    assert table.refusal is not None
    assert table.refusal.id == "rule.straight_back"
