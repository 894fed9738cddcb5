"""Short, long, stuck: whatever fingers do, in whatever moments the program looks."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Press, Status
from hardware.presses import LONG_S, MOST_WAITING, PressReader
from tests.hardware.clock import Clock

TENTHS = st.integers(0, 30)


@given(st.lists(st.tuples(TENTHS, TENTHS), max_size=8), st.sets(TENTHS))
def test_when_the_program_looks_does_not_change_what_was_pressed(holds: list[tuple[int, int]], looks: set[int]) -> None:
    """Each press is told exactly once, long or short by how long it lasted, however often somebody looks."""
    clock = Clock()
    reader, told, expected = PressReader(clock), list[Press](), []
    for pause, hold in holds:
        clock.go(pause / 10)
        began = clock()
        reader.change("confirm", True)
        for tenth in range(hold):
            clock.go(0.1)
            if tenth in looks:
                told += reader.poll()
        reader.change("confirm", False)
        expected.append(clock() >= began + LONG_S)
        if pause in looks:
            told += reader.poll()
    told += reader.poll()
    assert [press.long for press in told] == expected
    assert [press.at_s for press in told] == sorted(press.at_s for press in told)


def test_presses_that_nobody_reads_do_not_pile_up() -> None:
    reader = PressReader(Clock())
    for _ in range(10 * MOST_WAITING):
        reader.change("next", True)
        reader.change("next", False)
    assert len(reader.poll()) <= MOST_WAITING


def test_a_button_that_was_down_from_the_start_presses_nothing() -> None:
    clock = Clock()
    reader = PressReader(clock)
    reader.down_already("undo")
    clock.go(LONG_S)
    assert reader.poll() == ()
    reader.change("undo", False)
    assert reader.poll() == ()
    assert reader.status() == Status("buttons")


def test_buttons_that_went_away_leave_no_press_behind() -> None:
    clock = Clock()
    reader = PressReader(clock)
    reader.change("undo", True)
    assert reader.poll() == ()
    reader.all_up()
    clock.go(60.0)
    assert (reader.poll(), reader.status()) == ((), Status("buttons"))


def test_coming_up_without_having_gone_down_is_nothing() -> None:
    reader = PressReader(Clock())
    reader.change("next", False)
    assert reader.poll() == ()
