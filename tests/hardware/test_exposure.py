"""Exposures under lamps: whole flickers of the mains, as near as possible to what the camera wanted."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.exposure import flicker_us, steady_gain, steady_us
from hardware.settings import MainsHz

HZ: st.SearchStrategy[MainsHz] = st.sampled_from((50, 60))


@given(st.floats(1, 1_000_000), HZ)
def test_an_exposure_is_whole_flickers_and_fits_into_a_picture(wanted_us: float, hz: MainsHz) -> None:
    steady = steady_us(wanted_us, hz, 100_000)
    flickers = steady / flicker_us(hz)
    assert abs(flickers - round(flickers)) < 0.001
    assert round(flickers) >= 1
    assert steady <= 100_000
    if flicker_us(hz) / 2 <= wanted_us <= 90_000:
        assert abs(steady - wanted_us) <= flicker_us(hz) / 2 + 1


@given(st.floats(1_000, 100_000), st.floats(1, 16), HZ)
def test_the_picture_stays_as_bright(wanted_us: float, gain: float, hz: MainsHz) -> None:
    steady = steady_us(wanted_us, hz)
    changed = steady_gain(gain, wanted_us, steady)
    assert changed >= 1.0
    assert changed == 1.0 or abs(changed * steady - gain * wanted_us) < 1.0


def test_the_two_kinds_of_mains() -> None:
    assert (steady_us(14_000, 50), steady_us(14_000, 60)) == (10_000, 16_667)
