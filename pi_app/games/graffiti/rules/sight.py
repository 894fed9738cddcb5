"""What a camera should see, what a move leaves to be seen, and which moves could have left what was seen."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from pi_app.engine.contract import Seen, Setup, Surface, within
from pi_app.engine.events import Event
from pi_app.engine.kinds import EMPTY, OTHER, kind_of
from pi_app.games.graffiti.rules.judging import can_draw, space_of, tag_change
from pi_app.games.graffiti.rules.model import (
    CANS,
    NEUTRAL,
    OPEN,
    Action,
    BlockDrawn,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    PaintTaken,
    PartPainted,
    Passed,
    PermitRevealed,
    PermitsTaken,
    PoliceTaken,
    Seat,
    Space,
    State,
)
from pi_app.games.graffiti.rules.moves import SeatMoves
from pi_app.games.graffiti.rules.paying import kinds_of

TUNNEL, ACTIONS = "tunnel", "actions"
COLOURS: Final = ("red", "blue", "green", "yellow")
"""Of the cans and tags of every seat."""
PART_OPEN, PART_FINISHED = "open", "finished"
SPENT_PLACES, USED_PLACES = 6, 2
BETWEEN_ROUNDS = ("keep",)
"""Phases in which hands clear the table: what lies where does not matter."""


def surfaces(setup: Setup) -> tuple[Surface, ...]:
    pools = {
        "spent": tuple(f"spent.{n}" for n in range(1, SPENT_PLACES + 1)),
        "used": tuple(f"used.{n}" for n in range(1, USED_PLACES + 1)),
        "stock": tuple(f"stock.{n}" for n in range(1, CANS + 1)),
    }
    seats = (Surface(seat_sheet(seat), seat, pieces=True, pools=pools) for seat in range(len(setup.players)))
    return (Surface(TUNNEL, pieces=True), Surface(ACTIONS, pieces=True), *seats)


def seat_sheet(seat: int) -> str:
    return f"seat-{seat + 1}"


def act(region: str, kind: str) -> str:
    """The score track and the cans in stock only follow from moves."""
    return EMPTY if region.startswith("track.") or region == "stock" else kind


# --- what should be seen ----------------------------------------------------------------------


def expected_sight(state: State, surface: str) -> dict[str, str]:
    if surface == TUNNEL:
        return _tunnel(state)
    if surface == ACTIONS:
        return _actions(state)
    return _sheet(state, int(surface.removeprefix("seat-")) - 1)


def _tunnel(state: State) -> dict[str, str]:
    printed = state.printed
    seen = {}
    clearing = state.phase in BETWEEN_ROUNDS
    reserved = {seat.reserved: number for number, seat in enumerate(state.seats) if seat.reserved is not None}
    for number, part in enumerate(printed.parts):
        tag = state.parts[number]
        seen[f"part.{part.id}"] = PART_OPEN if tag == OPEN else PART_FINISHED
        if tag != OPEN:
            seen[f"tag.{part.id}"] = tag_kind(tag)
        elif not clearing:
            seen[f"tag.{part.id}"] = f"marker.{COLOURS[reserved[number]]}" if number in reserved else EMPTY
    if not clearing:
        for spaces in printed.tunnel:
            seen |= {f"can.{space.id}": cans_kind(state.spaces[space.number]) for space in spaces}
    if printed.block:
        seen |= {f"block.{n}": "block" if n == state.pawn else EMPTY for n in range(1, len(printed.tunnel) + 1)}
    return seen | score_track(state)


def score_track(state: State) -> dict[str, str]:
    length = state.printed.track
    markers: dict[int, list[str]] = {}
    for seat, own in enumerate(state.seats):
        markers.setdefault(own.score % length, []).append(f"score.{COLOURS[seat]}")
    return {f"track.{n}": kind_of(markers.get(n, ())) for n in range(length)}


def _actions(state: State) -> dict[str, str]:
    printed = state.printed
    refilling, revealing = state.phase in ("setup", "refill"), state.phase in ("setup", "permits")
    permit_next = OTHER if revealing and can_draw(state) else EMPTY
    bonus_next = OTHER if refilling and any(state.bonus_pool) else EMPTY
    seen = {f"permit.{n}": f"permit.{face}" if face else permit_next for n, face in enumerate(state.slots, 1)}
    seen["permit.discard"] = f"permit.{state.discard_top}" if state.discard_top else EMPTY
    seen |= {f"bonus.{n}": f"bonus.{tile}" if tile else bonus_next for n, tile in enumerate(state.bonus_slots, 1)}
    if state.phase not in BETWEEN_ROUNDS:
        seen["bonus.police"] = "police" if state.police is None else EMPTY
        for space in printed.spaces:
            if space.kind != "tunnel":
                seen |= {region: cans_kind(there) for region, there in _cans_on(state, space)}
    return seen


def _cans_on(state: State, space: Space) -> Iterator[tuple[str, Sequence[int]]]:
    """By region: a large space is divided, one well for every kind of paint."""
    if not divided(space):
        yield can_region(space), state.spaces[space.number]
        return
    for kind in space.kinds:
        yield can_region(space, kind), [seat for seat, taken in state.wells if taken == (space.number, kind)]


def divided(space: Space) -> bool:
    return space.unlimited and len(space.kinds) > 1


def can_region(space: Space, kind: str = "") -> str:
    if space.kind == "tunnel":
        return f"can.{space.id}"
    if space.kind == "paint":
        return f"can.paint.{space.id}.{kind}" if divided(space) else f"can.paint.{space.id}"
    return f"can.permit.{space.id}" if space.kind == "permits" else f"can.bonus.{space.id}"


def _sheet(state: State, seat: int) -> dict[str, str]:
    own = state.seats[seat]
    seen = {"token": "token" if state.started and state.first == seat else EMPTY if state.started else OTHER}
    if state.phase not in BETWEEN_ROUNDS:
        seen |= {
            "spent": spent_kind(own),
            "used": used_kind(own.used),
            "police": "police" if state.police == seat else EMPTY,
            "stock": kind_of([COLOURS[seat]] * own.cans),
        }
        if not own.passed:
            seen["pass"] = EMPTY
    return seen


def spent_kind(own: Seat) -> str:
    """With more tiles than places nobody can tell what lies there."""
    tiles = [f"paint.{kind}" for kind in kinds_of(own.spent)]
    return OTHER if len(tiles) > SPENT_PLACES else kind_of(tiles)


def used_kind(used: Sequence[str]) -> str:
    return OTHER if len(used) > USED_PLACES else kind_of(f"bonus.{bonus}" for bonus in used)


def tag_kind(tag: int) -> str:
    return "tag.neutral" if tag == NEUTRAL else f"tag.{COLOURS[tag]}"


def cans_kind(seats: Iterable[int]) -> str:
    return kind_of(COLOURS[seat] for seat in seats)


# --- what moves change ------------------------------------------------------------------------


def trace(state: State, move: Event) -> Seen:
    """What a legal move changes on all surfaces. Where tiles are revealed next anything may lie afterwards."""
    if isinstance(move, Action):
        return _action_trace(state, move)
    if isinstance(move, Passed):
        at_hand = state.seats[move.player].reserved is None
        return {seat_sheet(move.player): {"pass": f"marker.{COLOURS[move.player]}"}} if at_hand else {}
    if isinstance(move, BonusUsed):
        if state.phase in BETWEEN_ROUNDS:
            return {}  # tiles that were used in the round may still lie there: it is told
        own = state.seats[move.player]
        seen: dict[str, dict[str, str]] = {seat_sheet(move.player): _used_change(own, (move.bonus,))}
        if move.part is not None:
            seen[TUNNEL] = {f"tag.{move.part}": f"marker.{COLOURS[move.player]}"}
        return _without_nothing(seen)
    if isinstance(move, NeutralPainted):
        return {TUNNEL: {f"part.{move.part}": PART_FINISHED, f"tag.{move.part}": tag_kind(NEUTRAL)}}
    if isinstance(move, HouseDecided):
        return _house_trace(state, move)
    if isinstance(move, BonusRevealed):
        return {ACTIONS: {f"bonus.{move.slot}": f"bonus.{move.bonus}"}}
    if isinstance(move, PermitRevealed):
        return {ACTIONS: {f"permit.{move.slot}": f"permit.{move.face}"}}
    if isinstance(move, BlockDrawn | NeutralDrawn):
        return {ACTIONS: {"permit.discard": f"permit.{move.face}"}} if move.face != state.discard_top else {}
    return {}


def _action_trace(state: State, move: Action) -> Seen:
    space, own = space_of(state, move), state.seats[move.player]
    here = TUNNEL if space.kind == "tunnel" else ACTIONS
    seen: dict[str, dict[str, str]] = {here: {}, ACTIONS: {}, seat_sheet(move.player): {}}
    if here == TUNNEL:
        seen = {TUNNEL: {}, **seen}
    sheet = seen[seat_sheet(move.player)]
    if move.cans:
        kind = move.kind if isinstance(move, PaintTaken) else ""
        region = can_region(space, kind)
        before = next(there for at, there in _cans_on(state, space) if at == region)
        seen[here][region] = cans_kind((*before, *[move.player] * move.cans))
    sheet |= _used_change(own, move.bonuses)
    if isinstance(move, PermitsTaken):
        _permits_trace(state, move, space, seen)
    elif isinstance(move, BonusTaken):
        seen[ACTIONS][f"bonus.{move.slot}"] = EMPTY
    elif isinstance(move, PoliceTaken):
        seen[ACTIONS]["bonus.police"] = EMPTY
        sheet["police"] = "police"
    elif isinstance(move, PartPainted):
        seen[TUNNEL] |= {f"part.{move.part}": PART_FINISHED, f"tag.{move.part}": tag_kind(move.player)}
        if move.permits and move.permits[-1] != state.discard_top:
            seen[ACTIONS]["permit.discard"] = f"permit.{move.permits[-1]}"
        tiles = [f"paint.{kind}" for kind in (*kinds_of(own.spent), *move.paints)]
        if move.paints and spent_kind(own) != OTHER:
            sheet["spent"] = OTHER if len(tiles) > SPENT_PLACES else kind_of(tiles)
    return _without_nothing(seen)


def _permits_trace(state: State, move: PermitsTaken, space: Space, seen: dict[str, dict[str, str]]) -> None:
    empty = OTHER if can_draw(state) else EMPTY
    seen[ACTIONS] |= {f"permit.{slot}": empty for slot in space.slots if state.slots[slot - 1]}
    # The places that stayed empty before are filled now, too.
    if empty == OTHER:
        seen[ACTIONS] |= {f"permit.{n}": OTHER for n, face in enumerate(state.slots, 1) if not face}
    if space.first and state.first != move.player:
        seen[seat_sheet(move.player)]["token"] = "token"
        seen.setdefault(seat_sheet(state.first), {})["token"] = EMPTY


def _used_change(own: Seat, bonuses: Sequence[str]) -> dict[str, str]:
    if not bonuses or used_kind(own.used) == OTHER:
        return {}
    return {"used": used_kind((*own.used, *bonuses))}


def _house_trace(state: State, move: HouseDecided) -> Seen:
    expected, changes = _tunnel(state), {}
    for change in move.changes:
        found = tag_change(state, change)
        if found is not None:
            part, tag = state.printed.parts[found[0]].id, found[1]
            changes[f"part.{part}"] = PART_OPEN if tag == OPEN else PART_FINISHED
            changes[f"tag.{part}"] = EMPTY if tag == OPEN else tag_kind(tag)
    return _without_nothing({TUNNEL: {at: kind for at, kind in changes.items() if expected[at] != kind}})


def _without_nothing(seen: Mapping[str, Mapping[str, str]]) -> Seen:
    return {surface: regions for surface, regions in seen.items() if regions}


# --- which moves could have left it -----------------------------------------------------------


def moves_within(state: State, seat: int, regions: Mapping[str, Collection[str]]) -> Sequence[Event]:
    """Paintings are only tried where a part may have been turned: a handful of candidates instead of thousands."""
    turned = {region.removeprefix("part.") for region in regions.get(TUNNEL, ()) if region.startswith("part.")}
    return [move for move in SeatMoves(state, seat).painting_only(turned) if within(trace(state, move), regions)]


def meant(state: State, moves: Sequence[Event]) -> Event | None:
    """Nobody discards two permits where one will do (G32); what is taken without a can has to be told."""
    thrifty = [move for move in moves if not (isinstance(move, PartPainted) and _wasteful(move))]
    return thrifty[0] if len(thrifty) == 1 else None


def _wasteful(move: PartPainted) -> bool:
    return len(move.permits) == 2 and move.space.startswith(f"{move.permits[0]}.")
