"""Where the table is: on the screens, on the console, and at the program's own start with a Wi-Fi."""

import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pi_app.run.network import Network
from tests.browser.program import CONFIG, Program
from tests.setup.radio import World
from tests.setup.test_wifi import HOME
from web.hub import Hub


def test_who_looks_is_told_only_what_has_changed() -> None:
    hub, at, shown = Hub(), ["http://192.0.2.1"], list[Mapping[str, Any]]()
    network = Network(hub, lambda inside: list(at), None, shown.append)
    network.once()
    version = hub.version
    network.once()
    assert (hub.version, len(shown)) == (version, 1)
    at[0] = "http://192.0.2.9"
    network.once()
    assert hub.part("network") == {"addresses": ["http://192.0.2.9"], "hotspot": None} == shown[-1]


def test_the_program_opens_its_own_network_and_shows_the_way_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools, console = tmp_path / "tools", tmp_path / "console"
    tools.mkdir()
    console.mkdir()
    (tools / "nmcli").symlink_to(Path(__file__).parents[1] / "setup" / "radio.py")
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    monkeypatch.setenv("RADIO", str(tmp_path / "world.json"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(console))
    World(tmp_path / "world.json", heard={"Home": HOME}, wired=True)
    with Program(tmp_path, "--sim", config=CONFIG + "[wifi]\nenabled = true\n") as program:
        site = program.site
        site.until(lambda state: state.get("network") is not None, "it knows where it is")
        host = site.post("/api/host", {"pin": program.pin})["token"]
        site.post("/api/setup/wifi/own", {"open": True}, host)
        state = site.until(lambda state: state["network"]["hotspot"] is not None, "its own network is open")
        hotspot = state["network"]["hotspot"]
        assert hotspot["password"] == (tmp_path / "wifi").read_text(encoding="ascii")
        assert f"http://10.42.0.1:{site.port}" in state["network"]["addresses"]
        assert urllib.request.urlopen(site.address + "/wifi.svg").status == 200
        site.post("/api/setup/wifi", {"name": "Home", "password": "correct horse", "hidden": False}, host)
        site.until(lambda state: state["network"]["hotspot"] is None, "it has joined the other")
        assert site.get("/api/setup/wifi", host)["name"] == "Home"
        issue = (console / "issue").read_text(encoding="utf-8")
        assert program.pin in issue
        said = "\n".join(program.said) + "".join(log.read_text() for log in tmp_path.glob("*.log*"))
        for secret in (hotspot["password"], "correct horse"):
            assert secret not in said
