"""The table's Wi-Fi: which network it is in, and a network of its own where there is none.

A fresh Pi has neither keyboard nor network. After a minute without any it opens a network of its own, with a password
that the big screen and the terminal show; a phone in it chooses the network of the house.
"""

import hashlib
import logging
import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock

from pi_app.files import write_private
from pi_app.setup.network_manager import ACCESS_POINT, Device, NetworkError, NetworkManager
from web.people import Refused
from web.refusal import Refusal
from web.workshop import Hotspot, WifiKind, WifiNetwork, WifiSecurity, WifiState

log = logging.getLogger(__name__)

HOTSPOT = "allcity-hotspot"
"""The profile of the table's own network."""
PROFILE = "All City: {}"
"""Those of networks that were chosen here; what others have made of them is left alone."""
LONELY_S = 60.0
"""Without a network for so long, the table opens its own: a router may be slower to start than a Pi."""
RETRY_S = 300.0
"""With nobody in it for so long, the table's own network makes way for those that are known."""
LOOKED_AT_S, SCANNED_S = 30.0, 20.0
ANSWERED_S = 1.0
"""Long enough for an answer to leave before the network does."""
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Those that nobody takes for others."""
NAME_BYTES, PASSWORD_LETTERS = 32, range(8, 64)
FIT_PASSWORD = re.compile(r"[!-~]([ -~]*[!-~])?")


@dataclass(frozen=True)
class Wish:
    """A network that somebody wants the table to join."""

    name: str
    password: str
    hidden: bool

    def __repr__(self) -> str:
        """Without the password: this may get into a log."""
        return f"Wish({self.name!r})"


class Wifi:
    """`look` belongs to a thread that has time, everything else to any."""

    def __init__(
        self,
        manager: NetworkManager,
        hotspot: Hotspot,
        is_somebody_here: Callable[[], bool],
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._manager, self._hotspot, self._is_somebody_here = manager, hotspot, is_somebody_here
        self._now, self._pause = now, pause
        self._lock, self.wanted = Lock(), Event()
        self._wish: Wish | bool | None = None
        """True and False: to open and to close the table's own network."""
        self._state = WifiState("off")
        self._devices: Sequence[Device] = ()
        self._networks: Sequence[WifiNetwork] = ()
        self._trouble: Refusal | None = None
        self._scanned_s = self._asked_s = float("-inf")
        self._lonely_since_s = self._open_since_s = now()

    # --- for the pages ------------------------------------------------------------------------

    def state(self) -> WifiState:
        """How it was a moment ago. Who asks for it is somebody who looks."""
        self._asked_s = self._now()
        return self._state

    @property
    def now(self) -> WifiState:
        """The same for who does not look."""
        return self._state

    def join(self, name: str, password: str, hidden: bool) -> None:
        """Soon; `state` tells what has become of it. Raises Refused for what can be no network or password."""
        if not name.strip() or not name.isprintable() or len(name.encode()) > NAME_BYTES:
            raise Refused("wifi.bad_name", most=NAME_BYTES)
        if password and (len(password) not in PASSWORD_LETTERS or not FIT_PASSWORD.fullmatch(password)):
            raise Refused("wifi.bad_password", least=PASSWORD_LETTERS[0], most=PASSWORD_LETTERS[-1])
        heard = self._heard(name)
        if heard is not None and heard.security == "unusable":
            raise Refused("wifi.unusable", name=name)
        if heard is not None and heard.security != "open" and not password:
            raise Refused("wifi.password_needed", name=name)
        self._want(Wish(name, password, hidden))

    def open_hotspot(self, is_open: bool) -> None:
        """Soon, or makes way for the networks that are known."""
        self._want(is_open)

    def _want(self, wish: "Wish | bool") -> None:
        with self._lock:
            if self._state.state == "off":
                raise Refused("wifi.off")
            if self._wish is not None or self._state.state == "joining":
                raise Refused("wifi.busy")
            self._wish, self._trouble = wish, None
            self._state = WifiState("joining", wish.name if isinstance(wish, Wish) else "", self._networks)
        self.wanted.set()

    # --- for the thread that looks ------------------------------------------------------------

    def look(self) -> None:
        """Does what somebody wants, or sees how it is and opens or closes the table's own network."""
        self.wanted.clear()
        with self._lock:
            wish, self._wish = self._wish, None
        try:
            device = self._device()
            if wish is not None and device is not None:
                self._pause(ANSWERED_S)
                self._do(wish, device)
                device = self._device()
            self._see(device)
        except NetworkError as error:
            log.warning("Wi-Fi: NetworkManager has not done it (%s)", error.key)
            self._trouble = Refusal(error.key)
            self._show("alone")

    def _device(self) -> Device | None:
        """The radio, if there is one that may be used."""
        self._devices = self._manager.devices()
        radios = [device for device in self._devices if device.kind == "wifi"]
        return next((radio for radio in radios if radio.state not in ("unavailable", "unmanaged")), None)

    def _do(self, wish: "Wish | bool", radio: Device) -> None:
        was_open = radio.connection == HOTSPOT
        try:
            if isinstance(wish, Wish):
                self._join(wish, radio)
            elif wish:
                self._open(radio)
            else:
                self._close()
        except NetworkError as error:
            log.warning("Wi-Fi: it could not be changed (%s)", error.key)
            self._trouble = Refusal(error.key, {"name": wish.name if isinstance(wish, Wish) else ""})
            if was_open:
                self._open(radio)

    def _join(self, wish: Wish, radio: Device) -> None:
        """A profile that does not work is not kept, and what was known of that network before stays."""
        heard = self._heard(wish.name)
        security: WifiSecurity = "password" if wish.password else "open"
        if heard is not None and heard.security == "sae":
            security = "sae"
        called = PROFILE.format(wish.name)
        before = self._manager.profiles(called)
        more = ("802-11-wireless.hidden", "yes") if wish.hidden else ()
        log.info("Wi-Fi: joining a network that somebody has chosen")
        profile = self._manager.make(called, radio.name, wish.name, security, wish.password, *more)
        try:
            self._manager.connect(profile)
            self._manager.connect_always(profile)
        except NetworkError:
            self._manager.forget([profile])
            raise
        self._manager.forget(before)

    def _open(self, radio: Device) -> None:
        log.info("Wi-Fi: the table opens its own network")
        with suppress(NetworkError):  # a radio that sends hears nothing: this list is all that a phone will see
            self._scan(radio)
        self._manager.forget(self._manager.profiles(HOTSPOT))
        own = self._hotspot
        profile = self._manager.make(HOTSPOT, radio.name, own.name, "password", own.password, *ACCESS_POINT)
        self._manager.connect(profile)
        self._open_since_s = self._now()

    def _close(self) -> None:
        log.info("Wi-Fi: the table closes its own network")
        self._manager.forget(self._manager.profiles(HOTSPOT))
        self._lonely_since_s = self._now()

    def _see(self, radio: Device | None) -> None:
        if radio is None:
            self._show("off")
        elif radio.connection == HOTSPOT:
            self._show("hotspot", self._hotspot.name, self._manager.address(radio.name))
            self._maybe_close()
        else:
            is_linked = any(one.is_connected for one in self._devices if one.kind in ("wifi", "ethernet"))
            if is_linked:
                self._lonely_since_s = self._now()
            if self._now() - self._asked_s < LOOKED_AT_S and self._now() - self._scanned_s >= SCANNED_S:
                with suppress(NetworkError):
                    self._scan(radio)
            name = radio.connection.removeprefix(PROFILE.format("")) if radio.is_connected else None
            self._show("alone" if name is None else "network", name)
            is_trying = radio.state.startswith("connecting")
            if not is_linked and not is_trying and self._now() - self._lonely_since_s >= LONELY_S:
                self._lonely_since_s = self._now()  # if it fails, not again at once
                self._open(radio)
                self._trouble = None
                self._show("hotspot", self._hotspot.name, self._manager.address(radio.name))

    def _maybe_close(self) -> None:
        """Makes way if a network is known that may have come back, and nobody is in ours."""
        if self._is_somebody_here() or self._now() - self._asked_s < RETRY_S:
            self._open_since_s = self._now()
        elif self._now() - self._open_since_s >= RETRY_S and len(self._manager.profiles()) > 1:
            self._close()

    def _scan(self, radio: Device) -> None:
        self._scanned_s = self._now()
        heard = self._manager.networks(radio.name)
        self._networks = [network for network in heard if network.name != self._hotspot.name]

    def _heard(self, name: str) -> WifiNetwork | None:
        return next((network for network in self._networks if network.name == name), None)

    def _show(self, state: WifiKind, name: str | None = None, address: str | None = None) -> None:
        hotspot = self._hotspot if state == "hotspot" else None
        with self._lock:
            if self._wish is None:
                self._state = WifiState(state, name, self._networks, hotspot, address, self._trouble)


def own_network(folder: Path, machine: str) -> Hotspot:
    """What the table's own network is called, and its password: made up once, and kept where only the owner reads it.

    `machine` tells this machine from others.
    """
    file = folder / "wifi"
    name = f"allcity-{hashlib.sha256(machine.encode()).hexdigest()[:4]}"
    with suppress(OSError):
        kept = file.read_text(encoding="ascii", errors="replace").strip()
        if len(kept) in PASSWORD_LETTERS and FIT_PASSWORD.fullmatch(kept):
            return Hotspot(name, kept)
    password = "".join(secrets.choice(LETTERS) for _ in range(10))
    with suppress(OSError):  # without a place to keep it, it holds until the next start
        write_private(file, password.encode("ascii"))
    return Hotspot(name, password)
