"""Checks a profile as a whole: every problem at once, with its place."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pi_app.engine.checks import check_keys, check_number, check_text
from pi_app.engine.contract import Problem
from pi_app.games.spree.rules.cards import JOKER, NAMES
from pi_app.games.spree.rules.mall import (
    FOUNTAIN,
    LEAST_SIDE,
    MOST_SIDE,
    NO_GOODS,
    SHOP,
    Mall,
    mall_of,
    mistakes_in,
)
from pi_app.games.spree.rules.model import MOST_TARGET, PLAYERS

SOURCES = ("invented", "measured", "photographed")
MOST_PACKS = 4
FOUNTAIN_SQUARES = 2
LEAST_PLACES = PLAYERS[-1]


def check_profile(data: Any) -> list[Problem]:
    if not isinstance(data, Mapping):
        return [Problem("profile", "not_a_table")]
    return list(_check_profile(data))


def _check_profile(data: Mapping[str, Any]) -> Iterator[Problem]:
    yield from check_keys("", data, ["name", "source", "packs", "targets", "map"])
    if "name" in data:
        yield from check_text("name", data["name"])
    if "source" in data:
        yield from check_text("source", data["source"], SOURCES)
    if "packs" in data:
        yield from check_number("packs", data["packs"], 1, MOST_PACKS)
    if "targets" in data:
        yield from _check_targets(data["targets"])
    if "map" in data:
        yield from _check_map(data["map"])


def _check_targets(targets: Any) -> Iterator[Problem]:
    if not isinstance(targets, Mapping):
        yield Problem("targets", "not_a_table")
        return
    players = [str(count) for count in PLAYERS]
    yield from check_keys("targets", targets, players)
    problems = [
        problem
        for count in players
        if count in targets
        for problem in check_number(f"targets.{count}", targets[count], 1, MOST_TARGET)
    ]
    yield from problems
    if not problems and all(count in targets for count in players):
        for fewer, more in pairwise(players):
            if targets[more] >= targets[fewer]:
                yield Problem(f"targets.{more}", "targets_not_falling", {"most": targets[fewer] - 1})


# --- the map ----------------------------------------------------------------------------------


def _check_map(drawing: Any) -> Iterator[Problem]:
    if drawing in ("", []):
        yield Problem("map", "blank")
        return
    if not isinstance(drawing, list | tuple) or not all(isinstance(line, str) for line in drawing):
        yield Problem("map", "not_a_drawing")
        return
    shape = list(_check_shape(drawing))
    yield from shape
    if shape:
        return
    mistakes = mistakes_in(drawing)
    for line, column, what in mistakes:
        yield Problem(f"map {line}", f"map_{what}", {"column": column})
    if not mistakes:
        yield from _check_mall(mall_of(tuple(drawing)))


def _check_shape(drawing: Sequence[str]) -> Iterator[Problem]:
    """2 rows + 1 lines of 4 columns + 1 characters."""
    sides = {"least": LEAST_SIDE, "most": MOST_SIDE}
    if len(drawing) not in range(2 * LEAST_SIDE + 1, 2 * MOST_SIDE + 2, 2):
        yield Problem("map", "map_lines", {"count": len(drawing), **sides})
        return
    for number, line in enumerate(drawing, 1):
        if len(line) not in range(4 * LEAST_SIDE + 1, 4 * MOST_SIDE + 2, 4):
            yield Problem(f"map {number}", "map_characters", {"count": len(line), **sides})
        elif len(line) != len(drawing[0]):
            yield Problem(f"map {number}", "map_not_even", {"count": len(line), "expected": len(drawing[0])})


def _check_mall(mall: Mall) -> Iterator[Problem]:
    yield from _check_fountain(mall)
    yield from _check_places(mall)
    yield from _check_ways(mall)
    yield from _check_goods(mall)


def _check_fountain(mall: Mall) -> Iterator[Problem]:
    fountain = [square for square, kind in enumerate(mall.kinds) if kind == FOUNTAIN]
    if len(fountain) != FOUNTAIN_SQUARES:
        yield Problem("map", "fountain_squares", {"count": len(fountain), "expected": FOUNTAIN_SQUARES})
    elif not mall.beside(*fountain):
        yield Problem("map", "fountain_apart", {"squares": [mall.names[square] for square in fountain]})


def _check_places(mall: Mall) -> Iterator[Problem]:
    if len(mall.places) < LEAST_PLACES:
        yield Problem("map", "too_few_places", {"count": len(mall.places), "least": LEAST_PLACES})
    inside = [mall.names[place] for place in mall.places if not _on_rim(mall, place)]
    if inside:
        yield Problem("map", "places_inside", {"squares": inside})


def _on_rim(mall: Mall, square: int) -> bool:
    row, column = divmod(square, mall.columns)
    return row in (0, mall.rows - 1) or column in (0, mall.columns - 1)


def _check_ways(mall: Mall) -> Iterator[Problem]:
    """From the first parking place everything can be reached: on foot for sure, by car where cars may go."""
    if not mall.places:
        return
    shops = [square for square, kind in enumerate(mall.kinds) if kind == SHOP]
    doorless = [mall.names[square] for square in shops if not mall.neighbours[square]]
    if doorless:
        yield Problem("map", "shop_without_door", {"squares": doorless})
    walked, driven = (_reached(near, mall.places[0]) for near in (mall.neighbours, mall.roads))
    cut_off = [
        name
        for square, name in enumerate(mall.names)
        if mall.kinds[square] != FOUNTAIN and square not in walked and name not in doorless
    ]
    if cut_off:
        yield Problem("map", "out_of_reach", {"squares": cut_off})
    no_cars = [
        name
        for square, name in enumerate(mall.names)
        if mall.kinds[square] not in (FOUNTAIN, SHOP) and square in walked and square not in driven
    ]
    if no_cars:
        yield Problem("map", "no_cars", {"squares": no_cars}, warning=True)


def _reached(near: Sequence[Sequence[int]], start: int) -> set[int]:
    reached, latest = {start}, [start]
    while latest:
        latest = [to for square in latest for to in near[square] if to not in reached]
        reached.update(latest)
    return reached


def _check_goods(mall: Mall) -> Iterator[Problem]:
    sold = Counter(goods for goods in mall.goods if goods != NO_GOODS)
    nowhere = [name for card, name in enumerate(NAMES) if card != JOKER and card not in sold]
    twice = [NAMES[card] for card, times in sold.items() if times > 1]
    if nowhere:
        yield Problem("map", "not_sold", {"cards": nowhere}, warning=True)
    if twice:
        yield Problem("map", "sold_twice", {"cards": twice}, warning=True)
