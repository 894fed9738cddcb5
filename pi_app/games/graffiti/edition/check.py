"""Checks a profile as a whole: every problem at once, with its place."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pi_app.engine.checks import check_keys, check_list, check_number, check_text, items_of, table_in
from pi_app.engine.contract import Problem
from pi_app.games.graffiti.edition.check_actions import (
    MOST_SPACES,
    MOST_TILES,
    check_bonus,
    check_kinds,
    check_paint,
    check_permits,
)
from pi_app.games.graffiti.edition.geometry import check_geometry
from pi_app.games.graffiti.edition.words import COLOURS, SEATS

SOURCES = ("invented", "measured", "photographed")
MOST_SECTIONS, MOST_PARTS, MOST_SECTION_SPACES = 6, 6, 4
MOST_COST, MOST_POINTS = 6, 30
SPECIALS = 3
TRACK = 50

# What is known of the retail edition; a profile may differ, but its owner should know.
RETAIL_SIZES = [2, 2, 2, 3, 3, 3, 4, 4, 4, 4]
RETAIL_POINTS = {("A", 1): 15, ("B", 4): 9}


def check_profile(data: Any) -> list[Problem]:
    """Every problem at once, with its place; warnings where it departs from the retail edition."""
    if not isinstance(data, Mapping):
        return [Problem("profile", "not_a_table")]
    problems = list(_check_profile(data))
    if "geometry" in data and all(problem.warning for problem in problems):
        problems += check_geometry(data["geometry"], data)
    return problems


def _check_profile(data: Mapping[str, Any]) -> Iterator[Problem]:
    tables = {
        "tunnel": _check_tunnel,
        "graffiti": _check_graffiti,
        "special": _check_special,
        "permits": check_permits,
        "bonus": check_bonus,
        "paint": check_paint,
        "start": _check_start,
        "track": _check_track,
    }
    yield from check_keys("", data, ["name", "source", *tables], optional=["geometry"])
    if "name" in data:
        yield from check_text("name", data["name"])
    if "source" in data:
        yield from check_text("source", data["source"], SOURCES)
    for name, check in tables.items():
        if name not in data:
            continue
        if isinstance(data[name], Mapping):
            yield from check(data[name], data)
        else:
            yield Problem(name, "not_a_table")


# --- the tunnel -------------------------------------------------------------------------------


def _check_tunnel(tunnel: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("tunnel", tunnel, ["sections", "spaces"])
    if "sections" in tunnel:
        yield from _check_sections("tunnel.sections", tunnel["sections"], table_in(data, "graffiti"))
    if "spaces" in tunnel:
        spaces = tunnel["spaces"]
        yield from check_list("tunnel.spaces", spaces, 1, MOST_SECTION_SPACES)
        for number, cans in enumerate(items_of(spaces), 1):
            yield from check_number(f"tunnel.spaces {number}", cans, 1, 2)


def _check_sections(where: str, sections: Any, graffiti: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_list(where, sections, 1, MOST_SECTIONS)
    used: Counter[str] = Counter()
    complete = True
    for number, walls in enumerate(items_of(sections), 1):
        place = f"{where} {number}"
        if not isinstance(walls, list | tuple) or len(walls) != 2:
            yield Problem(place, "blank" if walls in ("", []) else "not_two_walls")
            complete = False
            continue
        for wall, letter in zip(("upper", "lower"), walls, strict=True):
            problems = list(_check_letter(f"{place} {wall}", letter))
            yield from problems
            complete = complete and not problems
            if not problems:
                used[letter] += 1
                if graffiti and letter not in graffiti:
                    yield Problem(f"{place} {wall}", "letter_without_graffiti", {"letter": letter})
    for letter, times in used.items():
        if times > 1:
            yield Problem(where, "letter_twice", {"letter": letter})
    for letter in graffiti if complete else ():
        if letter not in used and not list(_check_letter("", letter)):
            yield Problem(f"graffiti.{letter}", "graffiti_without_section", {"letter": letter})


def _check_letter(where: str, letter: Any) -> Iterator[Problem]:
    if letter == "":
        yield Problem(where, "blank")
    elif not isinstance(letter, str) or not re.fullmatch("[A-Z]", letter):
        yield Problem(where, "not_a_letter")


def _check_graffiti(graffiti: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    for letter, parts in graffiti.items():
        yield from _check_letter(f"graffiti.{str(letter)[:40]}", letter)
        yield from _check_parts(f"graffiti.{str(letter)[:40]}", parts)
    sizes = sorted(len(parts) for parts in graffiti.values() if isinstance(parts, list | tuple))
    if sizes != RETAIL_SIZES:
        yield Problem("graffiti", "retail_sizes", {"sizes": sizes[:MOST_SPACES]}, warning=True)
    if data.get("source") != "invented":
        yield from _check_retail_values(graffiti)


def _check_retail_values(graffiti: Mapping[str, Any]) -> Iterator[Problem]:
    """What examples in the rulebook tell of single parts."""
    for (letter, number), expected in RETAIL_POINTS.items():
        parts = items_of(graffiti.get(letter))
        part = parts[number - 1] if len(parts) >= number else None
        points = part.get("points") if isinstance(part, Mapping) else None
        if points not in ("", expected):
            facts = {"part": f"{letter}{number}", "expected": expected}
            yield Problem(f"graffiti.{letter}", "retail_points", facts, warning=True)
    parts = items_of(graffiti.get("B"))
    if len(parts) != 4:
        yield Problem("graffiti.B", "retail_parts", {"count": len(parts), "expected": 4}, warning=True)


def _check_parts(where: str, parts: Any) -> Iterator[Problem]:
    yield from check_list(where, parts, 1, MOST_PARTS)
    for number, part in enumerate(items_of(parts), 1):
        place = f"{where} {number}"
        if not isinstance(part, Mapping):
            yield Problem(place, "not_a_table")
            continue
        yield from check_keys(place, part, ["cost", "points"])
        if "cost" in part:
            yield from _check_cost(f"{place} cost", part["cost"])
        if "points" in part:
            yield from check_number(f"{place} points", part["points"], 1, MOST_POINTS)


def _check_cost(where: str, cost: Any) -> Iterator[Problem]:
    if cost == "":
        yield Problem(where, "blank")
    elif not isinstance(cost, str) or not re.fullmatch(f"[{COLOURS}]{{1,{MOST_COST}}}", cost):
        yield Problem(where, "not_a_cost", {"most": MOST_COST})


def _check_special(special: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    if len(special) != SPECIALS:
        yield Problem("special", "wrong_count", {"count": len(special), "expected": SPECIALS})
    graffiti = table_in(data, "graffiti")
    for letter, parts in special.items():
        where = f"special.{str(letter)[:40]}"
        yield from _check_parts(where, parts)
        if letter not in graffiti:
            yield Problem(where, "letter_without_graffiti", {"letter": str(letter)[:40]})
        elif len(items_of(graffiti[letter])) != len(items_of(parts)):
            facts = {"count": len(items_of(parts)), "expected": len(items_of(graffiti[letter]))}
            yield Problem(where, "special_parts", facts, warning=True)


# --- the rest ---------------------------------------------------------------------------------


def _check_start(start: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("start", start, ["paint", "permits"])
    if "paint" in start:
        yield from check_list("start.paint", start["paint"], 0, MOST_SPACES)
        yield from check_kinds("start.paint", start["paint"])
        tiles = table_in(table_in(data, "paint"), "tiles")
        for kind, each in Counter(k for k in items_of(start["paint"]) if isinstance(k, str)).items():
            if type(tiles.get(kind)) is int and tiles[kind] < each * len(SEATS):
                facts = {"kind": kind, "count": tiles[kind], "expected": each * len(SEATS)}
                yield Problem("start.paint", "too_little_paint", facts)
    if "permits" in start:
        problems = list(check_number("start.permits", start["permits"], 0, MOST_TILES))
        yield from problems
        permits = table_in(data, "permits")
        faces, slots = list(table_in(permits, "faces").values()), permits.get("slots")
        if not problems and all(type(count) is int for count in (*faces, slots)) and faces:
            expected = start["permits"] * len(SEATS) + slots
            if sum(faces) < expected:
                yield Problem("start.permits", "too_few_permits", {"count": sum(faces), "expected": expected})


def _check_track(track: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("track", track, ["length"])
    if "length" in track and (type(track["length"]) is not int or track["length"] != TRACK):
        blank = track["length"] == ""
        yield Problem("track.length", "blank") if blank else Problem("track.length", "should_be", {"expected": TRACK})
