"""Who may do what at a table of Graffiti, and which rule says no. Open questions: RULINGS.md (G1 to G40)."""

from collections.abc import Sequence
from typing import Any, NoReturn

from pi_app.engine.contract import LUCK, IllegalMove, ToAct
from pi_app.engine.events import Event
from pi_app.games.graffiti.rules.model import (
    ACTIONS,
    BONUS,
    BONUSES,
    KEPT,
    KEPT_WITH_SAVE,
    LUCK_MOVES,
    NEUTRAL,
    OPEN,
    Action,
    BlockDrawn,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    GameStarted,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsTaken,
    PoliceTaken,
    Seat,
    Space,
    State,
)
from pi_app.games.graffiti.rules.paying import (
    NUMBER,
    Hand,
    contains,
    covers,
    covers_with_police,
    hand_of,
    missing,
    plus,
)

USED_WITH = {PartPainted: ("paint", "permit", "add", "reduce"), PaintKept: ("save",)}
"""Which bonus tiles help with a move; with every other action add and reduce."""
USED_ALONE = ("points", "extra", "reserve")
POLICE = ("", "can", "paint", "both")
BY_SEATS = (*ACTIONS, Passed, BonusUsed, PaintKept, NeutralPainted, HouseDecided)


# --- whose turn, and what may be done ---------------------------------------------------------


def to_act(state: State) -> ToAct:
    if state.phase == "play":
        turn, late = state.turn, state.late
        if state.printed.any_time:
            others = [seat for seat in range(len(state.seats)) if seat != turn]
        else:
            others = [] if late is None or late == turn else [late]
        return ToAct((turn,), tuple([seat for seat in others if _has_use(state, seat)]))
    if state.phase == "keep":
        seats = range(len(state.seats))
        untold = tuple(seat for seat in seats if not state.told >> seat & 1)
        return ToAct(untold, tuple(s for s in seats if s not in untold and state.seats[s].has("points")))
    if state.phase == "neutral_paint":
        return ToAct((state.first,))
    return ToAct(() if state.phase == "over" else (LUCK,))


def _has_use(state: State, seat: int) -> bool:
    """Whether a seat has a bonus tile that it can use without an action."""
    return any(state.seats[seat].bonuses) and any(usable(state, seat, bonus) for bonus in USED_ALONE)


def usable(state: State, seat: int, bonus: str) -> bool:
    """Whether a seat that may use bonus tiles now can do something with one that needs no action."""
    own = state.seats[seat]
    if not own.bonuses[BONUS[bonus]]:
        return False
    if bonus == "extra":
        return not own.passed
    return bonus == "points" or (own.reserved is None and bool(reservable(state)))


def reservable(state: State) -> list[int]:
    """The parts that a marker may be put on."""
    taken = {seat.reserved for seat in state.seats}
    return [number for number, tag in enumerate(state.parts) if tag == OPEN and number not in taken]


def finished(state: State) -> int:
    """How many graffiti are finished."""
    return sum(OPEN not in graffito.tags(state.parts) for graffito in state.printed.graffiti)


def can_draw(state: State) -> bool:
    """Whether there is a permit to be revealed."""
    return state.pile > 0 or any(state.discards)


def other_sections(state: State) -> bool:
    """Whether pile or discards may hold a permit of another section than that of the block pawn."""
    faces = zip(state.pool if state.pile else (0,) * len(state.pool), state.discards, strict=True)
    return any(piled or discarded for face, (piled, discarded) in enumerate(faces, 1) if face != state.pawn)


def bonus_gap(state: State) -> int | None:
    """The first slot that a bonus tile can be revealed for."""
    if "" not in state.bonus_slots or not any(state.bonus_pool):
        return None
    return state.bonus_slots.index("") + 1


def permit_gap(state: State) -> int | None:
    if 0 not in state.slots or not can_draw(state):
        return None
    return state.slots.index(0) + 1


def seat_to_draw(state: State) -> int | None:
    """Whoever takes a permit from the pile next: in the set-up everybody in turn, then whoever took permits."""
    if state.phase == "setup":
        short = (n for n, seat in enumerate(state.seats) if seat.permit_count < state.printed.start_permits)
        return next(short, None) if can_draw(state) else None
    return state.turn if state.draws and can_draw(state) else None


def due_of_luck(state: State) -> type[Event] | None:
    """What luck has to bring now."""
    if state.phase == "setup":
        if not state.started:
            return GameStarted
        if bonus_gap(state) is not None:
            return BonusRevealed
        return PermitRevealed if permit_gap(state) is not None else PermitDrawn
    if state.phase == "permits":
        return PermitDrawn if seat_to_draw(state) is not None else PermitRevealed
    return {"block": BlockDrawn, "refill": BonusRevealed, "neutral": NeutralDrawn}.get(state.phase)


def keepable(state: State, seat: int) -> tuple[Hand, ...]:
    """The paint that a seat may keep of: what it has, and with an option what it spent."""
    own = state.seats[seat]
    return tuple(plus(hand, own.spent) for hand in own.hands) if state.printed.keep_spent else own.hands


# --- judging ----------------------------------------------------------------------------------


def judge(state: State, move: Event) -> None:
    """Raises IllegalMove if the rules refuse the move."""
    if state.phase == "over":
        raise IllegalMove("game_over")
    if isinstance(move, LUCK_MOVES):
        _judge_luck(state, move)
        return
    if not isinstance(move, BY_SEATS):
        raise IllegalMove("not_a_move", event=move.type)
    if not 0 <= move.player < len(state.seats):
        raise IllegalMove("unknown_player", player=move.player)
    if not state.started:
        raise IllegalMove("start_first")
    if state.phase not in ("play", "keep", "neutral_paint"):
        raise IllegalMove("luck_first")
    if isinstance(move, PaintKept):
        _judge_kept(state, move)
    elif isinstance(move, BonusUsed):
        _judge_used(state, move)
    elif isinstance(move, NeutralPainted):
        _judge_neutral(state, move)
    else:
        _judge_turn(state, move.player)
        if isinstance(move, HouseDecided):
            _judge_house(state, move)
        elif not isinstance(move, Passed):
            _judge_action(state, move)


def _judge_luck(state: State, move: Event) -> None:
    if isinstance(move, GameStarted):
        if state.started:
            raise IllegalMove("already_started")
        if not 0 <= move.first < len(state.seats):
            raise IllegalMove("unknown_player", player=move.first)
        return
    if not state.started:
        raise IllegalMove("start_first")
    if not isinstance(move, due_of_luck(state) or GameStarted):
        raise IllegalMove("not_drawn_now", event=move.type)
    if isinstance(move, BonusRevealed):
        if move.slot != bonus_gap(state):
            raise IllegalMove("slot_not_next", slot=move.slot, expected=bonus_gap(state))
        if move.bonus not in BONUS or not state.bonus_pool[BONUS[move.bonus]]:
            raise IllegalMove("tile_not_in_pile", tile=move.bonus[:20])
        return
    if isinstance(move, PermitRevealed) and move.slot != permit_gap(state):
        raise IllegalMove("slot_not_next", slot=move.slot, expected=permit_gap(state))
    if isinstance(move, PermitDrawn) and move.player != seat_to_draw(state):
        raise IllegalMove("not_your_permit", player=move.player, expected=seat_to_draw(state))
    face = move.face  # type: ignore[attr-defined]
    if face is not None and not (0 < face <= len(state.pool) and state.pool[face - 1]):
        raise IllegalMove("tile_not_in_pile", tile=str(face))


def _judge_turn(state: State, player: int) -> None:
    if state.phase == "keep":
        raise IllegalMove("keep_first")
    if state.phase == "neutral_paint":
        raise IllegalMove("neutral_first", player=state.first, section=state.neutral_section)
    if player != state.turn:
        rule = "already_passed" if state.seats[player].passed else "not_your_turn"
        raise IllegalMove(rule, player=player, turn=state.turn)


# --- actions ----------------------------------------------------------------------------------


def space_of(state: State, move: Action) -> Space:
    """Where the cans of an action stand. Raises IllegalMove for a space that there is not."""
    printed = state.printed
    if isinstance(move, PaintTaken):
        space = printed.space_at.get(("paint", move.space))
    elif isinstance(move, PermitsTaken):
        space = printed.space_at.get(("permits", move.space))
    elif isinstance(move, PartPainted):
        space = printed.space_at.get(("tunnel", move.space))
    elif isinstance(move, PoliceTaken) and printed.police_space is not None:
        space = printed.police_space if move.slot is None else None
    else:
        space = None if move.slot is None else printed.space_at.get(("bonus", str(move.slot)))
    if space is None:
        where = getattr(move, "space", None) or str(getattr(move, "slot", None))
        raise IllegalMove("space_unknown", player=move.player, space=where[:20])
    return space


def _judge_action(state: State, move: Action) -> None:
    space = space_of(state, move)
    if isinstance(move, PartPainted) and space.section == state.pawn:
        raise IllegalMove("section_blocked", player=move.player, section=space.section)
    if isinstance(move, PaintTaken):
        _judge_paint(state, move, space)
    elif isinstance(move, PermitsTaken):
        there = any(state.slots[slot - 1] for slot in space.slots) or (space.pile and can_draw(state))
        if not there:
            _nothing(move.player)
    elif isinstance(move, BonusTaken):
        if not state.bonus_slots[move.slot - 1]:
            _nothing(move.player)
    elif isinstance(move, PoliceTaken) and state.police is not None:
        _nothing(move.player)
    _judge_bonuses(state, move, USED_WITH.get(type(move), ("add", "reduce")))
    if isinstance(move, PartPainted):
        _judge_police(state, move, space)
    _judge_cans(state, move, space)
    if isinstance(move, PartPainted):
        _judge_part(state, move, space)
        _judge_permits(state, move, space)
        _judge_payment(state, move)


def _nothing(player: int) -> NoReturn:
    raise IllegalMove("nothing_to_take", player=player)


def _judge_paint(state: State, move: PaintTaken, space: Space) -> None:
    if move.kind not in space.kinds:
        raise IllegalMove("kind_not_here", player=move.player, kind=move.kind[:20], expected=list(space.kinds))
    if not state.reserve[NUMBER[move.kind]]:
        raise IllegalMove("kind_empty", player=move.player, kind=move.kind)


def _judge_bonuses(state: State, move: Action | PaintKept, helpful: Sequence[str]) -> None:
    """Every tile that is used must be held, and help with this."""
    own = state.seats[move.player]
    for bonus in dict.fromkeys(move.bonuses):
        facts = {"player": move.player, "bonus": bonus[:20]}
        if bonus not in BONUS or own.bonuses[BONUS[bonus]] < move.bonuses.count(bonus):
            raise IllegalMove("joker_not_held" if bonus == "paint" else "bonus_not_held", **facts)
        if bonus not in helpful or (bonus in ("add", "permit", "save") and move.bonuses.count(bonus) > 1):
            raise IllegalMove("bonus_not_needed", **facts)


def _judge_cans(state: State, move: Action, space: Space) -> None:
    facts: dict[str, Any] = {"player": move.player, "space": space.id}
    occupied = bool(state.spaces[space.number]) and not space.unlimited
    closed = bool(state.closed >> space.number & 1)
    if "add" in move.bonuses:
        if closed:
            raise IllegalMove("add_twice", **facts)
        if space.cans != 1:
            raise IllegalMove("add_two_cans", **facts)
        if not occupied:
            raise IllegalMove("add_free_space", **facts)
    elif occupied or closed:
        raise IllegalMove("space_taken", **facts)
    helped = isinstance(move, PartPainted) and move.police in ("can", "both")
    expected = space.cans - helped - move.bonuses.count("reduce")
    if expected < 0:
        raise IllegalMove("reduce_nothing", **facts)
    if state.seats[move.player].cans < expected:
        raise IllegalMove("cans_needed", **facts, expected=expected, count=state.seats[move.player].cans)
    if move.cans != expected:
        raise IllegalMove("cans_placed_wrong", **facts, expected=expected, count=move.cans)


def _judge_police(state: State, move: PartPainted, space: Space) -> None:
    if move.police not in POLICE:
        raise IllegalMove("police_tunnel_only", player=move.player)
    if move.police and state.police != move.player:
        raise IllegalMove("police_not_held", player=move.player)
    if move.police in ("can", "both") and space.cans < 2:
        raise IllegalMove("police_not_needed", player=move.player)


def _judge_part(state: State, move: PartPainted, space: Space) -> None:
    facts = {"player": move.player, "part": move.part[:20]}
    number = state.printed.part_number.get(move.part)
    if number is None or state.printed.parts[number].section != space.section:
        raise IllegalMove("part_not_here", **facts, section=space.section)
    if state.parts[number] != OPEN:
        raise IllegalMove("part_done", **facts)
    for other, seat in enumerate(state.seats):
        if seat.reserved == number and other != move.player:
            raise IllegalMove("part_reserved", **facts, owner=other)


def _judge_permits(state: State, move: PartPainted, space: Space) -> None:
    facts: dict[str, Any] = {"player": move.player, "section": space.section}
    if "permit" in move.bonuses:
        if move.permits:
            raise IllegalMove("bonus_not_needed", player=move.player, bonus="permit")
        return
    if not move.permits:
        raise IllegalMove("permit_needed", **facts)
    face = move.permits[0]
    if len(move.permits) > 2 or len(set(move.permits)) > 1:
        raise IllegalMove("permits_unequal", **facts)
    if len(move.permits) == 1 and face != space.section:
        raise IllegalMove("permit_wrong", **facts, face=face)
    if not can_discard(state, move.player, face, len(move.permits)):
        raise IllegalMove("permit_not_held", **facts, face=face)


def can_discard(state: State, player: int, face: int, count: int = 1) -> bool:
    """Whether a seat may have so many permits of a face, as far as the record knows."""
    if not 0 < face <= len(state.discards):
        return False
    seat, index = state.seats[player], face - 1
    lacking = count - seat.permits[index]
    if lacking <= 0 or not seat.unknown:
        return lacking <= 0
    return any(
        sum(min(held, pile[index]) for held, pile in zip(story.held[player], story.piles, strict=True)) >= lacking
        for story in state.unseen
    )


def _judge_payment(state: State, move: PartPainted) -> None:
    own, facts = state.seats[move.player], {"player": move.player, "part": move.part}
    unknown = [kind for kind in move.paints if kind not in NUMBER]
    if unknown or not can_pay(own, move.paints):
        raise IllegalMove("paint_not_held", **facts, kinds=[kind[:20] for kind in unknown or move.paints])
    cost = state.printed.parts[state.printed.part_number[move.part]].cost
    paints, jokers = ordered(move.paints), move.bonuses.count("paint")
    helped = move.police in ("paint", "both")
    if covers(cost, paints, jokers):
        if helped:
            raise IllegalMove("police_not_needed", player=move.player)
    elif not (helped and covers_with_police(cost, paints, jokers)):
        lacking = missing(cost, paints, jokers)
        if not lacking:
            raise IllegalMove("paint_superfluous", **facts, expected=list(cost))
        if helped and (len(lacking) == 1 or len(paints) + jokers >= len(cost)):
            raise IllegalMove("police_one_colour", **facts)
        raise IllegalMove("paint_missing", **facts, colours=list(lacking))


def ordered(paints: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(paints, key=NUMBER.__getitem__)) if len(paints) > 1 else tuple(paints)


def can_pay(own: Seat, paints: Sequence[str]) -> bool:
    wanted = hand_of(paints)
    return any(contains(hand, wanted) for hand in own.hands)


# --- beside the actions -----------------------------------------------------------------------


def _judge_used(state: State, move: BonusUsed) -> None:
    own, facts = state.seats[move.player], {"player": move.player, "bonus": move.bonus[:20]}
    if move.bonus not in BONUSES or not own.bonuses[BONUS[move.bonus]]:
        raise IllegalMove("bonus_not_held", **facts)
    if move.bonus not in USED_ALONE:
        raise IllegalMove("bonus_with_action", **facts)
    if state.phase == "keep":
        if move.bonus != "points":
            raise IllegalMove("bonus_too_late", **facts)
    elif state.phase == "neutral_paint":
        raise IllegalMove("neutral_first", player=state.first, section=state.neutral_section)
    elif move.player not in (state.turn, state.late) and not state.printed.any_time:
        rule = "already_passed" if own.passed else "not_your_turn"
        raise IllegalMove(rule, player=move.player, turn=state.turn)
    if move.bonus == "extra" and own.passed:
        raise IllegalMove("already_passed", player=move.player, turn=state.turn)
    if move.bonus != "reserve":
        if move.part is not None:
            raise IllegalMove("bonus_without_part", **facts)
        return
    number = state.printed.part_number.get(move.part or "")
    if number is None:
        raise IllegalMove("part_unknown", player=move.player, part=(move.part or "")[:20])
    if state.parts[number] != OPEN:
        raise IllegalMove("part_done", player=move.player, part=move.part)
    if own.reserved is not None or any(seat.reserved == number for seat in state.seats):
        raise IllegalMove("reserve_taken", player=move.player, part=move.part)


def _judge_kept(state: State, move: PaintKept) -> None:
    facts: dict[str, Any] = {"player": move.player}
    if state.phase != "keep":
        raise IllegalMove("keep_later", **facts)
    if state.told >> move.player & 1:
        raise IllegalMove("keep_told", **facts)
    _judge_bonuses(state, move, USED_WITH[PaintKept])
    hands = keepable(state, move.player)
    most = KEPT_WITH_SAVE if move.bonuses else KEPT
    count = min(most, sum(hands[0])) if move.kinds is None else len(move.kinds)
    if count > most:
        raise IllegalMove("keep_too_many", **facts, count=count, most=most)
    if move.kinds is not None:
        known = all(kind in NUMBER for kind in move.kinds)
        if not known or not any(contains(hand, hand_of(move.kinds)) for hand in hands):
            raise IllegalMove("keep_not_held", **facts, kinds=[kind[:20] for kind in move.kinds])
    if move.bonuses and count <= KEPT:
        raise IllegalMove("bonus_not_needed", **facts, bonus="save")


def _judge_neutral(state: State, move: NeutralPainted) -> None:
    if state.phase != "neutral_paint":
        raise IllegalMove("neutral_later", player=move.player)
    if move.player != state.first:
        raise IllegalMove("not_token_holder", player=move.player, holder=state.first)
    number = state.printed.part_number.get(move.part)
    if number is None or state.printed.parts[number].section != state.neutral_section:
        raise IllegalMove("neutral_not_here", player=move.player, part=move.part[:20], section=state.neutral_section)
    if state.parts[number] != OPEN:
        raise IllegalMove("part_done", player=move.player, part=move.part)


def _judge_house(state: State, move: HouseDecided) -> None:
    """People may decide much, but only about parts that are there, each once, and something must change."""
    parts = [tag_change(state, change) for change in move.changes]
    numbers = {part[0] for part in parts if part is not None}
    if not parts or len(numbers) != len(parts) or all(p is None or state.parts[p[0]] == p[1] for p in parts):
        raise IllegalMove("house_impossible", player=move.player)


def tag_change(state: State, change: tuple[str, str]) -> tuple[int, int] | None:
    """A part by number, and whose tag it gets; None for what is none."""
    tags = {"open": OPEN, "neutral": NEUTRAL, **{f"seat.{seat}": seat for seat in range(len(state.seats))}}
    number = state.printed.part_number.get(change[0].removeprefix("part."))
    if number is None or not change[0].startswith("part.") or change[1] not in tags:
        return None
    return number, tags[change[1]]
