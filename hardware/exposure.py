"""Exposure under lamps that flicker with the mains: twice in each period of its alternating current."""

from hardware.settings import MainsHz


def flicker_us(mains_hz: MainsHz) -> float:
    """How long one flicker of a lamp takes: 10 ms at 50 Hz."""
    return 1_000_000 / (2 * mains_hz)


def steady_us(wanted_us: float, mains_hz: MainsHz, most_us: float = 100_000.0) -> int:
    """The exposure nearest to `wanted_us` that catches whole flickers, so that no dark bands wander through.

    At least one flicker: a shorter exposure would band whatever it is.
    """
    flicker = flicker_us(mains_hz)
    most = max(1, int(most_us // flicker))
    return round(flicker * min(max(1, round(wanted_us / flicker)), most))


def steady_gain(gain: float, wanted_us: float, steady: int) -> float:
    """The gain that keeps the picture as bright when the exposure changes from `wanted_us` to `steady`."""
    return max(1.0, gain * wanted_us / steady)
