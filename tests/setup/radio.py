#!/usr/bin/env python3
"""A machine with a radio: stands for `nmcli`, in whose words it answers, and remembers what it was told.

`RADIO` names the file in which its world is kept; `World` is how tests make and read it.
"""

import json
import os
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn


class World:
    """What the radio hears, what NetworkManager knows, and every command line it was given."""

    def __init__(self, file: Path, **told: Any) -> None:
        self._file = file
        start = {
            "running": True,
            "wired": False,
            "radio": "disconnected",
            "up": None,
            "heard": {},
            "profiles": {},
            "asked": [],
            "homes": [],
        }
        self.set(**{**start, **told})

    def read(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._file.read_text(encoding="utf-8"))
        return told

    def set(self, **told: Any) -> None:
        now = self.read() if self._file.exists() else {}
        self._file.write_text(json.dumps(now | told), encoding="utf-8")

    def profile(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.read()["profiles"].values() if one["name"] == name), None)

    @property
    def network(self) -> str | None:
        """The name of the profile that is up."""
        world = self.read()
        return None if world["up"] is None else world["profiles"][world["up"]]["name"]


def fail(code: int, why: str) -> NoReturn:
    print(f"Error: {why}", file=sys.stderr)
    raise SystemExit(code)


def escaped(*fields: object) -> str:
    return ":".join(str(field).replace("\\", "\\\\").replace(":", "\\:") for field in fields)


def device(world: dict[str, Any], words: list[str]) -> None:
    up = world["profiles"].get(world["up"], {"name": "", "options": {}})
    if words[:1] == ["show"]:
        print("10.42.0.1/24" if up["options"].get("802-11-wireless.mode") == "ap" else "192.0.2.30/24")
    elif words[:2] == ["wifi", "list"]:
        for name, network in {"": {"signal": 70, "security": "WPA2"}, **world["heard"]}.items():
            print(escaped(name, network["signal"], network["security"]))
    else:
        print(escaped("lo", "loopback", "connected (externally)", "lo"))
        print(escaped("eth0", "ethernet", *(("connected", "Wired") if world["wired"] else ("unavailable", ""))))
        if world["radio"] is not None:
            print(escaped("wlan0", "wifi", "connected" if world["up"] else world["radio"], up["name"]))
            print(escaped("p2p-dev-wlan0", "wifi-p2p", "disconnected", ""))


def connection(world: dict[str, Any], words: list[str]) -> None:
    profiles = world["profiles"]
    match words:
        case ["show"]:
            print(escaped("a8842d2f-6e2b-45b4-8eb9-0c79018895ec", "loopback", "lo"))
            for key, one in profiles.items():
                print(escaped(key, "802-11-wireless", one["name"]))
        case ["add", *options]:
            told = dict(zip(options[::2], options[1::2], strict=True))
            key = str(uuid.uuid4())
            profiles[key] = {"name": told["con-name"], "ssid": told["ssid"], "options": told, "psk": None}
            print(f"Connection '{told['con-name']}' ({key}) successfully added.")
        case ["edit", key]:
            edit(profiles[key])
        case ["up", "uuid", key]:
            bring_up(world, key)
        case ["down", "uuid", _]:
            world["up"] = None
        case ["modify", "uuid", key, option, value]:
            profiles[key]["options"][option] = value
        case ["delete", "uuid", key]:
            del profiles[key]
            if world["up"] == key:
                world["up"] = None
        case _:
            fail(2, f"invalid command {words}")


def edit(profile: dict[str, Any]) -> None:
    """Ends well, whatever it was told, and says again what it was told."""
    for line in sys.stdin.read().splitlines():
        print(f"nmcli> {line}")
        command, _, rest = line.partition(" ")
        if command == "set":
            option, _, value = rest.partition(" ")
            profile["psk" if option.endswith(".psk") else option] = value.strip()
        elif command == "save" and not 8 <= len(profile["psk"] or "") <= 63:
            print("Error: Failed to save: 802-11-wireless-security.psk: property is invalid")


def bring_up(world: dict[str, Any], key: str) -> None:
    profile = world["profiles"][key]
    network = world["heard"].get(profile["ssid"])
    is_own = profile["options"].get("802-11-wireless.mode") == "ap"
    world["up"] = None
    if not is_own and network is None:
        fail(4, "Connection activation failed: The Wi-Fi network could not be found")
    if not is_own and network.get("password") != profile["psk"]:
        fail(4, "Connection activation failed: Secrets were required, but not provided")
    if not is_own and network.get("trouble"):
        fail(4, f"Connection activation failed: {network['trouble']}")
    world["up"] = key
    print("Connection successfully activated")


def main() -> None:
    file = Path(os.environ["RADIO"])
    world = json.loads(file.read_text(encoding="utf-8"))
    words = sys.argv[1:]
    world["asked"].append(words)
    world["homes"].append(os.environ.get("HOME"))
    while words[0].startswith("-"):
        words = words[1:] if words[0] == "-t" else words[2:]
    parts: dict[str, Callable[[dict[str, Any], list[str]], None]] = {"device": device, "connection": connection}
    try:
        if not world["running"]:
            fail(8, "NetworkManager is not running.")
        parts[words[0]](world, words[1:])
    finally:
        file.write_text(json.dumps(world), encoding="utf-8")


if __name__ == "__main__":
    main()
