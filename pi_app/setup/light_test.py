"""Tries the lights, zone by zone. It ends by itself: nothing that happens to whoever asked leaves them on."""

from collections.abc import Callable, Collection

from hardware.ports import SEATS, STATUS, Colour, LightFrame
from hardware.settings import ZONE_PIXELS
from pi_app.table.lights import ACCEPTED, SEAT_COLOURS, TURN

TURN_S = 0.8
"""How long each zone shines when all are tried in turn."""
ONE_S = 3.0
COLOURS = {**dict(zip(SEATS, SEAT_COLOURS, strict=True)), STATUS: ACCEPTED}


def colour_of(zone: str) -> Colour:
    """The colour that a zone is tried in."""
    return COLOURS.get(zone, TURN)


class LampTest:
    """Any thread may start one; the table's thread asks what to show."""

    def __init__(self, now: Callable[[], float], zones: Collection[str] = ZONE_PIXELS) -> None:
        """`zones` are those of the strip."""
        self._now, self.zones = now, tuple(zones)
        self._running: tuple[tuple[str, ...], float, float] | None = None

    def start(self, zone: str | None) -> float:
        """Tries one zone, or all in turn. Gives the seconds that it takes."""
        zones = self.zones if zone is None else (zone,)
        each_s = TURN_S if zone is None else ONE_S
        self._running = zones, self._now(), each_s
        return len(zones) * each_s

    def over(self, lights: LightFrame) -> LightFrame:
        """What to show instead of `lights` while something is tried, else these."""
        running = self._running
        if running is None:
            return lights
        zones, begun_s, each_s = running
        turn = int((self._now() - begun_s) / each_s)
        if not 0 <= turn < len(zones):
            self._running = None
            return lights
        return {zones[turn]: colour_of(zones[turn])}
