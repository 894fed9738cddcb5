"""Where lines and bars of charts lie: numbers for SVG, in parts of a hundred unless said otherwise."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

LINE_UNITS: Final = 1000
"""Lines are drawn in a square of so many units that is stretched over the chart."""

MOST_ROUND_LABELS: Final = 12


def race(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The scores of all seats over the turns of a game: lines, height marks, and where rounds begin."""
    scale = _scale([score for point in points for score in point["scores"]])
    low, high = scale[0], scale[-1]
    last: int = max(1, points[-1]["turn"])

    def x(turn: int) -> float:
        return turn / last

    def y(score: float) -> float:
        return (high - score) / (high - low)

    starts: dict[int, int] = {}
    for before, after in pairwise(points):
        starts.setdefault(after["round"], before["turn"])
    every = -(-len(starts) // MOST_ROUND_LABELS)
    return {
        "lines": [
            " ".join(f"{x(p['turn']) * LINE_UNITS:.0f},{y(p['scores'][seat]) * LINE_UNITS:.0f}" for p in points)
            for seat in range(len(points[0]["scores"]))
        ],
        "ends": [_percent(y(score)) for score in points[-1]["scores"]],
        "marks": [{"y": _percent(y(mark)), "value": mark} for mark in scale],
        "rounds": [
            {"x": _percent(x(turn)), "round": number, "labelled": (number - 1) % every == 0}
            for number, turn in starts.items()
        ],
        "places": [{"seq": p["seq"], "x": _percent(x(p["turn"]))} for p in points],
    }


def by_round(points: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same race as a table: the scores at the end of every round."""
    ends = {point["round"]: point["scores"] for point in points[1:]}
    return [{"round": number, "scores": scores} for number, scores in ends.items()]


def stacks(seats: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """One bar per seat: what brought points lies right of the zero line, what cost some left of it."""
    costs = [sum(min(0, points) for points in parts.values()) for parts in seats]
    gains = [sum(max(0, points) for points in parts.values()) for parts in seats]
    low, high = min(0, *costs, 0), max(1, *gains, 1)
    zero = -low / (high - low)
    bars = []
    for parts in seats:
        right, left, bar = zero, zero, []
        for part, points in enumerate(parts.values()):
            size = abs(points) / (high - low)
            if points < 0:
                left -= size
            bar.append({"part": part, "x": _percent(right if points >= 0 else left), "width": _percent(size)})
            if points >= 0:
                right += size
        bars.append([one for one in bar if one["width"] != "0.00%"])
    return {"bars": bars, "zero": _percent(zero)}


def columns(values: Sequence[int]) -> list[dict[str, str]]:
    """A column for every value; those below zero hang from the zero line."""
    scale = _scale(values)
    low, high = scale[0], scale[-1]
    each = 1 / max(1, len(values))
    return [
        {
            "x": _percent((index + 0.15) * each),
            "width": _percent(0.7 * each),
            "middle": _percent((index + 0.5) * each),
            "y": _percent((high - max(0, value)) / (high - low)),
            "height": _percent(max(abs(value) / (high - low), 0.004)),
        }
        for index, value in enumerate(values)
    ]


def share(value: float, most: float) -> str:
    """The length of a bar."""
    return _percent(abs(value) / most if most else 0)


def _scale(values: Sequence[int]) -> range:
    """Round numbers, some five of them, from the least value or zero to the greatest."""
    least, most, step = min(0, *values, 0), max(1, *values, 1), 1
    while (most - least) / step > 6:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return range(least // step * step, -(-most // step) * step + 1, step)


def _percent(share_of_one: float) -> str:
    return f"{100 * share_of_one:.2f}%"
