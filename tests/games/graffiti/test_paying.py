"""Payments against a brute force that assigns tiles to colours in every order, and shares no line with the solver."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.games.graffiti.rules.paying import KINDS, covers, covers_with_police, hand_of, missing, packed, payments

COSTS = st.lists(st.sampled_from("RYBGK"), min_size=1, max_size=4).map("".join)
TILES = st.lists(st.sampled_from(KINDS), max_size=5).map(lambda tiles: tuple(sorted(tiles, key=KINDS.index)))
JOKERS = st.integers(0, 3)


def handed_out(tiles: tuple[str, ...], jokers: int, police: bool) -> Iterator[Counter[str]]:
    """Everything that these may pay for together: colours, and "?" for what may be any one colour."""
    if police:
        for number in range(len(tiles)):
            for rest in handed_out(tiles[:number] + tiles[number + 1 :], jokers, police=False):
                yield rest + Counter("?")
        return
    if not tiles:
        yield Counter("?" * jokers)
        return
    first, *others = tiles
    for pays in {first, *first}:
        for rest in handed_out(tuple(others), jokers, police=False):
            yield rest + Counter(pays)


def pays(cost: str, tiles: tuple[str, ...], jokers: int, police: bool) -> bool:
    """Whether some order of the colours asked is matched one by one."""
    for offer in handed_out(tiles, jokers, police):
        offered = sorted(offer.elements())
        if len(offered) == len(cost) and any(
            all(given in ("?", asked) for given, asked in zip(offered, order, strict=True))
            for order in set(permutations(cost))
        ):
            return True
    return False


def picks(tiles: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Every choice among tiles, by trying each one in and out."""
    found: set[tuple[str, ...]] = {()}
    for tile in tiles:
        found |= {(*chosen, tile) for chosen in found}
    return {tuple(sorted(chosen, key=KINDS.index)) for chosen in found}


@settings(max_examples=300)
@given(COSTS, TILES, JOKERS)
def test_a_payment_covers_what_brute_force_finds_covered(cost: str, tiles: tuple[str, ...], jokers: int) -> None:
    assert covers(cost, tiles, jokers) == pays(cost, tiles, jokers, police=False)
    assert covers_with_police(cost, tiles, jokers) == pays(cost, tiles, jokers, police=True)


@settings(max_examples=120)
@given(COSTS, TILES, st.integers(0, 2), st.booleans())
def test_every_way_to_pay_is_found_once(cost: str, tiles: tuple[str, ...], jokers: int, police: bool) -> None:
    wanted = set()
    for chosen in picks(tiles):
        for used in range(jokers + 1):
            if pays(cost, chosen, used, police=False):
                wanted.add((chosen, used, False))
            elif police and pays(cost, chosen, used, police=True):
                wanted.add((chosen, used, True))
    found = payments("".join(sorted(cost, key="RYBGK".index)), packed(hand_of(tiles)), jokers, police)
    assert len(set(found)) == len(found)
    assert {tuple(way) for way in found} == wanted


@settings(max_examples=150)
@given(COSTS, TILES, JOKERS)
def test_what_is_missing_is_just_what_would_complete_the_payment(
    cost: str, tiles: tuple[str, ...], jokers: int
) -> None:
    """Nothing is missing where all can be covered, be it with too much; else no fewer colours would do."""
    lacking = missing(cost, tiles, jokers)
    assert not Counter(lacking) - Counter(cost)
    fewest = min(max(0, sum((Counter(cost) - offer).values()) - jokers) for offer in handed_out(tiles, 0, police=False))
    assert len(lacking) == fewest
    assert bool(covers(cost, tiles, jokers)) <= (not lacking)


@pytest.mark.parametrize("kinds", [["R"] * 20, ["RY"] * 9 + ["K"] * 40])
def test_hands_of_any_size_are_paid_from(kinds: list[str]) -> None:
    """Counts are packed into few bits: more tiles than fit there are as good as those that do."""
    assert [way.paints for way in payments("RR", packed(hand_of(["R"] * 20)), 0, police=False)] == [("R", "R")]
    assert payments("RK", packed(hand_of(kinds)), 2, police=True)
