"""The score sheet as rows: what was unloaded at the car, by where it came from."""

from collections.abc import Iterable, Iterator
from typing import Final

from pi_app.engine.contract import ScoreRow, Setup
from pi_app.engine.events import Record
from pi_app.games.spree.rules.cards import NUMBER, RANKS, points_of
from pi_app.games.spree.rules.model import (
    OPTIONS,
    ActStood,
    GoodsTaken,
    HouseDecided,
    PointsBanked,
    Robbed,
    RunOver,
    TurnBegan,
)

CATEGORIES: Final = {"shop": "shops", "loot": "loot", "house": "house"}
"""Taken from shops, from other carts, or let stand by the house."""

Cart = list[tuple[str, str]]
"""Cards with the kind of row that they bring."""


def sheet(setup: Setup, records: Iterable[Record]) -> Iterator[ScoreRow]:
    worth = points_of(setup.options.get("court", OPTIONS["court"][0]))
    carts: list[Cart] = [[] for _ in setup.players]
    act: GoodsTaken | Robbed | None = None
    turn = 0
    for record in records:
        match record.event:
            case TurnBegan():
                turn += 1
            case GoodsTaken() | Robbed() as act:
                pass
            case ActStood(act="goods_taken" | "robbed"):
                assert act is not None
                _load(carts, act)
            case RunOver(victim=victim):
                carts[victim] = []
            case HouseDecided(player=player, changes=changes):
                carts[player] = _decided(carts[player], dict(changes))
            case PointsBanked(player=player):
                for kind in CATEGORIES:
                    cards = [card for card, came in carts[player] if came == kind]
                    points = sum(worth[NUMBER[card]] for card in cards)
                    if points:
                        yield ScoreRow(record.seq, record.at, turn, player, kind, kind, "", points)
                carts[player] = []


def _load(carts: list[Cart], act: GoodsTaken | Robbed) -> None:
    if isinstance(act, GoodsTaken):
        carts[act.player] += [(card, "shop") for card in act.cards]
        return
    loot = [card for card, _ in carts[act.victim] if _rank(card) == act.rank]
    carts[act.victim] = [(card, came) for card, came in carts[act.victim] if _rank(card) != act.rank]
    carts[act.player] += [(card, "loot") for card in loot]


def _rank(card: str) -> str:
    return card[:-1] if card[:-1] in RANKS else card


def _decided(cart: Cart, changes: dict[str, str]) -> Cart:
    """What was there before stays what it was."""
    if "cart" not in changes:
        return cart
    left, decided = list(cart), []
    for card in changes["cart"].split():
        known = next((one for one in left if one[0] == card), None)
        if known is not None:
            left.remove(known)
        decided.append(known or (card, "house"))
    return decided
