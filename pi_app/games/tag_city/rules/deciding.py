"""What follows from a move in Tag City. How open questions are read is told in RULINGS.md (T1 to T21)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pi_app.engine.contract import LUCK, BadData, Chances, Outcome, Problem, Setup
from pi_app.engine.events import Event, GameEnded
from pi_app.engine.setup import check_options, check_players, complete_options
from pi_app.engine.values import changed, with_item
from pi_app.games.tag_city.edition.check import check_profile
from pi_app.games.tag_city.edition.profile import OPTIONS
from pi_app.games.tag_city.rules.judging import (
    acting,
    allowed_sections,
    bubbles_open,
    drone_slots,
    judge,
)
from pi_app.games.tag_city.rules.model import (
    MOVES,
    Action,
    Board,
    DiceRolled,
    Die,
    DiePlaced,
    FeatureCompleted,
    GameStarted,
    HouseDecided,
    RoundEnded,
    ShapePainted,
    SocialChecked,
    State,
    compile_printed,
)
from pi_app.games.tag_city.rules.moves import Rolls, TaggerMoves

PLAYERS = range(2, 5)

HIGH_VALUES, BUBBLES, DRONE = "high_values", "bubbles", "drone"
"""The three reasons for the end."""


def start(setup: Setup) -> State:
    """The table before the first leader is named. Raises BadData with all problems."""
    problems = [p for p in check_profile(setup.profile) if not p.warning]
    if "city_b" in setup.profile:
        problems.append(Problem("city_b", "side_not_chosen"))
    if "geometry" in setup.profile:
        problems.append(Problem("geometry", "geometry_in_game"))
    problems += check_options(setup.options, OPTIONS) + check_players(setup.players, PLAYERS)
    if problems:
        raise BadData(problems)
    printed = compile_printed(setup.profile, complete_options(setup.options, OPTIONS))
    return State(printed, tuple(setup.players), tuple(Board() for _ in setup.players))


def opening(first: int) -> Event:
    return GameStarted(first)


def first_player(event: Event) -> int | None:
    return event.leader if isinstance(event, GameStarted) else None


def is_move(event: Event) -> bool:
    return isinstance(event, MOVES)


def ends_round(event: Event) -> bool:
    return isinstance(event, RoundEnded)


def round_of(state: State) -> int:
    return state.round


def scores(state: State) -> tuple[int, ...]:
    return tuple(board.score for board in state.boards)


def legal_moves(state: State, seat: int) -> Sequence[Event]:
    if seat not in acting(state):
        return ()
    if state.phase == "leader":
        return [GameStarted(leader) for leader in range(len(state.players))]
    if state.phase == "roll":
        return Rolls(len(state.players) + 1)
    if state.phase == "place":
        unplaced = (i for i, die in enumerate(state.dice) if not die.section)
        return [_die_placed(die, section) for die in unplaced for section in allowed_sections(state, die)]
    return TaggerMoves(
        state.printed,
        seat,
        state.boards[seat].painted,
        [(i, die.section) for i, die in enumerate(state.dice) if die.taken_by is None],
        drone_slots(state, seat),
        bubbles_open(state),
        lambda move: judge(state, move),
    )


def chances(state: State) -> Chances:
    return Chances(legal_moves(state, LUCK))


# There are no more than thirty of them, and every playout needs them again and again.
_die_placed = cache(DiePlaced)


# --- deciding ---------------------------------------------------------------------------------


def decide(state: State, move: Event) -> tuple[Event, ...]:
    """The move and what follows from it. Raises IllegalMove."""
    judge(state, move)
    if not isinstance(move, ShapePainted | SocialChecked | HouseDecided):
        return (move,)
    events: list[Event] = [move]
    if isinstance(move, HouseDecided):
        events += _completed(state, move.player, state.printed.mask(move.cells))
    if isinstance(move, ShapePainted):
        mask = state.printed.mask(move.cells)
        squares = state.printed.shapes[move.shape].placements[mask]
        if move.cells != squares:
            events = [replace(move, cells=squares)]
        events += _completed(state, move.player, mask)
    if state.phase == "last" and len(acting(state)) == 1:
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
    return [ended, GameEnded(reasons, scores(after), winners(after))]


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
    if isinstance(event, ShapePainted | SocialChecked | HouseDecided):
        return _apply_action(state, event)
    if isinstance(event, DiePlaced):
        dice = with_item(state.dice, event.die, changed(state.dice[event.die], section=event.section))
        return changed(state, dice=dice, phase="draft" if all(die.section for die in dice) else "place")
    if isinstance(event, FeatureCompleted):
        return _apply_completed(state, event)
    if isinstance(event, DiceRolled):
        return changed(state, phase="place", dice=tuple(Die(value) for value in event.values))
    if isinstance(event, RoundEnded):
        return _apply_round_ended(state, event)
    if isinstance(event, GameStarted):
        return changed(state, phase="roll", leader=event.leader)
    if isinstance(event, GameEnded):
        # The round that just ended stays the last one: no other begins.
        return changed(state, phase="over", round=state.round - 1, result=event)
    raise TypeError(f"{event.type} does not belong to Tag City")


def _apply_action(state: State, event: Action) -> State:
    printed, seat = state.printed, event.player
    board = state.boards[seat]
    gone, last_bubble = state.bubbles_gone, state.last_bubble
    if not isinstance(event, SocialChecked):
        drone, score = board.drone, board.score
        if event.drone is not None:
            drone |= 1 << (event.drone - 1)
            score += printed.drone[event.drone - 1]
        board = changed(board, painted=board.painted | printed.mask(event.cells), drone=drone, score=score)
    if not isinstance(event, ShapePainted) and event.bubble is not None:
        bit = 1 << (event.bubble - 1)
        score = board.score + printed.bubbles[event.bubble - 1]
        board = changed(board, bubbles=board.bubbles | bit, score=score)
        if state.phase == "last":
            last_bubble = event.bubble
        else:
            gone |= bit
    dice, phase, acted = state.dice, state.phase, state.acted | 1 << seat
    if phase == "draft":
        dice = with_item(dice, event.die, changed(dice[event.die], taken_by=seat))
        if acted.bit_count() == len(state.players):
            phase, acted = "last", 0
    return changed(
        state,
        boards=with_item(state.boards, seat, board),
        dice=dice,
        phase=phase,
        acted=acted,
        bubbles_gone=gone,
        last_bubble=last_bubble,
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
    closed = state.closed
    # The draft's last action has already moved the phase on; nobody has acted in the new one yet.
    if state.phase == "draft" or not state.acted:
        closed |= bit
    return changed(state, boards=with_item(state.boards, event.player, board), closed=closed)


def _apply_round_ended(state: State, event: RoundEnded) -> State:
    """Settles what the last die did: its features close and its bubble is gone, for all at once."""
    closed, gone = state.closed, state.bubbles_gone
    for board in state.boards:
        closed |= board.high | board.low
    if state.last_bubble is not None:
        gone |= 1 << (state.last_bubble - 1)
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
    )
