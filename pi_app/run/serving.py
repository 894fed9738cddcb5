"""Opens the dashboard to the network: wires the table to the web server."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from pi_app.files import write_private
from pi_app.games import GAMES
from pi_app.history.history import History
from pi_app.run.dashboard import Dashboard, Profiles
from pi_app.run.network import Network
from pi_app.setup.wifi import Wifi
from pi_app.simulation.simroom import SimRoom
from pi_app.table.lights import PLAYERS
from pi_app.table.table import Table
from web.app import create_app
from web.house import House
from web.hub import Hub
from web.people import PinGate
from web.refusal import Refusal
from web.serve import own_addresses, own_names, serve
from web.workshop import Workshop

PIN_DIGITS = 6


@dataclass(frozen=True)
class FrontDoor:
    """The open dashboard: where it is, and the PIN that makes a device the host's."""

    dashboard: Dashboard
    addresses: Sequence[str]
    port: int
    pin: str
    hub: Hub

    def people(self) -> Sequence[Mapping[str, Any]]:
        """Whoever has a seat: its number and their name, among others."""
        return cast(Sequence[Mapping[str, Any]], (self.hub.part("people") or {"seats": []})["seats"])


def open_door(
    table: Table,
    history: History,
    folder: Path,
    port: int,
    address: str,
    name: str,
    profiles: Profiles,
    workshop: Callable[[int], Workshop] | None = None,
    room: SimRoom | None = None,
    notice: Refusal | None = None,
    wifi: Wifi | None = None,
    show: Callable[[Mapping[str, Any], str], None] = lambda told, pin: None,
) -> FrontDoor:
    """Serves from now on. `folder` keeps the PIN and the tokens, `workshop` is opened for this port.

    A simulated table has a `room`; `notice` stands above every page; `show` is told where the table is and its PIN, and
    again whenever that changes.

    Raises web.serve.PortTaken.
    """
    # Versions must not repeat after a restart, or a page would take the new state for the one it knows.
    hub = Hub(first_version=int(time.time() * 10))
    gate = PinGate(_pin(folder / "pin"))
    dashboard = Dashboard(
        table,
        hub,
        time.monotonic,
        profiles,
        simulated=room is not None,
        on_meddling=(lambda: None) if room is None else room.touch,
        # Whoever stands at the table may press a button: then nobody has to wait any longer for another try of the PIN.
        on_press=gate.lift,
    )
    dashboard.publish()

    def house(taken: int) -> House:
        return House(
            hub=hub,
            table=dashboard,
            folder=folder,
            gate=gate,
            write=write_private,
            colours=PLAYERS,
            games=GAMES,
            game=table.game.name,
            names=[*own_names(), *([name] if name else [])],
            addresses=own_addresses(taken),
            sim=room,
            workshop=None if workshop is None else workshop(taken),
            history=history,
            notice=notice,
        )

    taken = serve(lambda taken: create_app(house(taken)), address, port)
    Network(hub, partial(own_addresses, taken), wifi, lambda told: show(told, gate.pin)).start()
    return FrontDoor(dashboard, own_addresses(taken), taken, gate.pin, hub)


def _pin(file: Path) -> str:
    """The host's PIN: made up once, and kept where only the owner reads it."""
    with suppress(OSError):
        kept = file.read_text(encoding="ascii", errors="replace").strip()
        if len(kept) == PIN_DIGITS and kept.isdecimal():
            return kept
    pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
    with suppress(OSError):  # without a place to keep it, it holds until the next start
        write_private(file, pin.encode("ascii"))
    return pin
