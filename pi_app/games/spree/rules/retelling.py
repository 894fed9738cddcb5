"""A walk told anew: nobody sees the way, only where it came past.

A leg is recorded as the shortest way to where it ended. If the next one could only follow another way there, all legs
of the turn are told again, as the shortest walk that comes past the same squares in the same order, with no more steps
than there were each time.
"""

from collections.abc import Sequence

from pi_app.engine.contract import Repair
from pi_app.engine.events import Event, Record
from pi_app.games.spree.rules.mall import NOWHERE
from pi_app.games.spree.rules.model import (
    MOVES,
    ActStood,
    GoodsTaken,
    HouseDecided,
    State,
    StepCardPlayed,
    TurnBegan,
    Walked,
    WalkRolled,
)


def retold(state: State, records: Sequence[Record], move: Event) -> Repair | None:
    """The legs of this turn as they must have been for this one to be possible; None if no walk explains it all.

    For goods of a shop that the thief came past: the leg that ends there.
    """
    mall = state.printed.mall
    if state.phase != "turn":
        return None
    if isinstance(move, GoodsTaken):
        return _past_the_shop(state, records, move)
    if not isinstance(move, Walked) or move.player != state.turn or not move.path or move.path[-1] not in mall.number:
        return None
    start, granted, used = state.origin, 0, 0
    walked: dict[int, Walked] = {}
    stops: list[int] = []
    most: list[int] = []
    card: StepCardPlayed | None = None
    for record in _of_this_turn(records):
        match record.event:
            case WalkRolled(values=values):
                granted += sum(values)
            case StepCardPlayed() as card:
                pass
            case ActStood(act="step_card_played") if card is not None:
                granted += card.steps
            case Walked() as leg:
                used += len(leg.path)
                walked[record.seq] = leg
                stops.append(mall.number[leg.path[-1]])
                most.append(granted)
            case HouseDecided(player=state.turn, changes=changes) if "thief" in dict(changes):
                start, granted, used = mall.number[dict(changes)["thief"]], granted - used, 0
                walked, stops, most = {}, [], []
    legs = mall.walks.through(mall.walks.stand[NOWHERE, start], [*stops, mall.number[move.path[-1]]], [*most, granted])
    if isinstance(legs, int) or not all(legs):
        return None
    told = [Walked(move.player, tuple(mall.names[square] for square in leg)) for leg in legs]
    anew = {seq: new for (seq, old), new in zip(walked.items(), told, strict=False) if old != new}
    return Repair(told[-1], anew)


def _past_the_shop(state: State, records: Sequence[Record], move: GoodsTaken) -> Repair | None:
    """Who is further than the shop when the card is laid has taken it on the way: the last leg ended there."""
    moves = [record for record in _of_this_turn(records) if isinstance(record.event, MOVES)]
    if state.pending is not None or move.player != state.turn:
        return None
    to_shop, last = Walked(move.player, (move.square,)), moves[-1] if moves else None
    if last is None or not isinstance(last.event, Walked):
        return retold(state, records, to_shop)
    before = [record for record in records if record.seq < last.seq]
    found = retold(state, before, to_shop)
    return None if found is None or found.move is None else Repair(move, {**found.corrections, last.seq: found.move})


def _of_this_turn(records: Sequence[Record]) -> Sequence[Record]:
    began = max(n for n, record in enumerate(records) if isinstance(record.event, TurnBegan))
    return records[began:]
