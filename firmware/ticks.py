"""Milliseconds on a clock that starts again from nought every twelve days, as MicroPython's does."""

PERIOD_MS = 1 << 30


def elapsed_ms(now, then):
    return (now - then) & (PERIOD_MS - 1)
