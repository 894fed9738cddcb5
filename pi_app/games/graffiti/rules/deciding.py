"""What follows from a move in Graffiti. How open questions are read is told in RULINGS.md (G1 to G40)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from pi_app.engine.contract import LUCK, BadData, Outcome, Setup
from pi_app.engine.events import Event, GameEnded
from pi_app.engine.setup import check_options, check_players, complete_options
from pi_app.games.graffiti.edition.check import check_profile
from pi_app.games.graffiti.rules.folding import apply, fold
from pi_app.games.graffiti.rules.judging import due_of_luck, finished, judge, other_sections, seat_to_draw, tag_change
from pi_app.games.graffiti.rules.model import (
    ACTIONS,
    BONUS,
    FINISHED_AT_END,
    LUCK_MOVES,
    MOVES,
    OPEN,
    OPTIONS,
    PLAYERS,
    TILE_POINTS,
    BlockDrawn,
    BlockPlaced,
    BonusUsed,
    GameStarted,
    GraffitiFinished,
    HouseDecided,
    NeutralDrawn,
    NeutralPainted,
    OutOfCans,
    PaintKept,
    PaintReturned,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsShuffled,
    PointsScored,
    RoundEnded,
    Seat,
    State,
    Unseen,
    compile_printed,
)
from pi_app.games.graffiti.rules.paying import NUMBER

SIX_FINISHED: Final = "six_finished"
"""The one reason for the end."""
WITH_LISTS = (*ACTIONS, PaintKept)
SCORING = (PartPainted, BonusUsed, HouseDecided, NeutralPainted, BlockDrawn)
"""Moves from which more may follow than that the game goes on."""


def start(setup: Setup) -> State:
    """The table before the first player is named. Raises BadData with all problems."""
    problems = [problem for problem in check_profile(setup.profile) if not problem.warning]
    problems += check_options(setup.options, OPTIONS) + check_players(setup.players, PLAYERS)
    if problems:
        raise BadData(problems)
    printed = compile_printed(setup.profile, complete_options(setup.options, OPTIONS))
    nothing = (0,) * len(printed.permits)
    return State(
        printed,
        tuple(setup.players),
        seats=tuple(Seat(permits=nothing) for _ in setup.players),
        parts=(OPEN,) * len(printed.parts),
        spaces=((),) * len(printed.spaces),
        occupied=0,
        wells=(),
        slots=(0,) * printed.permit_slots,
        bonus_slots=("",) * len(printed.bonus_spaces),
        unseen=(Unseen((printed.permits,), ((0,),) * len(setup.players)),),
        pile=sum(printed.permits),
        discards=nothing,
        discard_top=0,
        bonus_pool=printed.bonuses,
        reserve=printed.paint,
    )


def first_player(event: Event) -> int | None:
    return event.first if isinstance(event, GameStarted) else None


def is_move(event: Event) -> bool:
    return isinstance(event, MOVES)


def ends_round(event: Event) -> bool:
    return isinstance(event, RoundEnded)


def round_of(state: State) -> int:
    return state.round


def scores(state: State) -> tuple[int, ...]:
    return tuple(seat.score for seat in state.seats)


def outcome(state: State) -> Outcome | None:
    ended = state.result
    return None if ended is None else Outcome(ended.scores, ended.winners, ended.reasons)


def mover(state: State, move: Event) -> int | None:
    """A permit from the pile is told by whoever took it."""
    if isinstance(move, PermitDrawn):
        return move.player
    if isinstance(move, LUCK_MOVES):
        return LUCK
    return None if isinstance(move, HouseDecided) else getattr(move, "player", None)


def hand(state: State) -> int | None:
    """Whose hands turn over what luck brings."""
    if not state.started:
        return None
    return state.turn if state.phase == "permits" else state.first


def unseen_luck(state: State) -> Event | None:
    """A permit from the pile is seen by its taker alone."""
    seat = seat_to_draw(state)
    return PermitDrawn(seat, None) if seat is not None and due_of_luck(state) is PermitDrawn else None


def by_button(state: State) -> Event | None:
    return Passed(state.turn) if state.phase == "play" else None


# --- deciding ---------------------------------------------------------------------------------


def decide(state: State, move: Event) -> tuple[Event, ...]:
    """The move and what follows from it. Raises IllegalMove."""
    judge(state, move)
    events = [_in_order(move)]
    after = fold(state, events[0], first=True)
    if isinstance(move, SCORING):
        for event in _scored(state, after, move):
            events.append(event)
            after = fold(after, event)
    while (following := _next(after)) is not None:
        events.append(following)
        after = fold(after, following)
        if isinstance(following, RoundEnded) and following.finished >= FINISHED_AT_END:
            return (*events, *_final_scoring(after))
    return tuple(events)


def _in_order(move: Event) -> Event:
    """Lists in the order in which we tell them, however they came."""
    if not isinstance(move, WITH_LISTS):
        return move
    ordered: dict[str, Any] = {}
    for field, key in (("bonuses", BONUS), ("paints", NUMBER), ("kinds", NUMBER)):
        told = getattr(move, field, None)
        if told is not None and len(told) > 1:
            inside = tuple(sorted(told, key=key.__getitem__))
            if inside != told:
                ordered[field] = inside
    if not ordered:
        return move
    told_move: Any = move
    in_order: Event = replace(told_move, **ordered)
    return in_order


def _scored(state: State, after: State, move: Event) -> Iterator[Event]:
    """Points, graffiti that are finished now, and where the block pawn stands now."""
    yield from _points(state, move)
    if state.parts is not after.parts:
        yield from _graffiti_finished(state, after)
    if isinstance(move, BlockDrawn) and move.face != state.pawn:
        yield BlockPlaced(move.face)


def _points(state: State, move: Event) -> Iterator[Event]:
    printed = state.printed
    if isinstance(move, PartPainted):
        yield PointsScored(move.player, printed.parts[printed.part_number[move.part]].points, "part")
    elif isinstance(move, BonusUsed) and move.bonus == "points":
        yield PointsScored(move.player, TILE_POINTS, "bonus")
    elif isinstance(move, HouseDecided):
        for change in move.changes:
            found = tag_change(state, change)
            if found is not None and found[1] >= 0 and state.parts[found[0]] == OPEN:
                yield PointsScored(found[1], printed.parts[found[0]].points, "part")


def _graffiti_finished(before: State, after: State) -> Iterator[Event]:
    for graffito in before.printed.graffiti:
        if OPEN in graffito.tags(before.parts) and OPEN not in graffito.tags(after.parts):
            yield GraffitiFinished(graffito.letter)


def _next(state: State) -> Event | None:
    """What follows by itself from how the table is now."""
    if state.phase == "play":
        return OutOfCans(state.turn) if not state.seats[state.turn].cans else None
    if state.phase == "block" and not other_sections(state):
        return BlockPlaced(state.pawn)
    if state.phase == "keep":
        rest = ~(state.told | state.choosing)
        return next((PaintReturned(seat) for seat in range(len(state.seats)) if rest >> seat & 1), None)
    if state.phase == "round_end":
        return RoundEnded(state.round, state.first, finished(state))
    return _shuffle(state)


def _shuffle(state: State) -> Event | None:
    """The discards become the pile when luck needs a permit and there is no pile."""
    if state.pile or due_of_luck(state) not in (PermitDrawn, PermitRevealed, BlockDrawn, NeutralDrawn):
        return None
    return PermitsShuffled(sum(state.discards)) if any(state.discards) else None


def _final_scoring(state: State) -> list[Event]:
    events: list[Event] = []
    for seat, own in enumerate(state.seats):
        points = (sum(own.bonuses) + own.permit_count + own.paint_count) // 2
        if points:
            events.append(PointsScored(seat, points, "tiles"))
    done = [g for g in state.printed.graffiti if OPEN not in g.tags(state.parts)]
    for seat in range(len(state.seats)):
        points = sum(len(g.parts) * g.tags(state.parts).count(seat) for g in done)
        if points:
            events.append(PointsScored(seat, points, "tags"))
    for event in events:
        state = apply(state, event)
    rank = [(own.score, state.parts.count(seat)) for seat, own in enumerate(state.seats)]
    winners = tuple(seat for seat, key in enumerate(rank) if key == max(rank))
    return [*events, GameEnded((SIX_FINISHED,), scores(state), winners)]
