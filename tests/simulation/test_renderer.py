"""The simulated table as pictures: what is done to it is seen, and can be read like a real one."""

import numpy as np
import pytest

from hardware.build import build
from hardware.ports import Frame, Picture
from hardware.settings import HardwareSettings
from hardware.sim.state import SimTableState, View
from hardware.sim.table import SimTable
from tests.e2e.night import laid, renderer
from tests.hardware.clock import Clock
from vision.read import Reader

SMALL = (640, 360)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(clock: Clock) -> SimTable:
    return SimTable(5, clock, laid())


def seen(table: SimTable, at_s: float, exposure: float = 1.0, moment: int = 0) -> Picture:
    return renderer().draw(table.state, View(SMALL, at_s, exposure, moment))


def difference(one: Picture, other: Picture) -> float:
    """The share of pixels that differ clearly, beyond noise."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 40).mean())


def test_the_same_table_gives_the_same_picture_and_only_noise_differs_by_moment(table: SimTable, clock: Clock) -> None:
    first = seen(table, clock())
    assert np.array_equal(first, seen(table, clock()))
    other = seen(table, clock(), moment=1)
    assert not np.array_equal(first, other)
    assert difference(first, other) == 0.0


def test_a_hand_comes_draws_and_leaves_ink_behind(table: SimTable, clock: Clock) -> None:
    clean = seen(table, clock())
    gone_s = table.draw("city-2", [("r3c3", "fill"), ("r3c4", "fill")], mark_s=1.0)
    during, after = seen(table, clock() + 1.5), seen(table, gone_s)
    assert difference(clean, during) > 0.01
    assert 0 < difference(clean, after) < 0.004


def test_ink_grows_while_it_is_drawn(table: SimTable, clock: Clock) -> None:
    table.draw("city-2", [("r3c3", "fill")], mark_s=1.0)
    progress = [
        renderer().scene(table.state, View(SMALL, clock() + at, 1.0, 0)).boards[1].marks for at in (0, 0.5, 1.0)
    ]
    assert [[mark.progress for mark in marks] for marks in progress] == [[], [0.5], [1.0]]


def test_wiped_ink_leaves_no_more_than_its_trace(table: SimTable, clock: Clock) -> None:
    clean = seen(table, clock())
    table.draw("city-2", [("r3c3", "fill")], mark_s=0)
    assert difference(clean, seen(table, clock())) > 0
    table.wipe("city-2", trace=0.15)
    (mark,) = renderer().scene(table.state, View(SMALL, clock(), 1.0, 0)).boards[1].marks
    assert mark.ghost == 0.15
    assert difference(clean, seen(table, clock())) == 0.0
    table.wipe("city-2")
    assert np.array_equal(clean, seen(table, clock()))


@pytest.mark.parametrize(
    "act",
    [
        lambda table: table.roll(5),
        lambda table: table.reach("city-1"),
        lambda table: table.reach("hq", "section.2"),
        lambda table: table.move_board("city-3", 40.0, turn_deg=10.0),
        lambda table: table.bump_camera(15.0, -8.0),
        lambda table: table.bump_camera(turn_deg=2.0),
        lambda table: table.bump_camera(tilt_deg=2.0),
        lambda table: table.set_lamp(0.0),
        lambda table: table.cover_lens(),
    ],
    ids=["roll", "hand", "hand on a section", "push a board", "bump", "turn", "tilt", "lamp off", "covered lens"],
)
def test_what_is_done_to_the_table_is_seen(act: object, table: SimTable, clock: Clock) -> None:
    before = seen(table, clock())
    assert callable(act)
    act(table)
    assert difference(before, seen(table, clock())) > 0.0005


def test_the_strip_shines_on_its_own_board_only(table: SimTable, clock: Clock) -> None:
    before = seen(table, clock()).astype(int)
    table.set_glow({"seat.2": (255, 0, 0)})
    change = np.abs(seen(table, clock()).astype(int) - before).max(axis=2) > 10
    rows, columns = np.nonzero(change)
    assert rows.min() > SMALL[1] / 2  # city-2 lies to the right, in front
    assert columns.min() > SMALL[0] / 2


def test_dice_on_a_section_lie_inside_it(table: SimTable, clock: Clock) -> None:
    table.roll(2)
    table.put(0, ("hq", "section.4"))
    scene = renderer().scene(table.state, View(SMALL, clock(), 1.0, 0))
    board = renderer().layout.board("hq")
    polygon = np.array(board.regions["section.4"])
    x, y = np.array(scene.dice[0].centre_mm) + np.array([board.width_mm, board.height_mm]) / 2
    assert polygon[:, 0].min() < x < polygon[:, 0].max()
    assert polygon[:, 1].min() < y < polygon[:, 1].max()


def test_a_table_with_fewer_players_has_fewer_boards(clock: Clock) -> None:
    state: SimTableState = SimTable(1, clock, laid(2)).state
    assert [board.id for board in state.boards] == ["city-1", "city-2", "hq"]


def test_what_the_simulated_camera_sees_is_read_as_what_was_done(table: SimTable, clock: Clock) -> None:
    """From an act at the table, through the camera, to a reading: no part is a stand-in."""
    hardware = build(HardwareSettings(), clock, table, renderer().draw)
    reader = Reader(renderer().layout)
    reader.take_reference(full(hardware.camera.full()).bgr)
    table.roll(3, (2, 6, 5))
    table.put(1, ("hq", "section.4"))
    clock.go(table.draw("city-2", [("r3c3", "cross"), ("row.2.high", "circle")]) - clock())
    reading = reader.read(full(hardware.camera.full()).bgr)
    marks = {region: mark.kind for region, mark in reading.marks["city-2"].items() if mark.kind != "empty"}
    assert marks == {"r3c3": "marked", "row.2.high": "circled"}
    assert sorted((die.value, die.region) for die in reading.dice) == [(2, None), (5, None), (6, "section.4")]


def full(frame: Frame | None) -> Frame:
    assert frame is not None
    return frame
