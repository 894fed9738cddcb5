"""From what was seen to the move that somebody evidently meant, legal or not.

Nothing is judged here: a can on a taken space comes out as that very move, so that `decide` can say which rule it
breaks. Where the picture tells no single story, the answer is None.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pi_app.engine.contract import Message, Repair, Seen
from pi_app.engine.events import Event, Record
from pi_app.engine.kinds import pieces_of
from pi_app.games.graffiti.rules.model import (
    BonusTaken,
    BonusUsed,
    HouseDecided,
    NeutralPainted,
    PaintTaken,
    PartPainted,
    Passed,
    PermitsTaken,
    PoliceTaken,
    Space,
    State,
)
from pi_app.games.graffiti.rules.sight import (
    ACTIONS,
    COLOURS,
    PART_FINISHED,
    TUNNEL,
    can_region,
    divided,
    expected_sight,
    seat_sheet,
)

Changes = dict[str, str]
"""Region to what is seen there, where that is not what the record says."""


class _Placed(NamedTuple):
    """New cans of one seat on one space, and the kind of paint whose well it is."""

    seat: int
    space: Space
    kind: str
    cans: int


def attempt(state: State, seen: Seen) -> Event | None:
    if not state.started:
        return None
    changes = {surface: _changes(state, surface, regions) for surface, regions in seen.items()}
    if state.phase == "neutral_paint":
        parts = _parts_turned(changes.get(TUNNEL, {}))
        return NeutralPainted(state.first, parts[0]) if len(parts) == 1 else None
    if state.phase != "play":
        return None
    placed = _cans_placed(state, changes)
    if placed is not None:
        return _action(state, changes, placed)
    return _without_cans(state, changes)


def unfinished(state: State, seat: int, done: Seen, missing: Seen) -> Message:
    """What is missing is told without saying which hidden tiles would do."""
    facts = {"player": seat}
    for region in missing.get(TUNNEL, {}):
        name, _, rest = region.partition(".")
        if name == "part":
            return Message("turn_part", {**facts, "part": rest})
        if name == "tag" and not any(at.startswith("part.") for at in missing[TUNNEL]):
            reserving = missing[TUNNEL][region].startswith("marker.")
            return Message("put_marker" if reserving else "put_tag", {**facts, "part": rest})
    for surface in (TUNNEL, ACTIONS):
        if any(region.startswith("can.") for region in missing.get(surface, {})):
            return Message("put_can", facts)
    for region in missing.get(ACTIONS, {}):
        if region == "permit.discard":
            return Message("discard_permit", facts)
        return Message("take_police" if region == "bonus.police" else "take_tile", facts)
    own = missing.get(seat_sheet(seat), {})
    if "spent" in own:
        return Message("lay_paint", facts)
    if "used" in own:
        return Message("lay_bonus", facts)
    return Message("take_police" if "police" in own else "pass_token", facts)


def mismatch(state: State, surface: str, seen: Seen) -> Message | None:
    """The first thing that is not where the record has it."""
    expected = expected_sight(state, surface)
    for region, kind in seen.get(surface, {}).items():
        if expected.get(region, kind) != kind:
            facts = {"board": surface, "region": region, "seen": kind, "expected": expected[region]}
            lost = Counter(pieces_of(expected[region])) - Counter(pieces_of(kind))
            return Message("piece_gone" if lost and not pieces_of(kind) else "piece_wrong", facts)
    return None


def adopt(state: State, records: Sequence[Record], surface: str, seen: Seen) -> Repair | None:
    """Whose tags are on parts stands as a decision of the house; anything else is undone and played anew."""
    if state.phase != "play":
        return None
    changes = []
    for region, kind in _changes(state, TUNNEL, seen.get(TUNNEL, {})).items():
        part = region.removeprefix("tag.")
        if region.startswith("tag.") and (kind.startswith("tag.") or kind == "empty"):
            colour = kind.removeprefix("tag.")
            whose = f"seat.{COLOURS.index(colour)}" if colour in COLOURS else "neutral" if kind != "empty" else "open"
            changes.append((f"part.{part}", whose))
    return Repair(HouseDecided(state.turn, tuple(changes))) if changes else None


def _changes(state: State, surface: str, regions: Mapping[str, str]) -> Changes:
    expected = expected_sight(state, surface)
    return {r: kind for r, kind in regions.items() if expected.get(r, kind) != kind and not r.startswith("track.")}


def _cans_placed(state: State, changes: Mapping[str, Changes]) -> _Placed | None:
    """The first space with more cans than the record has."""
    for space in state.printed.spaces:
        surface = TUNNEL if space.kind == "tunnel" else ACTIONS
        for kind in space.kinds if divided(space) else ("",):
            region = can_region(space, kind)
            seen = changes.get(surface, {}).get(region)
            if seen is None:
                continue
            new = Counter(pieces_of(seen)) - Counter(pieces_of(expected_sight(state, surface)[region]))
            if new:
                colour, cans = next(iter(new.items()))
                if colour in COLOURS[: len(state.seats)]:
                    return _Placed(COLOURS.index(colour), space, kind, cans)
    return None


def _action(state: State, changes: Mapping[str, Changes], placed: _Placed) -> Event | None:
    seat, space, kind, cans = placed
    bonuses = _bonuses_used(state, changes, seat)
    if space.kind == "paint":
        return PaintTaken(seat, space.id, kind or space.kinds[0], cans, bonuses)
    if space.kind == "permits":
        return PermitsTaken(seat, space.id, cans, bonuses)
    if space.kind == "tunnel":
        return _painting(state, changes, placed, bonuses)
    if space.kind == "police":
        return PoliceTaken(seat, None, cans, bonuses)
    takes_police = "bonus.police" in changes.get(ACTIONS, {})
    slot = int(space.id)
    return PoliceTaken(seat, slot, cans, bonuses) if takes_police else BonusTaken(seat, slot, cans, bonuses)


def _painting(
    state: State, changes: Mapping[str, Changes], placed: _Placed, bonuses: tuple[str, ...]
) -> PartPainted | None:
    seat, space, _, cans = placed
    tunnel = changes.get(TUNNEL, {})
    parts = _parts_turned(tunnel)
    part = parts[0] if len(parts) == 1 else _part_with(changes, f"tag.{COLOURS[seat]}")
    if part is None or len(parts) > 1:
        return None
    permits: tuple[int, ...] = ()
    top = changes.get(ACTIONS, {}).get("permit.discard", "").removeprefix("permit.")
    if top.isdecimal():
        permits = (int(top),) if int(top) == space.section else (int(top), int(top))
    elif "permit" not in bonuses and state.discard_top:
        permits = (state.discard_top,)
    paints = _laid_down(state, changes, seat)
    saves = state.police == seat and space.cans - bonuses.count("reduce") > cans
    return PartPainted(seat, space.id, cans, part, permits, paints, bonuses, "can" if saves else "")


def _parts_turned(tunnel: Changes) -> list[str]:
    return [r.removeprefix("part.") for r, kind in tunnel.items() if r.startswith("part.") and kind == PART_FINISHED]


def _part_with(changes: Mapping[str, Changes], piece: str) -> str | None:
    tunnel = changes.get(TUNNEL, {}).items()
    return next((region.removeprefix("tag.") for region, kind in tunnel if kind == piece), None)


def _new_on_sheet(state: State, changes: Mapping[str, Changes], seat: int, region: str) -> list[str]:
    sheet = seat_sheet(seat)
    seen = changes.get(sheet, {}).get(region)
    if seen is None:
        return []
    before = Counter(pieces_of(expected_sight(state, sheet)[region]))
    return sorted((Counter(pieces_of(seen)) - before).elements())


def _bonuses_used(state: State, changes: Mapping[str, Changes], seat: int) -> tuple[str, ...]:
    return tuple(tile.removeprefix("bonus.") for tile in _new_on_sheet(state, changes, seat, "used"))


def _laid_down(state: State, changes: Mapping[str, Changes], seat: int) -> tuple[str, ...]:
    return tuple(tile.removeprefix("paint.") for tile in _new_on_sheet(state, changes, seat, "spent"))


def _without_cans(state: State, changes: Mapping[str, Changes]) -> Event | None:
    """A marker on the pass spot, a bonus tile, a tile taken or a part painted although no can was put down."""
    for seat in range(len(state.seats)):
        if changes.get(seat_sheet(seat), {}).get("pass") == f"marker.{COLOURS[seat]}":
            return Passed(seat)
        for bonus in _bonuses_used(state, changes, seat):
            marked = [
                r.removeprefix("tag.") for r, k in changes.get(TUNNEL, {}).items() if k == f"marker.{COLOURS[seat]}"
            ]
            return BonusUsed(seat, bonus, marked[0] if marked else None)
    actions = changes.get(ACTIONS, {})
    for slot in range(1, len(state.bonus_slots) + 1):
        if actions.get(f"bonus.{slot}") == "empty":
            return BonusTaken(state.turn, slot, 0)
    parts = _parts_turned(changes.get(TUNNEL, {}))
    if len(parts) == 1:
        section = state.printed.parts[state.printed.part_number[parts[0]]].section
        placed = _Placed(state.turn, state.printed.tunnel[section - 1][0], "", 0)
        return _painting(state, changes, placed, _bonuses_used(state, changes, state.turn))
    return None
