"""Stands in for MicroPython's own module where the firmware runs on CPython."""


def kbd_intr(char: int) -> None:
    pass
