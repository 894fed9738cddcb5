"""Checks what a profile says of the action boards: permits, bonus tiles and paint."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pi_app.engine.checks import (
    check_id,
    check_keys,
    check_list,
    check_number,
    check_text,
    check_truth,
    items_of,
    table_in,
    twice_in,
)
from pi_app.engine.contract import Problem
from pi_app.games.graffiti.edition.words import BONUSES, PAINTS

MOST_PERMIT_SLOTS, MOST_BONUS_SLOTS, MOST_SPACES = 10, 8, 20
MOST_TILES = 100
SPACE_ID = re.compile(r"[a-z][a-z0-9_.-]{0,30}")
RETAIL_TILES = {"permits": 30, "bonus": 40, "paint": 58}
"""So many the retail edition has; a profile may differ, but its owner should know."""


def check_permits(permits: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("permits", permits, ["faces", "slots", "spaces"])
    if "faces" in permits:
        sections = items_of(table_in(data, "tunnel").get("sections"))[:MOST_TILES]
        faces = [str(n) for n in range(1, len(sections) + 1)] if sections else None
        yield from _check_tiles("permits", "faces", permits["faces"], faces)
    if "slots" in permits:
        yield from check_number("permits.slots", permits["slots"], 1, MOST_PERMIT_SLOTS)
    if "spaces" in permits:
        slots = permits["slots"] if type(permits.get("slots")) is int else MOST_PERMIT_SLOTS
        yield from _check_permit_spaces("permits.spaces", permits["spaces"], slots)


def _check_permit_spaces(where: str, spaces: Any, slots: int) -> Iterator[Problem]:
    yield from check_list(where, spaces, 1, MOST_SPACES)
    good = []
    for number, space in enumerate(items_of(spaces), 1):
        place = f"{where} {number}"
        problems = list(_check_permit_space(place, space, slots))
        yield from problems
        if not problems:
            good.append(space)
    yield from _check_ids(where, spaces)
    if spaces and len(good) == len(items_of(spaces)):
        for key, code in (("first", "spaces_first"), ("pile", "spaces_pile")):
            count = sum(bool(space[key]) for space in good)
            if count != 1:
                yield Problem(where, code, {"count": count})


def _check_permit_space(where: str, space: Any, slots: int) -> Iterator[Problem]:
    if not isinstance(space, Mapping):
        yield Problem(where, "not_a_table")
        return
    problems = list(check_keys(where, space, ["id", "slots", "pile", "first"]))
    if "id" in space:
        problems += check_id(f"{where} id", space["id"], SPACE_ID)
    if "pile" in space:
        problems += check_number(f"{where} pile", space["pile"], 0, 1)
    if "first" in space:
        problems += check_truth(f"{where} first", space["first"])
    if "slots" in space:
        problems += check_list(f"{where} slots", space["slots"], 0, 2)
        taken = items_of(space["slots"])
        for number, slot in enumerate(taken, 1):
            problems += check_number(f"{where} slots {number}", slot, 1, max(1, slots))
        if len(taken) == 2 and taken[0] == taken[1] != "":
            problems.append(Problem(f"{where} slots", "slot_twice"))
    yield from problems
    if not problems:
        takes, expected = len(space["slots"]) + space["pile"], 1 if space["first"] else 2
        if takes != expected:
            yield Problem(where, "space_takes", {"count": takes, "expected": expected})


def check_bonus(bonus: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("bonus", bonus, ["tiles", "slots", "police_space"])
    if "tiles" in bonus:
        yield from _check_tiles("bonus", "tiles", bonus["tiles"], BONUSES)
    if "slots" in bonus:
        yield from check_number("bonus.slots", bonus["slots"], 1, MOST_BONUS_SLOTS)
    if "police_space" in bonus:
        yield from check_truth("bonus.police_space", bonus["police_space"])


def check_paint(paint: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("paint", paint, ["tiles", "spaces"])
    if "tiles" in paint:
        yield from _check_tiles("paint", "tiles", paint["tiles"], PAINTS)
    if "spaces" not in paint:
        return
    where, spaces = "paint.spaces", paint["spaces"]
    yield from check_list(where, spaces, 1, MOST_SPACES)
    sound, unlimited = isinstance(spaces, list | tuple), False
    reached: set[str] = set()
    for number, space in enumerate(items_of(spaces), 1):
        place = f"{where} {number}"
        problems = list(_check_paint_space(place, space))
        yield from problems
        sound = sound and not problems
        if not problems:
            reached.update(space["kinds"])
            unlimited = unlimited or space["unlimited"]
    yield from _check_ids(where, spaces)
    if sound:
        for kind in PAINTS:
            if kind not in reached:
                yield Problem(where, "kind_unreachable", {"kind": kind})
        if not unlimited:
            yield Problem(where, "no_unlimited")


def _check_paint_space(where: str, space: Any) -> Iterator[Problem]:
    if not isinstance(space, Mapping):
        yield Problem(where, "not_a_table")
        return
    yield from check_keys(where, space, ["id", "kinds", "cans", "unlimited"])
    if "id" in space:
        yield from check_id(f"{where} id", space["id"], SPACE_ID)
    if "kinds" in space:
        yield from check_list(f"{where} kinds", space["kinds"], 1, len(PAINTS))
        yield from check_kinds(f"{where} kinds", space["kinds"])
        for kind in twice_in(space["kinds"]):
            yield Problem(f"{where} kinds", "kind_twice", {"kind": kind})
    if "cans" in space:
        yield from check_number(f"{where} cans", space["cans"], 1, 2)
    if "unlimited" in space:
        yield from check_truth(f"{where} unlimited", space["unlimited"])


def _check_tiles(table: str, key: str, tiles: Any, kinds: Sequence[str] | None) -> Iterator[Problem]:
    """How many there are of each kind; `kinds` is None where nobody knows yet which there should be."""
    where = f"{table}.{key}"
    if not isinstance(tiles, Mapping):
        yield Problem(where, "blank" if tiles == "" else "not_a_table")
        return
    problems = list(check_keys(where, tiles, kinds)) if kinds is not None else []
    for kind, count in tiles.items():
        problems += check_number(f"{where}.{str(kind)[:40]}", count, 1, MOST_TILES)
    yield from problems
    expected = RETAIL_TILES[table]
    if not problems and sum(tiles.values()) != expected:
        facts = {"count": sum(tiles.values()), "expected": expected}
        yield Problem(where, f"retail_{table}", facts, warning=True)


def check_kinds(where: str, kinds: Any) -> Iterator[Problem]:
    for number, kind in enumerate(items_of(kinds), 1):
        yield from check_text(f"{where} {number}", kind, PAINTS)


def _check_ids(where: str, spaces: Any) -> Iterator[Problem]:
    for name in twice_in([space.get("id") for space in items_of(spaces) if isinstance(space, Mapping)]):
        yield Problem(where, "id_twice", {"id": name})
