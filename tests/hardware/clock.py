"""A clock that goes when it is told to."""


class Clock:
    def __init__(self) -> None:
        self.at_s = 100.0

    def __call__(self) -> float:
        return self.at_s

    def go(self, seconds: float) -> None:
        self.at_s += seconds
