"""Stands in for MicroPython's `machine`: pins that tests pull down."""

down: set[int] = set()
"""Numbers of the pins that are connected to ground."""


class Pin:
    IN, PULL_UP = 0, 1

    def __init__(self, number: int, mode: int = -1, pull: int = -1) -> None:
        self.number = number

    def value(self) -> int:
        return 0 if self.number in down else 1


resetting = False


def reset() -> None:
    """Starts again, as if the power had been cut."""
    global resetting  # noqa: PLW0603 - whoever runs this interpreter looks here when it ends
    resetting = True
    raise SystemExit
