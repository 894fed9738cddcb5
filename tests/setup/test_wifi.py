"""The table's Wi-Fi, with a program in place of nmcli that keeps a world of its own."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_app.config import load_config, shareable
from pi_app.run.network import for_terminal, where, write_issue
from pi_app.setup.network_manager import NetworkError, NetworkManager, is_there, security_of, split
from pi_app.setup.wifi import HOTSPOT, LONELY_S, PROFILE, RETRY_S, Wifi, own_network
from tests.setup.radio import World
from web.people import Refused
from web.serve import own_addresses
from web.text import Text, load
from web.workshop import Hotspot

OWN = Hotspot("allcity-1a2b", "w7xkq2mzpa")
HOME = {"signal": 80, "security": "WPA1 WPA2", "password": "correct horse"}
CAFE = {"signal": 40, "security": "--", "password": None}
SECRET = 'p a"s\\s:w$o#r;d Error: (7)'
"""What a shell, a file of keys or a line of fields could take for something else."""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "nmcli").symlink_to(Path(__file__).with_name("radio.py"))
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    monkeypatch.setenv("RADIO", str(tmp_path / "world.json"))
    return World(tmp_path / "world.json", heard={"Home": HOME, "Café: 2": CAFE})


class Table:
    """A table with a Wi-Fi, a clock that is set by hand, and people who come and go."""

    def __init__(self) -> None:
        self.at_s, self.is_here = 1000.0, False
        self.wifi = Wifi(NetworkManager(), OWN, lambda: self.is_here, lambda: self.at_s, lambda seconds: None)

    def pass_time(self, seconds: float) -> str:
        """Looks before and after; tells how it is then."""
        self.wifi.look()
        self.at_s += seconds
        self.wifi.look()
        return self.wifi.now.state

    def join(self, name: str, password: str = "", hidden: bool = False) -> str:
        self.wifi.join(name, password, hidden)
        assert self.wifi.now.state == "joining"
        self.wifi.look()
        return self.wifi.now.state

    def own(self, is_open: bool) -> str:
        self.wifi.open_hotspot(is_open)
        self.wifi.look()
        return self.wifi.now.state


@pytest.fixture
def table(world: World) -> Table:
    return Table()


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        action()
    assert caught.value.refusal.key in load("en")
    return caught.value.refusal.key


# --- a fresh Pi -------------------------------------------------------------------------------


def test_a_table_without_any_network_opens_one_of_its_own_after_a_minute(table: Table, world: World) -> None:
    assert table.pass_time(LONELY_S - 1) == "alone"
    assert table.pass_time(1) == "hotspot"
    assert (table.wifi.now.hotspot, table.wifi.now.address) == (OWN, "10.42.0.1")
    made = world.profile(HOTSPOT)
    assert made is not None
    assert (made["ssid"], made["psk"], made["options"]["802-11-wireless.mode"]) == (OWN.name, OWN.password, "ap")
    assert made["options"]["connection.autoconnect"] == "no", "after a restart the known networks come first"


def test_a_cable_or_a_network_is_enough(table: Table, world: World) -> None:
    world.set(wired=True)
    assert table.pass_time(10 * LONELY_S) == "alone"
    world.set(wired=False)
    assert table.pass_time(LONELY_S - 1) == "alone", "the minute begins when the cable goes"
    assert table.pass_time(1) == "hotspot"


def test_while_networkmanager_is_trying_the_table_waits(table: Table, world: World) -> None:
    world.set(radio="connecting (configuring)")
    assert table.pass_time(3 * LONELY_S) == "alone"
    world.set(radio="disconnected")
    table.wifi.look()
    assert table.wifi.now.state == "hotspot"


@pytest.mark.parametrize("told", [{"radio": None}, {"radio": "unavailable"}, {"radio": "unmanaged"}])
def test_without_a_radio_that_may_be_used_nothing_is_offered(told: dict[str, str], table: Table, world: World) -> None:
    world.set(**told)
    assert table.pass_time(2 * LONELY_S) == "off"
    assert refused(lambda: table.wifi.join("Home", "correct horse", False)) == "wifi.off"


def test_a_phone_in_the_tables_own_network_sees_what_was_heard_before(table: Table) -> None:
    table.pass_time(LONELY_S)
    assert [(one.name, one.security) for one in table.wifi.state().networks] == [
        ("Home", "password"),
        ("Café: 2", "open"),
    ]


# --- joining ----------------------------------------------------------------------------------


def test_the_right_password_brings_the_table_into_the_network_for_good(table: Table, world: World) -> None:
    table.pass_time(LONELY_S)
    assert table.join("Home", "correct horse") == "network"
    assert table.wifi.now.name == "Home"
    kept = world.profile(PROFILE.format("Home"))
    assert kept is not None
    assert (kept["psk"], kept["options"]["connection.autoconnect"]) == ("correct horse", "yes")
    assert table.wifi.now.trouble is None


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("Home", "wrong horse", "wifi.wrong_password"),
        ("Nowhere", "correct horse", "wifi.not_found"),
        ("Slow", "correct horse", "wifi.no_address"),
    ],
)
def test_what_does_not_work_is_told_and_the_tables_own_network_comes_back(
    name: str, password: str, told: str, table: Table, world: World
) -> None:
    slow = HOME | {"trouble": "IP configuration could not be reserved (no available address, timeout, etc.)"}
    world.set(heard={"Home": HOME, "Slow": slow})
    table.pass_time(LONELY_S)
    assert table.join(name, password) == "hotspot"
    assert table.wifi.now.trouble is not None
    assert table.wifi.now.trouble.key == told
    assert world.profile(PROFILE.format(name)) is None


def test_a_wrong_password_leaves_what_was_known_of_the_network(table: Table, world: World) -> None:
    table.wifi.look()
    table.join("Home", "correct horse")
    table.join("Home", "wrong horse")
    kept = world.profile(PROFILE.format("Home"))
    assert kept is not None
    assert kept["psk"] == "correct horse"


def test_what_others_have_set_up_is_left_alone(table: Table, world: World) -> None:
    theirs = {"name": "Home", "ssid": "Home", "options": {"ipv4.method": "manual"}, "psk": "correct horse"}
    world.set(profiles={"5e9e1a01-57cb-4fd7-9d17-35a192b8116c": theirs})
    table.wifi.look()
    table.join("Home", "correct horse")
    assert world.profile("Home") == theirs


def test_open_and_hidden_networks_can_be_joined(table: Table, world: World) -> None:
    table.pass_time(LONELY_S)
    assert table.join("Café: 2") == "network"
    world.set(heard={"Unseen": HOME})
    assert table.join("Unseen", "correct horse", hidden=True) == "network"
    kept = world.profile(PROFILE.format("Unseen"))
    assert kept is not None
    assert kept["options"]["802-11-wireless.hidden"] == "yes"


def test_a_network_that_only_speaks_wpa3_gets_its_password_in_that_way(table: Table, world: World) -> None:
    world.set(heard={"New": {"signal": 50, "security": "WPA3", "password": "correct horse"}})
    table.pass_time(LONELY_S)
    assert table.join("New", "correct horse") == "network"
    kept = world.profile(PROFILE.format("New"))
    assert kept is not None
    assert kept["options"]["802-11-wireless-security.key-mgmt"] == "sae"


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("", "correct horse", "wifi.bad_name"),
        ("é" * 17, "correct horse", "wifi.bad_name"),
        ("Ho\nme", "correct horse", "wifi.bad_name"),
        ("Home", "short", "wifi.bad_password"),
        ("Home", "x" * 64, "wifi.bad_password"),
        ("Home", "correct\nhorse", "wifi.bad_password"),
        ("Home", " correct horse", "wifi.bad_password"),
        ("Home", "pässword!", "wifi.bad_password"),
        ("Home", "", "wifi.password_needed"),
        ("Office", "correct horse", "wifi.unusable"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_changes(
    name: str, password: str, told: str, table: Table, world: World
) -> None:
    world.set(heard={"Home": HOME, "Office": {"signal": 60, "security": "WPA2 802.1X"}})
    table.pass_time(LONELY_S)
    assert refused(lambda: table.wifi.join(name, password, False)) == told
    table.wifi.look()
    assert table.wifi.now.state == "hotspot"


def test_one_change_at_a_time(table: Table) -> None:
    table.wifi.look()
    table.wifi.join("Home", "correct horse", False)
    assert refused(lambda: table.wifi.open_hotspot(True)) == "wifi.busy"


# --- the table's own network ------------------------------------------------------------------


def test_the_host_opens_and_closes_it(table: Table, world: World) -> None:
    table.wifi.look()
    table.join("Home", "correct horse")
    assert table.own(True) == "hotspot"
    assert table.own(False) == "alone"
    assert world.profile(HOTSPOT) is None


def test_it_makes_way_for_known_networks_when_nobody_is_in_it(table: Table, world: World) -> None:
    table.wifi.look()
    table.join("Home", "correct horse")
    world.set(up=None)  # the router has no power
    assert table.pass_time(LONELY_S) == "hotspot"
    table.is_here = True
    assert table.pass_time(2 * RETRY_S) == "hotspot"
    table.is_here = False
    table.wifi.look()
    table.at_s += RETRY_S
    table.wifi.look()
    table.wifi.look()
    assert table.wifi.now.state == "alone", "now NetworkManager can try what it knows"


def test_it_stays_where_no_other_network_is_known(table: Table) -> None:
    table.pass_time(LONELY_S)
    assert table.pass_time(3 * RETRY_S) == "hotspot"


def test_whoever_looks_at_the_page_is_not_thrown_out(table: Table, world: World) -> None:
    table.wifi.look()
    table.join("Home", "correct horse")
    world.set(up=None)
    table.pass_time(LONELY_S)
    for _ in range(4):
        table.wifi.state()
        assert table.pass_time(RETRY_S - 1) == "hotspot"


def test_its_password_is_made_up_once_and_only_the_owner_reads_it(tmp_path: Path) -> None:
    first = own_network(tmp_path, "one machine")
    assert own_network(tmp_path, "one machine") == first
    assert own_network(tmp_path, "another").name != first.name
    assert (tmp_path / "wifi").stat().st_mode & 0o777 == 0o600
    (tmp_path / "wifi").write_text("spoilt\n" * 40)
    assert own_network(tmp_path, "one machine").password not in (first.password, "spoilt")


# --- secrets ----------------------------------------------------------------------------------


def test_passwords_stand_on_no_command_line_and_in_no_log(
    table: Table, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    world.set(heard={"Home": HOME | {"password": SECRET}})
    table.pass_time(LONELY_S)
    assert table.join("Home", SECRET) == "network"
    table.join("Home", "another wrong one")
    asked = "\n".join(word for words in world.read()["asked"] for word in words)
    for secret in (SECRET, "another wrong one", OWN.password):
        assert secret not in asked
        assert secret not in caplog.text
    assert OWN.password not in repr(table.wifi.now)


def test_nmcli_has_no_home_in_which_its_editor_keeps_a_history(table: Table, world: World) -> None:
    table.pass_time(LONELY_S)
    assert set(world.read()["homes"]) == {"/dev/null"}


def test_support_files_do_not_carry_it(tmp_path: Path) -> None:
    (tmp_path / "allcity.toml").write_text("[wifi]\nenabled = true\n")
    config = load_config(tmp_path / "allcity.toml", ("en",))
    own = own_network(tmp_path, "one machine")
    assert shareable(config)["wifi"] == {"enabled": True}
    assert own.password not in str(shareable(config))


# --- nmcli ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (r"Caf\: \\ 2:40:WPA2", ["Caf: \\ 2", "40", "WPA2"]),
        ("a::c", ["a", "", "c"]),
        ("::", ["", "", ""]),
        ("wlan0:wifi:connected:", ["wlan0", "wifi", "connected", ""]),
    ],
)
def test_lines_of_nmcli_are_split_where_they_should_be(line: str, fields: list[str]) -> None:
    assert split(line) == fields


@pytest.mark.parametrize(
    ("told", "security"),
    [
        ("", "open"),
        ("--", "open"),
        ("WPA1 WPA2", "password"),
        ("WPA2 WPA3", "password"),
        ("WPA3", "sae"),
        ("WPA2 802.1X", "unusable"),
        ("WEP", "unusable"),
    ],
)
def test_what_it_takes_to_join(told: str, security: str) -> None:
    assert security_of(told) == security


def test_networkmanager_that_does_not_answer_is_told_and_looked_for_again(table: Table, world: World) -> None:
    world.set(running=False)
    table.wifi.look()
    assert table.wifi.now.trouble is not None
    assert table.wifi.now.trouble.key == "wifi.no_answer"
    world.set(running=True)
    assert table.pass_time(LONELY_S) == "hotspot"
    assert table.wifi.now.trouble is None


def test_a_machine_without_nmcli_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not is_there()
    with pytest.raises(NetworkError) as caught:
        NetworkManager().devices()
    assert caught.value.key == "wifi.no_answer"


# --- where the table is -----------------------------------------------------------------------


def test_inside_its_own_network_the_table_is_told_by_number(table: Table) -> None:
    table.pass_time(LONELY_S)
    told = where(lambda inside: own_addresses(80, inside), table.wifi)
    assert "http://10.42.0.1" in told["addresses"]
    assert told["hotspot"] == {"name": OWN.name, "password": OWN.password}


def test_the_terminal_shows_the_network_before_the_dashboard(tmp_path: Path) -> None:
    told = {"addresses": ["http://10.42.0.1"], "hotspot": {"name": "allcity-1a2b", "password": "w7xkq2mzpa"}}
    said = for_terminal(told, "123456", Text("en"))
    assert said.index("w7xkq2mzpa") < said.index("http://10.42.0.1")
    assert said.count("█") > 100, "codes are drawn"
    write_issue(tmp_path, said + "\\o/")
    assert (tmp_path / "issue").read_text(encoding="utf-8") == said + "\\\\o/\n", "a login prompt reads \\ as its own"
    assert "hotspot" not in for_terminal({**told, "hotspot": None}, "123456", Text("en"))
