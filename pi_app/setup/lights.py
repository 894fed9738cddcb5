"""The lights while they are being tried."""

from collections.abc import Callable, Mapping

from hardware.ports import Condition, Status
from pi_app.setup.light_test import LampTest, colour_of
from web.people import Refused
from web.workshop import Said, Severity


class LightsSetup:
    def __init__(self, test: LampTest, status: Callable[[], Status]) -> None:
        self._test, self._status = test, status
        self.zones: Mapping[str, str] = {zone: f"rgb{colour_of(zone)}" for zone in test.zones}

    def status(self) -> Said:
        status = self._status()
        severity: Severity = "good" if status.ok else "warn" if status.condition is Condition.OFF else "bad"
        return Said(status.device, severity, status.message, status.facts)

    def test(self, zone: str | None) -> float:
        status = self._status()
        if not status.ok:
            raise Refused(status.message, **status.facts)
        if zone is not None and zone not in self.zones:
            raise Refused("web.not_found")
        return self._test.start(zone)
