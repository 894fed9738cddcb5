"""How many bytes may be written: memory cards wear out."""

from collections.abc import Callable

AT_ONCE = 0.5
"""The share of an hour's bytes that may be written in one go; the rest comes as time goes by."""
HOUR_S = 3600.0


class Budget:
    """So many bytes in any hour. What must be written is spent without asking, and is owed until time has passed."""

    def __init__(self, per_hour: float, clock: Callable[[], float]) -> None:
        """`clock` tells seconds that never go back."""
        self._per_hour, self._clock = per_hour, clock
        self._most = per_hour * AT_ONCE
        self._left, self._at_s = self._most, clock()

    def allows(self, count: float) -> bool:
        """Whether so many bytes more are within it; fewer than none, whether so many at most are owed."""
        return self._now_left() >= count

    def spend(self, count: float) -> None:
        self._left = self._now_left() - count

    def _now_left(self) -> float:
        now_s = self._clock()
        gained = (self._per_hour - self._most) * (now_s - self._at_s) / HOUR_S
        self._left, self._at_s = min(self._most, self._left + gained), now_s
        return self._left
