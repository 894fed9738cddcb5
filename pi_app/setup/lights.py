"""The lights while they are being tried."""

from collections.abc import Callable, Mapping

from hardware.ports import ZONES, Condition, Status
from pi_app.setup.light_test import COLOURS, LampTest
from web.people import Refused
from web.workshop import Said, Severity


class LightsSetup:
    zones: Mapping[str, str] = {zone: f"rgb{COLOURS[zone]}" for zone in ZONES}

    def __init__(self, test: LampTest, status: Callable[[], Status]) -> None:
        self._test, self._status = test, status

    def status(self) -> Said:
        status = self._status()
        severity: Severity = "good" if status.ok else "warn" if status.condition is Condition.OFF else "bad"
        return Said(status.device, severity, status.message, status.facts)

    def test(self, zone: str | None) -> float:
        status = self._status()
        if not status.ok:
            raise Refused(status.message, **status.facts)
        if zone is not None and zone not in ZONES:
            raise Refused("web.not_found")
        return self._test.start(zone)
