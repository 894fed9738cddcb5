"""The newest state for all screens."""

import json
from itertools import combinations
from threading import Thread

from tests.web.patching import patched
from web.hub import Hub


def test_only_what_is_new_makes_a_new_version() -> None:
    hub = Hub(7)
    hub.publish("table", {"a": 1})
    hub.publish("table", {"a": 1})
    hub.publish("people", ["x"])
    assert json.loads(hub.snapshot().body) == {"version": 9, "table": {"a": 1}, "people": ["x"]}
    assert hub.version == 9


def test_whoever_waits_is_woken_by_the_next_version() -> None:
    hub, got = Hub(), list[bool]()
    waiting = Thread(target=lambda: got.append(hub.wait(hub.version, 30.0)))
    waiting.start()
    hub.publish("table", {})
    waiting.join()
    assert got == [True]


def test_who_has_seen_an_older_version_need_not_wait() -> None:
    hub = Hub()
    hub.publish("table", {})
    assert hub.wait(1, 0.0)
    assert not hub.wait(hub.version, 0.0)


def test_what_changed_leads_from_any_version_to_any_later_one() -> None:
    hub = Hub(5)
    seen = [hub.snapshot()]
    for number in range(6):
        hub.publish("table", {"long": "x" * 2000, "number": number, **({"odd": True} if number % 2 else {})})
        seen.append(hub.snapshot())
        hub.publish("people", {"seats": [number], "long": "y" * 2000})
        seen.append(hub.snapshot())
    for old, new in combinations(seen[2:], 2):
        told = json.loads(hub.patch(old, new) or "")
        assert (told["base"], told["version"]) == (old.version, new.version)
        assert patched(json.loads(old.body), told["patch"]) == json.loads(new.body)
        assert len(json.dumps(told)) < 500


def test_what_changed_is_not_told_if_the_whole_is_shorter() -> None:
    hub = Hub()
    before = hub.snapshot()
    hub.publish("table", {"a": 1})
    assert hub.patch(before, hub.snapshot()) is None


def test_what_is_changed_after_publishing_does_not_spoil_the_next_patch() -> None:
    hub, feed = Hub(), ["x" * 200]
    hub.publish("table", {"feed": feed})
    before = hub.snapshot()
    feed.append("new")
    hub.publish("table", {"feed": feed})
    told = json.loads(hub.patch(before, hub.snapshot()) or "")
    assert patched(json.loads(before.body), told["patch"])["table"]["feed"] == feed


def test_a_seat_is_shown_what_it_alone_may_know_in_the_same_version() -> None:
    hub = Hub()
    hub.publish("table", {"card": None}, {1: {"card": "crown"}})
    hub.publish("people", {"seats": []})
    assert "crown" not in hub.snapshot().body
    assert hub.snapshot(0) is hub.snapshot()
    assert json.loads(hub.snapshot(1).body) == {"version": 3, "table": {"card": "crown"}, "people": {"seats": []}}
    assert (hub.part("table"), hub.part("table", 1)) == ({"card": None}, {"card": "crown"})


def test_what_only_a_seat_may_know_makes_a_new_version_too() -> None:
    hub = Hub()
    hub.publish("table", {"card": None}, {1: {"card": "crown"}})
    before = hub.snapshot(1), hub.snapshot()
    hub.publish("table", {"card": None}, {1: {"card": "anchor"}})
    assert hub.wait(before[0].version, 0.0)
    told = hub.patch(before[0], hub.snapshot(1)) or hub.snapshot(1).body
    assert "anchor" in told
    assert "anchor" not in (hub.patch(before[1], hub.snapshot()) or hub.snapshot().body)
