"""Bytes an hour: never more in any hour, and what must be written is owed."""

from hypothesis import given
from hypothesis import strategies as st

from pi_app.recording.budget import Budget
from tests.hardware.clock import Clock


@given(st.lists(st.tuples(st.floats(0, 1000), st.integers(0, 900)), max_size=60))
def test_no_hour_has_more_than_its_bytes(wishes: list[tuple[float, int]]) -> None:
    clock = Clock()
    budget = Budget(1_000, clock)
    spent: list[tuple[float, int]] = []
    for pause_s, count in wishes:
        clock.go(pause_s)
        if budget.allows(count):
            budget.spend(count)
            spent.append((clock(), count))
        assert sum(each for at_s, each in spent if at_s > clock() - 3600) <= 1_000 + 1e-6


def test_what_is_not_spent_is_not_saved_up() -> None:
    clock = Clock()
    budget = Budget(1_000, clock)
    clock.go(100 * 3600)
    assert budget.allows(500)
    assert not budget.allows(501)


def test_what_must_be_written_is_owed_until_time_has_passed() -> None:
    clock = Clock()
    budget = Budget(1_000, clock)
    budget.spend(1_500)
    assert budget.allows(-1_000)
    assert not budget.allows(-999)
    clock.go(3600)
    assert budget.allows(-500)
    clock.go(2 * 3600)
    assert budget.allows(500)
