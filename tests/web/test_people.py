"""Seats, hosts and PINs: who is who survives restarts, and nobody becomes somebody else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.files import write_private
from tests.web.house import PIN, Table4Web, opened
from web.hub import Hub
from web.people import LONGEST_NAME, People, PinGate, Refused, clean_name


def test_a_seat_is_taken_once(web: Table4Web) -> None:
    web.join(0)
    again = web.post("/api/join", {"seat": 0, "name": "Bo", "colour": "pink", "language": "fr"})
    assert (again.status_code, again.json["error"]) == (409, "people.seat_taken")
    colour = web.post("/api/join", {"seat": 1, "name": "Bo", "colour": "cyan", "language": "fr"})
    assert colour.json["error"] == "people.colour_taken"


def test_its_holder_changes_name_and_moves_to_another_seat(web: Table4Web) -> None:
    token = web.join(0)
    assert web.join(0, "Zoë", "violet", token) == token
    assert web.join(2, "Zoë", "violet", token) == token
    assert [(seat["seat"], seat["name"]) for seat in web.state["people"]["seats"]] == [(2, "Zoë")]


def test_tokens_survive_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        seated, host = at.join(1, "Bo"), at.host()
    with opened(tmp_path) as at:
        assert at.get("/api/me", Authorization=f"Bearer {seated}").json["seat"] == 1
        assert at.get("/api/me", Authorization=f"Bearer {host}").json["host"] is True
        assert at.state["people"]["seats"][0]["name"] == "Bo"


def test_tokens_are_kept_as_hashes_that_only_the_owner_reads(tmp_path: Path) -> None:
    with opened(tmp_path) as at:
        token = at.join(0)
    file = tmp_path / "people.json"
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "[]", "{", '{"seats": [{"seat": 99}]}', '{"seats": 3, "hosts": 1, "open": 0}'])
def test_a_damaged_file_costs_seats_and_nothing_else(text: str, tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text(text)
    people = People(tmp_path, Hub(), write_private)
    assert people.who("anything").seat is None
    assert people.join(0, "Ana", "cyan", "en", None)


def test_closed_seats_and_freed_ones(web: Table4Web) -> None:
    host, ana = web.host(), web.join(0)
    web.command("open_joining", {"open": False}, host)
    late = web.post("/api/join", {"seat": 1, "name": "Bo", "colour": "pink", "language": "en"})
    assert late.json["error"] == "people.closed"
    web.command("free_seat", {"seat": 0}, host)
    assert web.command("report", {"what": "dice"}, ana).status_code == 401


def test_who_leaves_has_no_say_any_more(web: Table4Web) -> None:
    token = web.join(0)
    assert web.post("/api/leave", {}, token).status_code == 200
    assert web.command("reread", token=token).status_code == 401
    host = web.host()
    web.post("/api/host/leave", {}, host)
    assert web.command("pause", token=host).status_code == 401


def test_a_name_that_cannot_be_is_refused(web: Table4Web) -> None:
    for name in ("", "   ", "\u202e\u202e", "x" * 90):
        answer = web.post("/api/join", {"seat": 0, "name": name, "colour": "cyan", "language": "en"})
        assert answer.json["error"] == "people.bad_name"


@given(st.text(max_size=60))
def test_a_cleaned_name_is_short_printable_and_stays_as_it_is(name: str) -> None:
    try:
        cleaned = clean_name(name)
    except Refused:
        return
    assert 0 < len(cleaned) <= LONGEST_NAME
    assert "\n" not in cleaned
    assert "\u202e" not in cleaned
    assert clean_name(cleaned) == cleaned


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def refusal(gate: PinGate, pin: str, address: str = "a") -> str | None:
    try:
        gate.check(pin, address)
    except Refused as refused:
        return refused.refusal.key
    return None


def test_wrong_pins_make_their_address_wait_longer_and_longer() -> None:
    clock = Clock()
    gate = PinGate(PIN, clock)
    assert [refusal(gate, "000000") for _ in range(6)] == ["people.pin_wrong"] * 5 + ["people.pin_wait"]
    assert refusal(gate, PIN) == "people.pin_wait", "not even the right one"
    assert refusal(gate, PIN, "b") is None, "others need not wait"
    clock.now_s += PinGate.FIRST_WAIT_S + 1
    assert refusal(gate, "111111") == "people.pin_wrong"
    clock.now_s += PinGate.FIRST_WAIT_S + 1
    assert refusal(gate, PIN) == "people.pin_wait", "the second time twice as long"
    clock.now_s += PinGate.FIRST_WAIT_S
    assert refusal(gate, PIN) is None


def guess(gate: PinGate, tries: int, addresses: int) -> None:
    """Wrong PINs from so many addresses in turn."""
    for number in range(tries):
        assert refusal(gate, "000000", f"guesser {number % addresses}") == "people.pin_wrong"


def test_thirty_wrong_pins_from_anywhere_lock_nobody_else_out() -> None:
    gate = PinGate(PIN, Clock())
    guess(gate, tries=PinGate.SHARED_TRIES, addresses=10)
    assert refusal(gate, PIN, "a new one") is None


def test_many_addresses_are_not_many_tries() -> None:
    """However many they are: each new one takes from what all new ones have together."""
    clock = Clock()
    gate = PinGate(PIN, clock)
    guess(gate, tries=PinGate.SHARED_TRIES, addresses=10**6)
    assert refusal(gate, PIN, "a new one") == "people.pin_wait"
    tried = 0
    for number in range(24 * 60):
        clock.now_s += 60.0
        while refusal(gate, "000000", f"later {number}.{tried}") == "people.pin_wrong":
            tried += 1
    assert tried <= 24 * 3600 / PinGate.SHARED_EVERY_S


def test_many_addresses_that_try_again_are_not_many_tries_either() -> None:
    clock = Clock()
    gate = PinGate(PIN, clock)
    addresses = [f"guesser {number}" for number in range(PinGate.SHARED_TRIES)]
    tried = 0
    for _ in range(60):
        clock.now_s += 60.0
        tried += sum(refusal(gate, "000000", address) == "people.pin_wrong" for address in addresses)
    assert tried <= 2 * PinGate.SHARED_TRIES + 3600 / PinGate.SHARED_EVERY_S


def test_the_host_gets_in_whoever_guesses() -> None:
    """At the table itself, and from where a host was before."""
    gate = PinGate(PIN, Clock())
    assert refusal(gate, PIN, "the host's phone") is None
    gate.trust("the host's tablet")
    guess(gate, tries=PinGate.SHARED_TRIES, addresses=10**6)
    assert refusal(gate, PIN, "somebody") == "people.pin_wait"
    assert refusal(gate, PIN, "the host's phone") is None
    assert refusal(gate, PIN, "the host's tablet") is None
    gate.check(PIN, "127.0.0.1", own=True)


def test_the_wait_can_be_lifted_at_the_table() -> None:
    gate = PinGate(PIN, Clock())
    guess(gate, tries=PinGate.FREE_TRIES, addresses=1)
    assert refusal(gate, PIN, "guesser 0") == "people.pin_wait"
    gate.lift()
    assert refusal(gate, PIN, "guesser 0") is None
    guess(gate, tries=PinGate.SHARED_TRIES, addresses=10**6)
    gate.lift()
    assert refusal(gate, PIN, "a new one") is None


def test_who_has_a_host_token_stays_in_and_is_known_by_address(web: Table4Web) -> None:
    token = web.host()
    gate = web.house.gate
    assert web.get("/api/me", Authorization=f"Bearer {token}").json["host"] is True
    for number in range(PinGate.SHARED_TRIES):
        refusal(gate, "000000", f"guesser {number}")
    assert web.command("pause", token=token).status_code == 200
    assert web.post("/api/host", {"pin": PIN}).status_code == 200


def test_a_seat_makes_no_address_known(web: Table4Web) -> None:
    """Anybody may take one."""
    token = web.join(0)
    gate = web.house.gate
    web.get("/api/me", Authorization=f"Bearer {token}")
    for number in range(PinGate.SHARED_TRIES):
        refusal(gate, "000000", f"guesser {number}")
    assert web.post("/api/host", {"pin": PIN}).status_code == 429
    gate.lift()
    assert web.post("/api/host", {"pin": PIN}).status_code == 200


def test_the_gate_remembers_only_so_many_addresses() -> None:
    clock = Clock()
    gate = PinGate(PIN, clock)
    for number in range(2 * PinGate.MOST_ADDRESSES):
        clock.now_s += PinGate.LONGEST_WAIT_S + 1
        refusal(gate, "000000", f"address {number}")
        gate.trust(f"host {number}")
    assert (len(gate._wrong), len(gate._trusted)) == (PinGate.MOST_ADDRESSES, PinGate.MOST_ADDRESSES)


def test_a_wrong_pin_is_answered_with_a_sentence(web: Table4Web) -> None:
    answer = web.post("/api/host", {"pin": "000000"})
    assert (answer.status_code, answer.json["error"]) == (403, "people.pin_wrong")
    for _ in range(5):
        answer = web.post("/api/host", {"pin": "000000"})
    assert answer.status_code == 429
    assert "30" in answer.json["message"]
