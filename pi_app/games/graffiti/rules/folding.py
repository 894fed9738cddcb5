"""What every event changes at a table of Graffiti: judges nothing, and leaves phases in which nothing is left to do."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from pi_app.engine.events import Event, GameEnded
from pi_app.engine.values import changed, with_item
from pi_app.games.graffiti.rules.judging import (
    bonus_gap,
    can_draw,
    due_of_luck,
    finished,
    keepable,
    permit_gap,
    seat_to_draw,
    space_of,
    tag_change,
)
from pi_app.games.graffiti.rules.model import (
    BONUS,
    CANS,
    FINISHED_AT_END,
    KEPT,
    KEPT_WITH_SAVE,
    NEUTRAL,
    NEUTRAL_PARTS,
    OPEN,
    Action,
    BlockDrawn,
    BlockPlaced,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    GameStarted,
    GraffitiFinished,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintKept,
    PaintReturned,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PermitsTaken,
    PointsScored,
    PoliceTaken,
    RoundEnded,
    Seat,
    State,
    Unseen,
)
from pi_app.games.graffiti.rules.paying import NOTHING, NUMBER, Hand, contains, hand_of, kinds_of, minus, plus

Counts = tuple[int, ...]


_last: list[tuple[State, Event, State]] = []
"""What was folded while a move was decided: whoever decides it folds it next."""


def apply(state: State, event: Event) -> State:
    """The state after an event that was decided before."""
    for before, what, after in _last:
        if before is state and what is event:
            return after
    return _FOLDS[type(event)](state, event)


def fold(state: State, event: Event, first: bool = False) -> State:
    """The same, remembered until the next move is decided."""
    after = _FOLDS[type(event)](state, event)
    if first:
        _last.clear()
    _last.append((state, event, after))
    return after


def _with_seat(state: State, seat: int, **changes: Any) -> State:
    return changed(state, seats=with_item(state.seats, seat, changed(state.seats[seat], **changes)))


def _add(counts: Counts, index: int, by: int = 1) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


# --- luck -------------------------------------------------------------------------------------


def _started(state: State, event: GameStarted) -> State:
    seats = tuple(changed(seat, hands=(state.printed.start_paint,)) for seat in state.seats)
    state = changed(state, seats=seats, first=event.first, turn=event.first, started=True)
    return _settled(_with_reserve(state))


def _bonus_revealed(state: State, event: BonusRevealed) -> State:
    slots = with_item(state.bonus_slots, event.slot - 1, event.bonus)
    return _settled(changed(state, bonus_slots=slots, bonus_pool=_add(state.bonus_pool, BONUS[event.bonus], -1)))


def _revealed(state: State, face: int) -> State:
    """The top of the pile is seen: stories in which it cannot be there are none."""
    unseen = tuple(
        Unseen((*piles[:-1], _add(piles[-1], face - 1, -1)), held)
        for piles, held in state.unseen
        if piles[-1][face - 1]
    )
    return changed(state, pile=state.pile - 1, unseen=unseen)


def _discarded(state: State, face: int) -> State:
    return changed(state, discards=_add(state.discards, face - 1), discard_top=face)


def _permit_revealed(state: State, event: PermitRevealed) -> State:
    state = _revealed(state, event.face)
    return _settled(changed(state, slots=with_item(state.slots, event.slot - 1, event.face)))


def _permit_drawn(state: State, event: PermitDrawn) -> State:
    own = state.seats[event.player]
    if event.face is None:
        unseen = tuple(
            Unseen(piles, with_item(held, event.player, _add(held[event.player], len(piles) - 1)))
            for piles, held in state.unseen
        )
        state = changed(_with_seat(state, event.player, unknown=own.unknown + 1), pile=state.pile - 1, unseen=unseen)
    else:
        state = _revealed(state, event.face)
        state = _with_seat(state, event.player, permits=_add(own.permits, event.face - 1))
    return _settled(changed(state, draws=max(0, state.draws - 1)))


def _block_drawn(state: State, event: BlockDrawn) -> State:
    return _discarded(_revealed(state, event.face), event.face)


def _block_placed(state: State, event: BlockPlaced) -> State:
    return changed(state, pawn=event.section, phase="play")


def _neutral_drawn(state: State, event: NeutralDrawn) -> State:
    state = _discarded(_revealed(state, event.face), event.face)
    state = changed(state, neutrals=state.neutrals - 1, neutral_section=event.face)
    if any(state.parts[part] == OPEN for part in state.printed.sections[event.face - 1]):
        return changed(state, phase="neutral_paint")
    return _settled(state)


def _shuffled(state: State, event: PermitsShuffled) -> State:
    """What is unseen of the pile so far is in hands."""
    nobody = ((),) * len(state.seats)
    stories = ((piles, held) if any(map(any, held)) else ((), nobody) for piles, held in state.unseen)
    return changed(
        state,
        unseen=tuple(Unseen((*piles, state.discards), tuple((*h, 0) for h in held)) for piles, held in stories),
        pile=event.count,
        discards=(0,) * len(state.discards),
        discard_top=0,
    )


# --- actions ----------------------------------------------------------------------------------


def _acted(state: State, event: Action, own: Mapping[str, Any], **changes: Any) -> State:
    """Cans are placed and bonus tiles used up; `own` is what else changes of the seat, the rest what of the table."""
    space, player, seat = space_of(state, event), event.player, state.seats[event.player]
    own = {"cans": seat.cans - event.cans, **own}
    if event.bonuses:
        bonuses = own.get("bonuses", seat.bonuses)
        for bonus in event.bonuses:
            bonuses = _add(bonuses, BONUS[bonus], -1)
        own |= {"bonuses": bonuses, "used": (*seat.used, *event.bonuses)}
        if "add" in event.bonuses:
            changes["closed"] = state.closed | 1 << space.number
    if event.cans:
        there = (*state.spaces[space.number], *(player,) * event.cans)
        changes["spaces"] = with_item(state.spaces, space.number, there)
        changes["occupied"] = state.occupied | 1 << space.number
    return changed(state, late=player, seats=with_item(state.seats, player, changed(seat, **own)), **changes)


def _paint_taken(state: State, event: PaintTaken) -> State:
    number, space, wells = NUMBER[event.kind], space_of(state, event), state.wells
    if space.unlimited:
        wells = (*wells, *((event.player, (space.number, event.kind)),) * event.cans)
    hands = tuple([_add(hand, number) for hand in state.seats[event.player].hands])
    state = _acted(state, event, {"hands": hands}, reserve=_add(state.reserve, number, -1), wells=wells)
    return _next_turn(_narrowed(state), event.player)


def _permits_taken(state: State, event: PermitsTaken) -> State:
    space, permits, slots = space_of(state, event), state.seats[event.player].permits, state.slots
    for slot in space.slots:
        if slots[slot - 1]:
            permits = _add(permits, slots[slot - 1] - 1)
            slots = with_item(slots, slot - 1, 0)
    first = event.player if space.first else state.first
    more = {"slots": slots, "first": first, "draws": space.pile, "phase": "permits"}
    return _settled(_acted(state, event, {"permits": permits}, **more))


def _part_painted(state: State, event: PartPainted) -> State:
    number, paid = state.printed.part_number[event.part], hand_of(event.paints)
    seat = state.seats[event.player]
    own = {
        "hands": tuple([minus(hand, paid) for hand in seat.hands if contains(hand, paid)]),
        "spent": plus(seat.spent, paid),
        "reserved": None if seat.reserved == number else seat.reserved,
    }
    state = _acted(state, event, own, parts=with_item(state.parts, number, event.player))
    for face in event.permits:
        state = _discard_of(state, event.player, face)
    return _next_turn(_narrowed(state), event.player)


def _discard_of(state: State, player: int, face: int) -> State:
    """A permit leaves a hand: a known one if it is there, else one of unknown face."""
    own, index = state.seats[player], face - 1
    if own.permits[index]:
        state = _with_seat(state, player, permits=_add(own.permits, index, -1))
    else:
        state = changed(_with_seat(state, player, unknown=own.unknown - 1), unseen=_stories(state, player, index))
    return _discarded(state, face)


def _stories(state: State, player: int, index: int) -> tuple[Unseen, ...]:
    """A permit of unknown face turns out to be this one: of any pile that it may be from."""
    return tuple(
        dict.fromkeys(
            Unseen(
                with_item(piles, number, _add(pile, index, -1)),
                with_item(held, player, _add(held[player], number, -1)),
            )
            for piles, held in state.unseen
            for number, pile in enumerate(piles)
            if pile[index] and held[player][number]
        )
    )


def _bonus_taken(state: State, event: BonusTaken) -> State:
    tile = BONUS[state.bonus_slots[event.slot - 1]]
    bonuses = _add(state.seats[event.player].bonuses, tile)
    slots = with_item(state.bonus_slots, event.slot - 1, "")
    return _next_turn(_acted(state, event, {"bonuses": bonuses}, bonus_slots=slots), event.player)


def _police_taken(state: State, event: PoliceTaken) -> State:
    return _next_turn(_acted(state, event, {}, police=event.player), event.player)


def _bonus_used(state: State, event: BonusUsed) -> State:
    own, late = state.seats[event.player], state.late == event.player
    state = changed(state, late=event.player if late else None)
    changes: dict[str, Any] = {"bonuses": _add(own.bonuses, BONUS[event.bonus], -1)}
    changes["used"] = (*own.used, event.bonus)
    if event.bonus == "reserve":
        changes["reserved"] = state.printed.part_number[event.part or ""]
    if event.bonus == "extra":
        if late and state.turn != event.player:
            state = changed(state, turn=event.player)  # the turn comes back at once
        else:
            changes["extra"] = own.extra + 1
    return _with_seat(state, event.player, **changes)


def _house_decided(state: State, event: HouseDecided) -> State:
    parts, seats = state.parts, state.seats
    for change in event.changes:
        found = tag_change(state, change)
        assert found is not None
        parts = with_item(parts, *found)
        if found[1] != OPEN:
            seats = tuple(changed(s, reserved=None) if s.reserved == found[0] else s for s in seats)
    return _next_turn(changed(state, parts=parts, seats=seats, late=event.player), event.player)


# --- turns and rounds -------------------------------------------------------------------------


def _passed(state: State, event: Passed) -> State:
    state = _with_seat(state, event.player, passed=True, extra=0)
    return _next_turn(changed(state, late=None), event.player)


def _out_of_cans(state: State, event: OutOfCans) -> State:
    return _next_turn(_with_seat(state, event.player, passed=True, extra=0), event.player)


def _next_turn(state: State, seat: int) -> State:
    """After the turn of a seat: an extra one, the next seat that has not passed, or the end of the round."""
    own = state.seats[seat]
    if own.extra:
        return changed(_with_seat(state, seat, extra=own.extra - 1), phase="play", turn=seat)
    count = len(state.seats)
    for step in range(1, count + 1):
        after = (seat + step) % count
        if not state.seats[after].passed:
            return changed(state, phase="play", turn=after)
    return _all_passed(state)


def _all_passed(state: State) -> State:
    """Cans, policeman and markers go back; whoever has something to choose keeps paint."""
    seats = tuple(changed(seat, cans=CANS, used=(), passed=False, extra=0, reserved=None) for seat in state.seats)
    state = changed(
        state,
        phase="keep",
        seats=seats,
        spaces=((),) * len(state.spaces),
        occupied=0,
        wells=(),
        closed=0,
        police=None,
        late=None,
        told=0,
    )
    choosing = sum(
        1 << seat for seat, own in enumerate(seats) if sum(keepable(state, seat)[0]) > KEPT or own.has("points")
    )
    return changed(state, choosing=choosing)


def _paint_kept(state: State, event: PaintKept) -> State:
    own, hands = state.seats[event.player], keepable(state, event.player)
    if event.kinds is not None and len(hands) > 1:
        held = tuple(h for h, of in zip(own.hands, hands, strict=True) if contains(of, hand_of(event.kinds)))
        state = _with_reserve(_with_seat(state, event.player, hands=held))
    bonuses = _add(own.bonuses, BONUS["save"], -1) if event.bonuses else own.bonuses
    if event.kinds is not None:
        kept: tuple[Hand, ...] = (hand_of(event.kinds),)
    else:
        most = KEPT_WITH_SAVE if event.bonuses else KEPT
        kept = tuple(dict.fromkeys(choice for hand in hands for choice in _subsets(hand, most)))
    return _told(state, event.player, changed(own, hands=kept, bonuses=bonuses))


def _subsets(hand: Hand, most: int) -> list[Hand]:
    """Every way to keep as many tiles as may be kept."""
    tiles = kinds_of(hand)
    return [hand_of(choice) for choice in combinations(tiles, min(most, len(tiles)))]


def _paint_returned(state: State, event: PaintReturned) -> State:
    own = state.seats[event.player]
    return _told(state, event.player, changed(own, hands=keepable(state, event.player)))


def _told(state: State, player: int, own: Seat) -> State:
    """What was spent goes back to the board."""
    seats = with_item(state.seats, player, changed(own, spent=NOTHING))
    state = changed(state, seats=seats, told=state.told | 1 << player)
    if state.told.bit_count() < len(seats):
        return _with_reserve(state)
    neutrals = NEUTRAL_PARTS.get(len(seats), 0)
    return _settled(_with_reserve(changed(state, phase="refill", neutrals=neutrals)))


def _neutral_painted(state: State, event: NeutralPainted) -> State:
    parts = with_item(state.parts, state.printed.part_number[event.part], NEUTRAL)
    return _settled(changed(state, parts=parts, phase="neutral"))


def _round_ended(state: State, event: RoundEnded) -> State:
    if event.finished >= FINISHED_AT_END:
        return state  # the end is told by what follows
    return _settled(_new_round(changed(state, round=state.round + 1)))


def _new_round(state: State) -> State:
    return changed(state, turn=state.first, late=None, choosing=0, told=0, phase="block")


def _settled(state: State) -> State:
    """Moves on through phases in which there is nothing left to do."""
    if state.phase == "setup" and due_of_luck(state) is PermitDrawn and seat_to_draw(state) is None:
        state = _new_round(state)
    if state.phase == "permits" and seat_to_draw(state) is None and permit_gap(state) is None:
        return _next_turn(changed(state, draws=0), state.turn)
    if state.phase == "refill" and (bonus_gap(state) is None or finished(state) >= FINISHED_AT_END):
        state = changed(state, phase="neutral")
    if state.phase == "neutral" and (not state.neutrals or not can_draw(state)):
        return changed(state, phase="round_end")
    if state.phase == "block" and not (state.printed.block and (state.pawn or can_draw(state))):
        return changed(state, phase="play")
    return state


def _scored(state: State, event: PointsScored) -> State:
    return _with_seat(state, event.player, score=state.seats[event.player].score + event.points)


def _finished(state: State, event: GraffitiFinished) -> State:
    return state  # which parts are painted tells it


def _ended(state: State, event: GameEnded) -> State:
    return changed(state, phase="over", result=event)


# --- paint that was not seen ------------------------------------------------------------------


def _narrowed(state: State) -> State:
    """After paint was taken or spent. Where all hands are known, whoever took it has counted the reserve."""
    return state if all(len(seat.hands) == 1 for seat in state.seats) else _with_reserve(state)


def _with_reserve(state: State) -> State:
    """Hands that cannot be, with what others hold, are ruled out; the reserve is the most that may be left."""
    room = state.printed.paint
    for seat in state.seats:
        room = minus(room, seat.spent)
    hands = [seat.hands for seat in state.seats]
    unsure = [number for number, choices in enumerate(hands) if len(choices) > 1]
    for number in unsure:
        others = [*hands[:number], *hands[number + 1 :]]
        hands[number] = tuple(hand for hand in hands[number] if _fit([(hand,), *others], room))
    reserve = room
    for choices in hands:
        surely = choices[0] if len(choices) == 1 else tuple(map(min, zip(*choices, strict=True)))
        reserve = minus(reserve, surely)
    if unsure:
        seats = (changed(seat, hands=choices) for seat, choices in zip(state.seats, hands, strict=True))
        reserve = tuple(_most_left(hands, room, kind, most) for kind, most in enumerate(reserve))
        state = changed(state, seats=tuple(seats))
    return changed(state, reserve=reserve)


def _most_left(hands: Sequence[tuple[Hand, ...]], room: Hand, kind: int, most: int) -> int:
    return next(left for left in range(most, -1, -1) if _fit(hands, _add(room, kind, -left)))


def _fit(hands: Sequence[tuple[Hand, ...]], room: Hand) -> bool:
    """Whether everybody may hold one of their hands at once, with no more of any kind than there is room for."""
    if not hands:
        return True
    return any(contains(room, hand) and _fit(hands[1:], minus(room, hand)) for hand in hands[0])


_FOLDS: dict[type[Event], Callable[[State, Any], State]] = {
    GameStarted: _started,
    BonusRevealed: _bonus_revealed,
    PermitRevealed: _permit_revealed,
    PermitDrawn: _permit_drawn,
    BlockDrawn: _block_drawn,
    NeutralDrawn: _neutral_drawn,
    PaintTaken: _paint_taken,
    PermitsTaken: _permits_taken,
    PartPainted: _part_painted,
    BonusTaken: _bonus_taken,
    PoliceTaken: _police_taken,
    Passed: _passed,
    BonusUsed: _bonus_used,
    PaintKept: _paint_kept,
    NeutralPainted: _neutral_painted,
    HouseDecided: _house_decided,
    PointsScored: _scored,
    GraffitiFinished: _finished,
    BlockPlaced: _block_placed,
    OutOfCans: _out_of_cans,
    PaintReturned: _paint_returned,
    RoundEnded: _round_ended,
    PermitsShuffled: _shuffled,
    GameEnded: _ended,
}
