"""Charts: every value has its place, nothing leaves the picture, and round numbers mark the heights."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from web.charts import by_round, columns, race, share, stacks

SCORES = st.integers(-200, 500)
PARTS = ("rows", "columns", "districts", "drone", "bubbles")


def percent(text: str) -> float:
    assert text.endswith("%")
    return float(text[:-1])


def points(scores: list[tuple[int, int]], turns_a_round: int = 4) -> list[dict[str, Any]]:
    """A race of two from nothing to these scores."""
    told = [(0, 0), *scores]
    return [
        {"turn": turn, "seq": 2 * turn, "round": 1 + max(0, turn - 1) // turns_a_round, "scores": list(pair)}
        for turn, pair in enumerate(told)
    ]


@given(st.lists(st.tuples(SCORES, SCORES), max_size=120))
def test_a_race_stays_in_its_frame(scores: list[tuple[int, int]]) -> None:
    drawn = race(points(scores))
    for line in drawn["lines"]:
        places = [tuple(map(int, place.split(","))) for place in line.split()]
        assert all(0 <= x <= 1000 and 0 <= y <= 1000 for x, y in places)
        assert [x for x, _ in places] == sorted(x for x, _ in places)
    marks = [mark["value"] for mark in drawn["marks"]]
    assert 0 in marks
    assert marks[0] <= min([0, *(s for pair in scores for s in pair)])
    assert marks[-1] >= max([0, *(s for pair in scores for s in pair)])
    assert 2 <= len(marks) <= 9
    assert sum(start["labelled"] for start in drawn["rounds"]) <= 12


def test_a_higher_score_is_drawn_higher() -> None:
    drawn = race(points([(10, 30), (20, 30), (40, 30)]))
    assert percent(drawn["ends"][0]) < percent(drawn["ends"][1])
    assert [start["round"] for start in drawn["rounds"]] == [1]
    assert [place["seq"] for place in drawn["places"]] == [0, 2, 4, 6]


def test_the_race_as_a_table_tells_the_end_of_every_round() -> None:
    told = by_round(points([(1, 0), (2, 0), (2, 3)], turns_a_round=2))
    assert told == [{"round": 1, "scores": [2, 0]}, {"round": 2, "scores": [2, 3]}]


@given(st.lists(st.lists(st.integers(-50, 90), min_size=5, max_size=5), min_size=1, max_size=4))
def test_bars_are_as_long_as_their_points_and_end_at_the_zero_line(boards: list[list[int]]) -> None:
    drawn = stacks([dict(zip(PARTS, board, strict=True)) for board in boards])
    zero = percent(drawn["zero"])
    for board, bar in zip(boards, drawn["bars"], strict=True):
        for piece in bar:
            left, right = percent(piece["x"]), percent(piece["x"]) + percent(piece["width"])
            assert -0.02 <= left <= right <= 100.02
            assert left >= zero - 0.02 if board[piece["part"]] > 0 else right <= zero + 0.02
        assert {piece["part"] for piece in bar} >= {part for part, value in enumerate(board) if value}


@given(st.lists(SCORES, max_size=10))
def test_columns_stand_side_by_side(values: list[int]) -> None:
    drawn = columns(values)
    assert len(drawn) == len(values)
    for before, after in pairwise(drawn):
        assert percent(before["x"]) + percent(before["width"]) <= percent(after["x"])
    assert all(percent(one["y"]) + percent(one["height"]) <= 100.5 for one in drawn)


def test_a_share_of_nothing_is_nothing() -> None:
    assert (share(3, 4), share(-3, 4), share(0, 0)) == ("75.00%", "75.00%", "0.00%")
