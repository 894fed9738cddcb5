"""The newest state for all screens."""

import json
from itertools import combinations
from threading import Thread

from tests.web.patching import patched
from web.hub import Hub, Snapshot


def test_only_what_is_new_makes_a_new_version() -> None:
    hub = Hub(7)
    hub.publish("table", {"a": 1})
    hub.publish("table", {"a": 1})
    hub.publish("people", ["x"])
    assert json.loads(hub.snapshot.body) == {"version": 9, "table": {"a": 1}, "people": ["x"]}
    assert hub.snapshot.version == 9


def test_whoever_waits_is_woken_by_the_next_version() -> None:
    hub, got = Hub(), list[Snapshot | None]()
    waiting = Thread(target=lambda: got.append(hub.wait(hub.snapshot.version, 30.0)))
    waiting.start()
    hub.publish("table", {})
    waiting.join()
    assert got == [hub.snapshot]


def test_who_has_seen_an_older_version_need_not_wait() -> None:
    hub = Hub()
    hub.publish("table", {})
    assert hub.wait(1, 0.0) == hub.snapshot
    assert hub.wait(hub.snapshot.version, 0.0) is None


def test_what_changed_leads_from_any_version_to_any_later_one() -> None:
    hub = Hub(5)
    seen = [hub.snapshot]
    for number in range(6):
        hub.publish("table", {"long": "x" * 2000, "number": number, **({"odd": True} if number % 2 else {})})
        seen.append(hub.snapshot)
        hub.publish("people", {"seats": [number], "long": "y" * 2000})
        seen.append(hub.snapshot)
    for old, new in combinations(seen[2:], 2):
        told = json.loads(hub.patch(old, new) or "")
        assert (told["base"], told["version"]) == (old.version, new.version)
        assert patched(json.loads(old.body), told["patch"]) == json.loads(new.body)
        assert len(json.dumps(told)) < 500


def test_what_changed_is_not_told_if_the_whole_is_shorter() -> None:
    hub = Hub()
    before = hub.snapshot
    hub.publish("table", {"a": 1})
    assert hub.patch(before, hub.snapshot) is None


def test_what_is_changed_after_publishing_does_not_spoil_the_next_patch() -> None:
    hub, feed = Hub(), ["x" * 200]
    hub.publish("table", {"feed": feed})
    before = hub.snapshot
    feed.append("new")
    hub.publish("table", {"feed": feed})
    told = json.loads(hub.patch(before, hub.snapshot) or "")
    assert patched(json.loads(before.body), told["patch"])["table"]["feed"] == feed
