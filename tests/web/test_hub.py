"""The newest state for all screens."""

import json
from threading import Thread

from tests.web.patching import patched
from web.hub import KEPT_PATCHES, Hub, Snapshot


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


def test_a_snapshot_tells_what_changed_since_each_of_the_latest_versions() -> None:
    hub = Hub(5)
    hub.publish("people", {"seats": []})
    seen = [hub.snapshot]
    for number in range(KEPT_PATCHES + 3):
        hub.publish("table", {"long": "x" * 2000, "number": number, **({"odd": True} if number % 2 else {})})
        seen.append(hub.snapshot)
    newest = json.loads(hub.snapshot.body)
    for snapshot in seen[-KEPT_PATCHES - 1 : -1]:
        told = json.loads(hub.snapshot.since(snapshot.version) or "")
        assert (told["base"], told["version"]) == (snapshot.version, newest["version"])
        assert patched(json.loads(snapshot.body), told["patch"]) == newest
        assert "x" * 2000 not in json.dumps(told)
    assert hub.snapshot.since(seen[-KEPT_PATCHES - 2].version) is None, "too long ago"
    assert hub.snapshot.since(newest["version"] + 1) is None, "from before a restart"


def test_what_changed_is_not_told_if_the_whole_is_shorter() -> None:
    hub = Hub()
    hub.publish("table", {"a": 1})
    before = hub.snapshot.version
    hub.publish("table", {"b": 2})
    assert hub.snapshot.since(before) is None


def test_what_is_changed_after_publishing_does_not_spoil_the_next_patch() -> None:
    hub, feed = Hub(), ["x" * 200]
    hub.publish("table", {"feed": feed})
    before = hub.snapshot
    feed.append("new")
    hub.publish("table", {"feed": feed})
    told = json.loads(hub.snapshot.since(before.version) or "")
    assert patched(json.loads(before.body), told["patch"])["table"]["feed"] == feed
