"""The newest state for all screens."""

import json
from threading import Thread

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
