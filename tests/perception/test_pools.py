"""Regions that count as one: on which of them a piece lies does not matter."""

from pi_app.engine.evidence import best_kind, sure
from pi_app.perception.eyes import pooled

POOLS = {"spent": ("spent.1", "spent.2")}
EMPTY = {"empty": 0.0, "red": -9.0, "blue": -9.0, "*": -9.0}
RED = {"empty": -9.0, "red": 0.0, "blue": -9.0, "*": -9.0}
BLUE = {"empty": -9.0, "red": -9.0, "blue": 0.0, "*": -9.0}
UNSEEN = dict.fromkeys(EMPTY, 0.0)


def test_what_lies_there_is_told_in_any_order() -> None:
    one, other = (pooled({"spent.1": a, "spent.2": b}, POOLS)["spent"] for a, b in ((RED, BLUE), (BLUE, RED)))
    assert one == other
    assert best_kind(one) == "blue red"
    assert sure(one)


def test_an_empty_place_counts_for_nothing() -> None:
    assert best_kind(pooled({"spent.1": EMPTY, "spent.2": RED}, POOLS)["spent"]) == "red"
    assert best_kind(pooled({"spent.1": EMPTY, "spent.2": EMPTY}, POOLS)["spent"]) == "empty"


def test_a_doubt_about_one_stays_a_doubt() -> None:
    doubt = {**RED, "blue": -0.5}
    look = pooled({"spent.1": EMPTY, "spent.2": doubt}, POOLS)["spent"]
    assert (best_kind(look), look["blue"], sure(look)) == ("red", -0.5, False)


def test_with_a_place_that_cannot_be_seen_nothing_is_told() -> None:
    """Otherwise any two kinds would be told of it, and none might be what the record says."""
    looks = {"token": EMPTY, "spent.1": RED, "spent.2": UNSEEN}
    assert pooled(looks, POOLS) == {"token": EMPTY}
