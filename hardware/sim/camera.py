"""The camera over the simulated table."""

import math
from collections.abc import Callable
from dataclasses import replace

from hardware.errors import CameraError
from hardware.exposure import steady_us
from hardware.ports import Exposure, Frame, Status
from hardware.settings import CameraSettings
from hardware.sim.state import Draw, SimTableState, View
from hardware.sim.table import SimTable

PICTURES_PER_S = 10.0
USUAL_US = 20_000
DARKEST = 0.1  # a camera cannot make night into day


class SimCamera:
    """Draws what lies on the table. Pulled out it raises CameraError, as real ones do."""

    def __init__(self, settings: CameraSettings, table: SimTable, draw: Draw, now: Callable[[], float]) -> None:
        self._settings, self._table, self._draw, self._now = settings, table, draw, now
        self._start_s = now()
        self._locked: float | None = None
        self._small: Frame | None = None
        self._pulled_out()

    def small(self) -> Frame | None:
        self._pulled_out()
        seq = self._seq()
        if not self._table.stalled("camera") and (self._small is None or self._small.seq != seq):
            width = self._settings.small_width_px
            height = round(width * self._settings.height_px / self._settings.width_px)
            at_s = self._now()
            self._small = self._taken((width, height), seq, at_s, self._with_quick_hands(at_s))
        return self._small

    def _with_quick_hands(self, at_s: float) -> SimTableState:
        """The table with hands that came and went since the last picture: people are never that quick, clicks are."""
        state, last_s = self._table.state, self._start_s if self._small is None else self._small.at_s
        just_s = math.nextafter(at_s, math.inf)
        hands = [
            replace(hand, end_s=just_s) if last_s <= hand.begin_s < hand.end_s <= at_s else hand for hand in state.hands
        ]
        return replace(state, hands=tuple(hands))

    def full(self) -> Frame | None:
        self._pulled_out()
        if self._table.stalled("camera"):
            return None
        return self._taken(
            (self._settings.width_px, self._settings.height_px), self._seq(), self._now(), self._table.state
        )

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        self._pulled_out()
        self._locked = self._automatic() if known is None or known.gain is None else known.gain
        return Exposure(time_us=steady_us(USUAL_US, self._settings.mains_hz), gain=self._locked)

    def unlock(self) -> None:
        self._locked = None

    def status(self) -> Status:
        return self._table.status("camera")

    def close(self) -> None:
        self._small = None

    def _seq(self) -> int:
        return 1 + int((self._now() - self._start_s) * PICTURES_PER_S)

    def _taken(self, size_px: tuple[int, int], seq: int, at_s: float, state: SimTableState) -> Frame:
        exposure = self._automatic() if self._locked is None else self._locked
        return Frame(self._draw(state, View(size_px, at_s, exposure, seq)), at_s, seq)

    def _automatic(self) -> float:
        return 1 / max(self._table.state.brightness, DARKEST)

    def _pulled_out(self) -> None:
        status = self._table.status("camera")
        if not status.ok:
            raise CameraError(str(status.facts.get("why", status.condition)))
