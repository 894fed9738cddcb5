"""The rules of Tag City. Readings of what the rulebook leaves open are in RULINGS.md (T1 to T21)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar
from unicodedata import category

from pi_app.engine.contract import LUCK, BadData, IllegalMove, Outcome, Problem, Setup
from pi_app.engine.events import Event
from pi_app.games.tag_city.model import (
    FACES,
    MOVES,
    Board,
    DiceRolled,
    Die,
    DiePlaced,
    FeatureCompleted,
    GameEnded,
    GameStarted,
    Mark,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
    bits,
    changed,
    compile_printed,
    square_name,
)
from pi_app.games.tag_city.moves import Rolls, TaggerMoves
from pi_app.games.tag_city.profile import check_options, complete_options
from pi_app.games.tag_city.profile_check import check_profile

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
LONGEST_NAME = 80

HIGH_VALUES, BUBBLES, DRONE = "high_values", "bubbles", "drone"
"""The three reasons for the end."""


def start(setup: Setup) -> State:
    """The table before the first leader is named. Raises BadData with all problems."""
    problems = [p for p in check_profile(setup.profile) if not p.warning]
    if "city_b" in setup.profile:
        problems.append(Problem("city_b", "side_not_chosen"))
    problems += check_options(setup.options) + _check_players(setup.players)
    if problems:
        raise BadData(problems)
    printed = compile_printed(setup.profile, complete_options(setup.options))
    return State(printed, tuple(setup.players), tuple(Board() for _ in setup.players))


def _check_players(players: Sequence[str]) -> list[Problem]:
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        return [Problem("players", "players_count", {"count": len(players)})]
    bad = [seat for seat, name in enumerate(players, 1) if not _is_name(name)]
    return [Problem(f"players {seat}", "player_name", {"most": LONGEST_NAME}) for seat in bad]


def _is_name(name: Any) -> bool:
    """Any writing is welcome; control characters and halves of characters are not."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        return False
    return bool(name.strip()) and not any(category(letter) in ("Cc", "Cs") for letter in name)


def is_move(event: Event) -> bool:
    return isinstance(event, MOVES)


# --- whose turn, and what may be done ---------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
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


def legal_moves(state: State, seat: int) -> Sequence[Event]:
    if seat not in to_act(state):
        return ()
    if state.phase == "leader":
        return [GameStarted(leader) for leader in range(len(state.players))]
    if state.phase == "roll":
        return Rolls(len(state.players) + 1)
    if state.phase == "place":
        unplaced = (i for i, die in enumerate(state.dice) if not die.section)
        return [DiePlaced(die, section) for die in unplaced for section in allowed_sections(state, die)]
    return TaggerMoves(
        state.printed,
        seat,
        state.boards[seat].painted,
        [(i, state.printed.sections[state.dice[i].section - 1]) for i in dice_left(state)],
        drone_slots(state, seat),
        bubbles_open(state),
        lambda move: judge(state, move),
    )


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


def drone_slots(state: State, seat: int) -> list[int]:
    """The squares of the remote that this tagger may circle next, counted from 1."""
    used = state.boards[seat].drone
    free = [n for n in range(1, len(state.printed.drone) + 1) if not used >> (n - 1) & 1]
    return free[:1] if state.printed.drone_order == "printed" else free


def bubbles_open(state: State) -> list[int | None]:
    """The bubbles that may be circled now; [None] when checking has become free (T10)."""
    if state.last_bubble is not None:
        return [state.last_bubble]
    free = [n for n in range(1, len(state.printed.bubbles) + 1) if not state.bubbles_gone >> (n - 1) & 1]
    return [*free] or [None]


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


def _judge_turn(state: State, move: ShapePainted | SocialChecked) -> None:
    """May this tagger act now, and with this die?"""
    _require_roll(state)
    if state.phase == "place":
        raise IllegalMove("place_first", player=state.leader)
    if not 0 <= move.player < len(state.players):
        raise IllegalMove("unknown_player", player=move.player)
    turn = to_act(state)
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
        raise IllegalMove("drone_slot_used", player=player, slot=slot, expected=open_slots)
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
        raise IllegalMove("overlap", **facts, squares=[square_name(cell) for cell in printed.cells(taken)])
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
        raise IllegalMove("bubble_needed", player=move.player, expected=open_bubbles)
    if not 1 <= move.bubble <= len(state.printed.bubbles):
        raise IllegalMove("unknown_bubble", **facts)
    if open_bubbles == [None]:
        raise IllegalMove("bubbles_gone", **facts)
    if state.bubbles_gone >> (move.bubble - 1) & 1:
        raise IllegalMove("bubble_taken", **facts, expected=open_bubbles)
    raise IllegalMove("same_bubble", **facts, expected=state.last_bubble)


# --- deciding ---------------------------------------------------------------------------------


def decide(state: State, move: Event) -> tuple[Event, ...]:
    """The move and what follows from it. Raises IllegalMove."""
    judge(state, move)
    if not isinstance(move, ShapePainted | SocialChecked):
        return (move,)
    events: list[Event] = [move]
    if isinstance(move, ShapePainted):
        mask = state.printed.mask(move.cells)
        squares = state.printed.shapes[move.shape].placements[mask]
        if move.cells != squares:
            events = [replace(move, cells=squares)]
        events += _completed(state, move.player, mask)
    if state.phase == "last" and len(to_act(state)) == 1:
        after = state
        for event in events:
            after = apply(after, event)
        events += _end_of_round(after)
    return tuple(events)


def _completed(state: State, player: int, mask: int) -> list[Event]:
    """T12: every feature that these squares complete scores."""
    painted = state.boards[player].painted | mask
    found: list[Event] = []
    for index, feature in enumerate(state.printed.features):
        if feature.mask & mask and feature.mask & painted == feature.mask:
            # T6, T13, T21: `closed` grows at once in the draft, after the last die only then.
            if state.closed >> index & 1:
                found.append(FeatureCompleted(player, feature.id, "low", feature.low))
            else:
                found.append(FeatureCompleted(player, feature.id, "high", feature.high))
    return found


def _end_of_round(state: State) -> list[Event]:
    ended = RoundEnded(state.round, (state.leader + 1) % len(state.players))
    after = apply(state, ended)
    reasons = end_reasons(after)
    if not reasons:
        return [ended]
    scores = tuple(board.score for board in after.boards)
    return [ended, GameEnded(reasons, scores, winners(after))]


def end_reasons(state: State) -> tuple[str, ...]:
    """The end conditions that are met. T9: they matter once the round is finished."""
    everything = (1 << len(state.printed.features)) - 1
    all_bubbles = (1 << len(state.printed.bubbles)) - 1
    all_slots = (1 << len(state.printed.drone)) - 1
    met = {
        HIGH_VALUES: state.closed == everything,
        BUBBLES: state.bubbles_gone == all_bubbles,
        DRONE: any(board.drone == all_slots for board in state.boards),
    }
    return tuple(reason for reason, is_met in met.items() if is_met)


def winners(state: State) -> tuple[int, ...]:
    """T14: most points, then most circled bubbles; whoever is still level shares the title."""
    rank = [(board.score, board.bubbles.bit_count()) for board in state.boards]
    return tuple(seat for seat, key in enumerate(rank) if key == max(rank))


def outcome(state: State) -> Outcome | None:
    if state.result is None:
        return None
    return Outcome(state.result.scores, state.result.winners, state.result.reasons)


# --- folding ----------------------------------------------------------------------------------


def apply(state: State, event: Event) -> State:
    """The state after an event that was decided before."""
    if isinstance(event, ShapePainted | SocialChecked):
        return _apply_action(state, event)
    if isinstance(event, DiePlaced):
        dice = _with_item(state.dice, event.die, changed(state.dice[event.die], section=event.section))
        return changed(state, dice=dice, phase="draft" if all(die.section for die in dice) else "place")
    if isinstance(event, FeatureCompleted):
        return _apply_completed(state, event)
    if isinstance(event, DiceRolled):
        return changed(state, phase="place", dice=tuple(Die(value) for value in event.values), marks_due=())
    if isinstance(event, RoundEnded):
        return _apply_round_ended(state, event)
    if isinstance(event, GameStarted):
        return changed(state, phase="roll", leader=event.leader)
    if isinstance(event, GameEnded):
        return changed(state, phase="over", result=event)
    raise TypeError(f"{event.type} does not belong to Tag City")


def _apply_action(state: State, event: ShapePainted | SocialChecked) -> State:
    printed, seat = state.printed, event.player
    board = state.boards[seat]
    gone, last_bubble, marks = state.bubbles_gone, state.last_bubble, state.marks_due
    if isinstance(event, ShapePainted):
        drone, score = board.drone, board.score
        if event.drone is not None:
            drone |= 1 << (event.drone - 1)
            score += printed.drone[event.drone - 1]
            marks += (Mark(seat, f"drone.{event.drone}", "circled"),)
        board = changed(board, painted=board.painted | printed.mask(event.cells), drone=drone, score=score)
    elif event.bubble is not None:
        bit = 1 << (event.bubble - 1)
        score = board.score + printed.bubbles[event.bubble - 1]
        board = changed(board, bubbles=board.bubbles | bit, score=score)
        marks += (Mark(seat, f"bubble.{event.bubble}", "circled"),)
        if state.phase == "last":
            last_bubble = event.bubble
        else:
            gone |= bit
            marks += _crosses(state, f"bubble.{event.bubble}", {seat})
    dice, phase, acted = state.dice, state.phase, state.acted | 1 << seat
    if phase == "draft":
        dice = _with_item(dice, event.die, changed(dice[event.die], taken_by=seat))
        if acted.bit_count() == len(state.players):
            phase, acted = "last", 0
    return changed(
        state,
        boards=_with_item(state.boards, seat, board),
        dice=dice,
        phase=phase,
        acted=acted,
        bubbles_gone=gone,
        last_bubble=last_bubble,
        marks_due=marks,
    )


def _apply_completed(state: State, event: FeatureCompleted) -> State:
    bit = 1 << state.printed.feature_index[event.feature]
    board = state.boards[event.player]
    board = changed(
        board,
        high=board.high | (bit if event.rank == "high" else 0),
        low=board.low | (bit if event.rank == "low" else 0),
        score=board.score + event.value,
    )
    marks = (*state.marks_due, Mark(event.player, f"{event.feature}.{event.rank}", "circled"))
    closed = state.closed
    # The draft's last action has already moved the phase on; nobody has acted in the new one yet.
    if state.phase == "draft" or not state.acted:
        if not closed & bit:
            marks += _crosses(state, f"{event.feature}.high", {event.player})
        closed |= bit
    return changed(state, boards=_with_item(state.boards, event.player, board), closed=closed, marks_due=marks)


def _apply_round_ended(state: State, event: RoundEnded) -> State:
    """Settles what the last die did: its features close and its bubble is gone, for all at once."""
    marks, closed, gone = state.marks_due, state.closed, state.bubbles_gone
    for board in state.boards:
        closed |= board.high | board.low
    for index in bits(closed & ~state.closed):
        circled = {seat for seat, board in enumerate(state.boards) if board.high >> index & 1}
        marks += _crosses(state, f"{state.printed.features[index].id}.high", circled)
    if state.last_bubble is not None:
        bit = 1 << (state.last_bubble - 1)
        circled = {seat for seat, board in enumerate(state.boards) if board.bubbles & bit}
        marks += _crosses(state, f"bubble.{state.last_bubble}", circled)
        gone |= bit
    return changed(
        state,
        phase="roll",
        round=event.round + 1,
        leader=event.next_leader,
        dice=(),
        acted=0,
        closed=closed,
        bubbles_gone=gone,
        last_bubble=None,
        marks_due=marks,
    )


def _crosses(state: State, region: str, circled: set[int]) -> tuple[Mark, ...]:
    """The crosses that everybody else draws over a value that is gone."""
    return tuple(Mark(seat, region, "crossed") for seat in range(len(state.players)) if seat not in circled)


_Item = TypeVar("_Item")


def _with_item(items: tuple[_Item, ...], index: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
