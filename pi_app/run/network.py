"""Where the table is, kept true: nothing waits for a network, so addresses come and go after the start."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from pi_app.setup.wifi import Wifi
from web import codes
from web.hub import Hub
from web.text import Text

log = logging.getLogger(__name__)

LOOK_S = 10.0
"""Each look starts `nmcli`, a tenth of a second's work for a Pi."""


def where(addresses: Callable[[Sequence[str]], Sequence[str]], wifi: Wifi | None) -> dict[str, Any]:
    """Where phones find the table, best first, and the network of its own if it has one.

    `addresses` gives them all, with those that only a phone in the table's own network can use.
    """
    state = None if wifi is None else wifi.now
    own = None if state is None or state.hotspot is None else state.hotspot
    inside = [state.address] if state is not None and state.address else []
    return {
        "addresses": list(addresses(inside)),
        "hotspot": None if own is None else {"name": own.name, "password": own.password},
    }


class Network:
    """A thread that looks after the network, and tells screens and whoever else `show`s it."""

    def __init__(
        self,
        hub: Hub,
        addresses: Callable[[Sequence[str]], Sequence[str]],
        wifi: Wifi | None,
        show: Callable[[Mapping[str, Any]], None] = lambda told: None,
    ) -> None:
        self._hub, self._addresses, self._wifi, self._show = hub, addresses, wifi, show
        self._shown: Mapping[str, Any] | None = None
        self._woken = Event() if wifi is None else wifi.wanted

    def start(self) -> None:
        Thread(target=self._run, name="network", daemon=True).start()

    def once(self) -> None:
        if self._wifi is not None:
            self._wifi.look()
        told = where(self._addresses, self._wifi)
        if told != self._shown:
            self._shown = told
            self._hub.publish("network", told)
            self._show(told)

    def _run(self) -> None:
        while True:
            try:
                self.once()
            except Exception:  # a game goes on without it
                log.exception("looking after the network failed")
            self._woken.wait(LOOK_S)


def for_terminal(told: Mapping[str, Any], pin: str, text: Text) -> str:
    """Both codes with what they stand for: first into the network, then to the dashboard."""
    said = []
    if (hotspot := told["hotspot"]) is not None:
        said += [text("wifi.terminal", hotspot), codes.in_terminal(codes.wifi(**hotspot))]
    said.append(text("web.open", {"addresses": told["addresses"], "pin": pin}))
    if told["addresses"]:
        said.append(codes.in_terminal(codes.join(told["addresses"][0])))
    return "\n".join(said)


def write_issue(folder: Path, told: str) -> None:
    """For the console of a machine without any other screen: what stands above its login prompt."""
    with suppress(OSError):  # without it, the big screen tells the same
        file = folder / "issue"
        file.write_text(told.replace("\\", "\\\\") + "\n", encoding="utf-8")
