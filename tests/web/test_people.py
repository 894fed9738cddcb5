"""Seats, hosts and PINs: who is who survives restarts, and nobody becomes somebody else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    people = People(tmp_path, Hub())
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


def test_many_addresses_together_have_to_wait_too() -> None:
    clock = Clock()
    gate = PinGate(PIN, clock)
    for number in range(PinGate.FREE_TRIES_OF_ALL):
        assert refusal(gate, "000000", f"address {number}") == "people.pin_wrong"
    assert refusal(gate, PIN, "a new one") == "people.pin_wait"


def test_the_gate_remembers_only_so_many_addresses() -> None:
    clock = Clock()
    gate = PinGate(PIN, clock)
    for number in range(3 * PinGate.MOST_ADDRESSES):
        clock.now_s += PinGate.LONGEST_WAIT_S + 1
        refusal(gate, "000000", f"address {number}")
    assert len(gate._wrong) <= PinGate.MOST_ADDRESSES + 1


def test_a_wrong_pin_is_answered_with_a_sentence(web: Table4Web) -> None:
    answer = web.post("/api/host", {"pin": "000000"})
    assert (answer.status_code, answer.json["error"]) == (403, "people.pin_wrong")
    for _ in range(5):
        answer = web.post("/api/host", {"pin": "000000"})
    assert answer.status_code == 429
    assert "30" in answer.json["message"]
