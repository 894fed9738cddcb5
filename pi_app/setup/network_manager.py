"""NetworkManager, asked through its own tool `nmcli`.

Passwords reach it through its standard input: what stands on a command line can be read by everybody on the machine.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from web.workshop import WifiNetwork, WifiSecurity

ASK_S, SCAN_S, CONNECT_S = 15, 30, 60
MOST_NETWORKS = 40
WIFI = "802-11-wireless"
PASSWORD = f"{WIFI}-security.psk"
MADE = re.compile(r"\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)")
ACCESS_POINT = (
    f"{WIFI}.mode ap {WIFI}.band bg ipv4.method shared ipv6.method disabled"
    f" {WIFI}-security.proto rsn {WIFI}-security.pairwise ccmp {WIFI}-security.group ccmp {WIFI}-security.pmf disable"
).split()
"""WPA2 alone, in the band that every phone has; addresses for the phones come from NetworkManager."""


class NetworkError(Exception):
    """NetworkManager has not done it; `key` is that of a sentence."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True)
class Device:
    """A network device: `wlan0`, `wifi`, `connected`, and by which connection."""

    name: str
    kind: str
    state: str
    connection: str

    @property
    def is_connected(self) -> bool:
        return self.state.startswith("connected")


class NetworkManager:
    """Whatever is asked may take seconds."""

    def devices(self) -> list[Device]:
        told = self._ask("-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device")
        return [Device(*fields) for line in told.splitlines() if len(fields := split(line)) == 4]

    def address(self, device: str) -> str | None:
        """The first of its addresses."""
        told = self._ask("-g", "IP4.ADDRESS", "device", "show", device)
        return told.split("/")[0].strip() or None

    def networks(self, device: str) -> list[WifiNetwork]:
        """Those that are heard, the strongest first; each name once."""
        told = self._ask(
            *("-t", "-f", "SSID,SIGNAL,SECURITY", "device", "wifi", "list", "ifname", device, "--rescan", "yes"),
            wait_s=SCAN_S,
        )
        heard: dict[str, WifiNetwork] = {}
        for line in told.splitlines():
            name, signal, security = (*split(line), "", "", "")[:3]
            network = WifiNetwork(name, int(signal) if signal.isdecimal() else 0, security_of(security))
            if name.strip() and name.isprintable() and network.signal >= heard.get(name, network).signal:
                heard[name] = network
        return sorted(heard.values(), key=lambda network: -network.signal)[:MOST_NETWORKS]

    def profiles(self, name: str | None = None) -> list[str]:
        """Of every Wi-Fi that is known here, or of those that are called so."""
        told = self._ask("-t", "-f", "UUID,TYPE,NAME", "connection", "show")
        known = [fields for line in told.splitlines() if len(fields := split(line)) == 3]
        return [uuid for uuid, kind, called in known if kind == WIFI and name in (None, called)]

    def make(self, name: str, device: str, ssid: str, security: WifiSecurity, password: str, *more: str) -> str:
        """A profile that does nothing yet; gives what it is known by from now on."""
        words = ["connection", "add", "type", "wifi", "con-name", name, "ifname", device, "ssid", ssid]
        words += ["connection.autoconnect", "no", *more]
        if security != "open":
            words += [f"{WIFI}-security.key-mgmt", "sae" if security == "sae" else "wpa-psk"]
        made = MADE.search(self._ask(*words))
        if made is None:
            raise NetworkError("wifi.failed")
        if security != "open":
            try:
                self._ask("connection", "edit", made[1], told=f"set {PASSWORD} {password}\nsave persistent\nquit\n")
            except NetworkError:
                self.forget([made[1]])
                raise
        return made[1]

    def connect(self, profile: str) -> None:
        self._ask("--wait", str(CONNECT_S), "connection", "up", "uuid", profile, wait_s=CONNECT_S + ASK_S)

    def disconnect(self, profile: str) -> None:
        self._ask("connection", "down", "uuid", profile)

    def connect_always(self, profile: str) -> None:
        self._ask("connection", "modify", "uuid", profile, "connection.autoconnect", "yes")

    def forget(self, profiles: Sequence[str]) -> None:
        for profile in profiles:
            self._ask("connection", "delete", "uuid", profile)

    def _ask(self, *words: str, told: str = "", wait_s: float = ASK_S) -> str:
        """What nmcli answers. Nothing that it is told or says is logged. Raises NetworkError."""
        try:
            done = subprocess.run(
                ["nmcli", *words],
                input=told,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=wait_s,
                check=False,
                # Without a home its editor keeps no history, in which passwords would stand.
                env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/dev/null"},
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NetworkError("wifi.no_answer") from error
        # The editor ends well whatever was made of its lines, and says them again.
        said = (done.stderr + done.stdout).splitlines()
        if done.returncode != 0 or (told and any(line.startswith("Error:") for line in said)):
            raise NetworkError(_reason("\n".join(line for line in said if not line.startswith("nmcli>"))))
        return done.stdout


def is_there() -> bool:
    """Whether this machine has NetworkManager's tool at all."""
    return shutil.which("nmcli") is not None


def split(line: str) -> list[str]:
    r"""The fields of a line of `nmcli -t`: `a\:b:c` has two."""
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|(?<=:))((?:\\.|[^:\\])*)(?::|$)", line)]


def security_of(told: str) -> WifiSecurity:
    """What somebody needs to join, from nmcli's column SECURITY: `WPA1 WPA2`, `WPA3`, `WPA2 802.1X`, …"""
    kinds = set(told.split()) - {"--"}
    if not kinds:
        return "open"
    if "802.1X" in kinds or not kinds & {"WPA1", "WPA2", "WPA3"}:
        return "unusable"
    return "password" if kinds & {"WPA1", "WPA2"} else "sae"


def _reason(told: str) -> str:
    """The key of a sentence about why it did not work."""
    reasons = {
        r"[Ss]ecrets were required|\(7\)|802\.1X supplicant|password": "wifi.wrong_password",
        r"network could not be found|\(53\)": "wifi.not_found",
        r"IP configuration|\(5\)": "wifi.no_address",
        r"not authorized|Insufficient privileges|permission": "wifi.not_allowed",
        r"NetworkManager is not running": "wifi.no_answer",
        r"[Tt]imeout": "wifi.too_slow",
    }
    return next((key for pattern, key in reasons.items() if re.search(pattern, told)), "wifi.failed")
