"""Who may do what at a table of Tag City, and which rule says no."""

from functools import cache
from typing import Any

from pi_app.engine.contract import LUCK, IllegalMove
from pi_app.engine.events import Event
from pi_app.games.tag_city.rules.model import (
    FACES,
    Action,
    DiceRolled,
    DiePlaced,
    GameStarted,
    HouseDecided,
    ShapePainted,
    SocialChecked,
    State,
)
from pi_app.games.tag_city.rules.shapes import square_name

# --- whose turn, and what may be done ---------------------------------------------------------


def acting(state: State) -> tuple[int, ...]:
    """Whose move it is; nobody may interrupt."""
    if state.phase in ("leader", "roll"):
        return (LUCK,)
    if state.phase == "place":
        return (state.leader,)
    if state.phase == "draft":
        # T20: clockwise from the leader's left; the leader comes last.
        return ((state.leader + 1 + state.acted.bit_count()) % len(state.players),)
    if state.phase == "last":
        return tuple(seat for seat in range(len(state.players)) if not state.acted >> seat & 1)
    return ()


def mover(state: State, move: Event) -> int | None:
    if isinstance(move, GameStarted | DiceRolled):
        return LUCK
    if isinstance(move, DiePlaced):
        return state.leader
    return move.player if isinstance(move, ShapePainted | SocialChecked) else None


def allowed_sections(state: State, die: int) -> tuple[int, ...]:
    """The sections where the leader may put a die of the present roll."""
    value = state.dice[die].value
    both = state.printed.values[value]
    if state.printed.equal_dice:
        return both
    # T1: the ban on equal dice in one section yields where it cannot be kept.
    apart = tuple(s for s in both if all(d.section != s or d.value != value for d in state.dice))
    return apart or both


def dice_left(state: State) -> list[int]:
    """The dice that a tagger may take now; in the last phase the one that all use."""
    return [i for i, die in enumerate(state.dice) if die.taken_by is None]


def drone_slots(state: State, seat: int) -> tuple[int, ...]:
    """The squares of the remote that this tagger may circle next, counted from 1."""
    free = _unused(state.boards[seat].drone, len(state.printed.drone))
    return free[:1] if state.printed.drone_order == "printed" else free


def bubbles_open(state: State) -> tuple[int | None, ...]:
    """The bubbles that may be circled now; None alone when checking has become free (T10)."""
    if state.last_bubble is not None:
        return (state.last_bubble,)
    return _unused(state.bubbles_gone, len(state.printed.bubbles)) or (None,)


@cache
def _unused(used: int, count: int) -> tuple[int, ...]:
    """The numbers from 1 to `count` whose bit is not set."""
    return tuple(n for n in range(1, count + 1) if not used >> (n - 1) & 1)


# --- judging ----------------------------------------------------------------------------------


def judge(state: State, move: Event) -> None:
    """Raises IllegalMove if the rules refuse the move."""
    if state.phase == "over":
        raise IllegalMove("game_over")
    if isinstance(move, GameStarted):
        _judge_start(state, move)
    elif isinstance(move, DiceRolled):
        _judge_roll(state, move)
    elif isinstance(move, DiePlaced):
        _judge_die_placed(state, move)
    elif isinstance(move, ShapePainted):
        _judge_turn(state, move)
        _judge_shape(state, move)
        _judge_squares(state, move)
    elif isinstance(move, SocialChecked):
        _judge_turn(state, move)
        _judge_bubble(state, move)
    elif isinstance(move, HouseDecided):
        _judge_turn(state, move)
        _judge_house(state, move)
    else:
        raise IllegalMove("not_a_move", event=move.type)


def _judge_start(state: State, move: GameStarted) -> None:
    if state.phase != "leader":
        raise IllegalMove("already_started")
    if not 0 <= move.leader < len(state.players):
        raise IllegalMove("unknown_player", player=move.leader)


def _judge_roll(state: State, move: DiceRolled) -> None:
    if state.phase == "leader":
        raise IllegalMove("leader_first")
    if state.phase != "roll":
        raise IllegalMove("already_rolled")
    if len(move.values) != len(state.players) + 1:
        raise IllegalMove("dice_count", count=len(move.values), expected=len(state.players) + 1)
    strange = [value for value in move.values if value not in FACES]
    if strange:
        raise IllegalMove("die_face", value=strange[0])


def _judge_die_placed(state: State, move: DiePlaced) -> None:
    _require_roll(state)
    if state.phase != "place":
        raise IllegalMove("dice_all_placed")
    if not 0 <= move.die < len(state.dice):
        raise IllegalMove("unknown_die", die=move.die)
    die = state.dice[move.die]
    if die.section:
        raise IllegalMove("die_already_placed", die=move.die, value=die.value, section=die.section)
    if move.section in allowed_sections(state, move.die):
        return
    facts = {"die": move.die, "value": die.value, "section": move.section, "player": state.leader}
    if move.section in state.printed.values[die.value]:
        raise IllegalMove("equal_dice", **facts, expected=list(allowed_sections(state, move.die)))
    raise IllegalMove("wrong_section", **facts, expected=list(state.printed.values[die.value]))


def _require_roll(state: State) -> None:
    if state.phase == "leader":
        raise IllegalMove("leader_first")
    if state.phase == "roll":
        raise IllegalMove("roll_first", player=state.leader)


def _judge_turn(state: State, move: Action) -> None:
    """May this tagger act now, and with this die?"""
    _require_roll(state)
    if state.phase == "place":
        raise IllegalMove("place_first", player=state.leader)
    if not 0 <= move.player < len(state.players):
        raise IllegalMove("unknown_player", player=move.player)
    turn = acting(state)
    if move.player not in turn:
        if state.phase == "last":
            raise IllegalMove("last_die_used", player=move.player)
        raise IllegalMove("not_your_turn", player=move.player, turn=turn[0])
    if not 0 <= move.die < len(state.dice):
        raise IllegalMove("unknown_die", die=move.die)
    die = state.dice[move.die]
    if die.taken_by is not None:
        raise IllegalMove("die_taken", player=move.player, die=move.die, value=die.value, owner=die.taken_by)


def _judge_shape(state: State, move: ShapePainted) -> None:
    """Is this the shape of the die, or one that a drone may paint?"""
    printed = state.printed
    if move.shape not in printed.shapes:
        raise IllegalMove("unknown_shape", player=move.player, shape=move.shape)
    if move.drone is not None:
        _judge_drone(state, move.player, move.drone)
        if move.shape not in printed.in_play:
            raise IllegalMove("shape_not_on_hq", player=move.player, shape=move.shape, expected=list(printed.in_play))
        return
    section = state.dice[move.die].section
    expected = printed.sections[section - 1]
    if move.shape == expected:
        return
    rule = "small_needs_drone" if move.shape in printed.small else "wrong_shape"
    raise IllegalMove(rule, player=move.player, shape=move.shape, section=section, expected=expected)


def _judge_drone(state: State, player: int, slot: int) -> None:
    open_slots = drone_slots(state, player)
    if slot in open_slots:
        return
    if not 1 <= slot <= len(state.printed.drone):
        raise IllegalMove("unknown_drone_slot", player=player, slot=slot)
    if not open_slots:
        raise IllegalMove("drone_used_up", player=player)
    if state.boards[player].drone >> (slot - 1) & 1:
        raise IllegalMove("drone_slot_used", player=player, slot=slot, expected=list(open_slots))
    raise IllegalMove("drone_order", player=player, slot=slot, expected=open_slots[0])


def _judge_squares(state: State, move: ShapePainted) -> None:
    """Is it the whole shape, inside the city, on free squares?"""
    printed, shape = state.printed, state.printed.shapes[move.shape]
    painted = state.boards[move.player].painted
    known = shape.masks.get(move.cells)
    if known is not None and not known & painted:
        return
    facts: dict[str, Any] = {"player": move.player, "shape": move.shape}
    outside = [cell for cell in move.cells if not printed.inside(cell)]
    if outside:
        raise IllegalMove("outside_city", **facts, squares=[square_name(cell) for cell in outside])
    mask = printed.mask(move.cells)
    if mask.bit_count() != len(move.cells):
        raise IllegalMove("square_twice", **facts)
    taken = mask & painted
    if taken:
        squares = [square_name(cell) for cell in printed.cells(taken)]
        raise IllegalMove("overlap", **facts, squares=squares, count=len(squares))
    facts["squares"] = [square_name(cell) for cell in printed.cells(mask)]
    if len(move.cells) < shape.size:
        raise IllegalMove("incomplete_shape", **facts, count=len(move.cells), expected=shape.size)
    if len(move.cells) > shape.size:
        raise IllegalMove("too_many_squares", **facts, count=len(move.cells), expected=shape.size)
    if mask not in shape.placements:
        raise IllegalMove("not_this_shape", **facts)


def _judge_bubble(state: State, move: SocialChecked) -> None:
    open_bubbles = bubbles_open(state)
    if move.bubble in open_bubbles:
        return
    facts = {"player": move.player, "bubble": move.bubble}
    if move.bubble is None:
        raise IllegalMove("bubble_needed", player=move.player, expected=list(open_bubbles))
    if not 1 <= move.bubble <= len(state.printed.bubbles):
        raise IllegalMove("unknown_bubble", **facts)
    if open_bubbles == (None,):
        raise IllegalMove("bubbles_gone", **facts)
    if state.bubbles_gone >> (move.bubble - 1) & 1:
        raise IllegalMove("bubble_taken", **facts, expected=list(open_bubbles))
    raise IllegalMove("same_bubble", **facts, expected=state.last_bubble)


def _judge_house(state: State, move: HouseDecided) -> None:
    """People may decide much, but not draw twice on a square, nor on a board that is not there."""
    printed, board = state.printed, state.boards[move.player]
    inside = all(printed.inside(cell) for cell in move.cells)
    new = inside and len(set(move.cells)) == len(move.cells) and not printed.mask(move.cells) & board.painted
    slot = move.drone is None or move.drone in _unused(board.drone, len(printed.drone))
    bubble = move.bubble is None or move.bubble in _unused(board.bubbles, len(printed.bubbles))
    if not (new and slot and bubble):
        raise IllegalMove("house_impossible", player=move.player)
