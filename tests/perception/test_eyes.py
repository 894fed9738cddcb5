"""From pictures to plain values: hands, rolling dice and light are told apart, and nothing else is noticed."""

from dataclasses import dataclass, field

import pytest

from hardware.ports import Picture
from hardware.sim.state import View
from hardware.sim.table import SimTable
from pi_app.engine.contract import Surface
from pi_app.perception.eyes import Eyes
from pi_app.perception.sight import ELSEWHERE, PATIENCE, Glance, Look
from tests.e2e.night import laid, renderer
from tests.hardware.clock import Clock

HQ = "hq"
SURFACES = (Surface("city-1", 0), Surface("city-2", 1), Surface(HQ, pieces=True))


@dataclass
class Watcher:
    """Eyes over a simulated table for two, with a clean picture taken and everything read once."""

    clock: Clock = field(default_factory=Clock)
    pictures: int = 0

    def __post_init__(self) -> None:
        self.sim = SimTable(3, self.clock, laid(2))
        self.eyes = Eyes(renderer().layout, SURFACES)
        assert self.eyes.learn(self.picture((1536, 864))) == []
        self.glance()
        self.look()
        self.glance()

    def picture(self, size_px: tuple[int, int], exposure: float = 1.0) -> Picture:
        self.pictures += 1
        return renderer().draw(self.sim.state, View(size_px, self.clock(), exposure, self.pictures))

    def glance(self, exposure: float = 1.0) -> Glance:
        self.clock.go(0.1)
        return self.eyes.glance(self.picture((320, 180), exposure))

    def look(self) -> Look:
        return self.eyes.look(self.picture((1536, 864)))


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


def test_noise_is_nothing(watcher: Watcher) -> None:
    assert [watcher.glance() for _ in range(4)] == [Glance()] * 4


def test_the_noise_of_a_dim_evening_is_nothing_either(watcher: Watcher) -> None:
    watcher.sim.set_lamp(0.3)
    watcher.sim.set_daylight(0.25)
    dim = 1 / watcher.sim.state.brightness
    watcher.glance(dim)
    assert [watcher.glance(dim) for _ in range(6)] == [Glance()] * 6
    watcher.sim.roll(1, (4,))
    assert ELSEWHERE in watcher.glance(dim).moving


def test_a_hand_moves_then_covers_then_is_gone(watcher: Watcher) -> None:
    watcher.sim.reach("city-1")
    assert "city-1" in watcher.glance().moving
    resting = watcher.glance()
    assert resting == Glance(covered=frozenset({"city-1"}))
    assert watcher.look().hidden == {"city-1"}
    watcher.sim.withdraw("city-1")
    assert "city-1" in watcher.glance().moving
    assert watcher.glance() == Glance()


def test_ink_is_no_hand(watcher: Watcher) -> None:
    regions = ["r3c3", "r3c4", "r3c5", "r4c5", "row.1.high"]
    watcher.sim.draw("city-2", [(region, "fill") for region in regions[:-1]] + [(regions[-1], "circle")], mark_s=0.0)
    watcher.glance()
    assert watcher.glance() == Glance()
    looks = watcher.look().boards["city-2"]
    assert [region for region, look in looks.items() if look["empty"] < max(look.values())] == sorted(
        regions, key=list(looks).index
    )


def test_a_lamp_is_no_move(watcher: Watcher) -> None:
    watcher.sim.set_lamp(0.4)
    switched = watcher.glance()
    assert switched.light_changed
    assert not switched.moving
    assert watcher.glance() == Glance()


def test_dice_roll_around_the_hq_and_are_read_with_their_sections(watcher: Watcher) -> None:
    watcher.sim.roll(3, (2, 5, 6))
    assert ELSEWHERE in watcher.glance().moving
    assert watcher.glance() == Glance()
    watcher.sim.put(1, (HQ, "section.4"))
    look = watcher.look()
    sections = look.boards[HQ]
    assert {name: max(kinds, key=lambda kind: kinds[kind]) for name, kinds in sections.items()} == {
        "beside": "2 6",
        **{f"section.{n}": "5" if n == 4 else "empty" for n in range(1, 7)},
    }


def test_a_covered_lens_shows_no_board(watcher: Watcher) -> None:
    watcher.sim.cover_lens()
    watcher.glance()
    look = watcher.look()
    assert set(look.boards) - look.hidden == set()


def test_a_board_that_was_pushed_is_watched_where_it_lies_now(watcher: Watcher) -> None:
    watcher.sim.move_board("city-1", -30.0, 10.0, 5.0)
    watcher.glance()
    watcher.look()
    assert watcher.glance() == Glance()
    watcher.sim.reach("city-1")
    assert "city-1" in watcher.glance().moving


@pytest.mark.parametrize("board", ["city-1", HQ])
def test_a_hand_on_a_board_that_was_pushed_is_a_hand(watcher: Watcher, board: str) -> None:
    """Otherwise what it hides would be read as gone. Once it leaves, the board is known again at once."""
    watcher.sim.reach(board)
    watcher.glance()
    watcher.sim.move_board(board, -12.0, 6.0, 2.0)
    watcher.glance()
    assert board in watcher.glance().covered
    watcher.look()
    assert [board in watcher.glance().covered for _ in range(3)] == [True] * 3
    watcher.sim.withdraw(board)
    watcher.glance()
    assert watcher.glance() == Glance()


def test_a_hand_stays_one_when_another_board_is_pushed(watcher: Watcher) -> None:
    watcher.sim.reach("city-2")
    watcher.glance()
    watcher.sim.move_board("city-1", -30.0, 10.0, 5.0)
    watcher.glance()
    watcher.look()
    assert watcher.glance() == Glance(covered=frozenset({"city-2"}))


def test_a_thing_that_is_taken_away_leaves_no_hand_behind(watcher: Watcher) -> None:
    """It lay there when the board was read first; without it the board looks different, and is not covered."""
    clean = watcher.picture((1536, 864))
    board = watcher.sim.state.boards[1]
    watcher.sim.lay("phone", board.x_mm + 128.0, board.y_mm, for_s=1.0)
    watcher.eyes = Eyes(renderer().layout, SURFACES)
    watcher.eyes.learn(clean)
    watcher.glance()
    watcher.look()
    watcher.clock.go(1.0)
    covered = []
    for _ in range(PATIENCE + 2):
        covered.append("city-2" in watcher.glance().covered)
        if len(covered) > PATIENCE:
            watcher.look()  # which is when sight takes it for settled
    assert covered[:3] == [True] * 3
    assert not covered[-1]
