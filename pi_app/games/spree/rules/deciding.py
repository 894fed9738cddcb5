"""What follows from a move in Spree!. How open questions are read is told in RULINGS.md (S1 to S51)."""

from collections.abc import Iterator
from typing import Final

from pi_app.engine.contract import LUCK, BadData, Outcome, Setup
from pi_app.engine.events import Event, GameEnded
from pi_app.engine.setup import check_options, check_players, complete_options
from pi_app.games.spree.edition.check import check_profile
from pi_app.games.spree.rules.cards import names_of, size
from pi_app.games.spree.rules.folding import apply
from pi_app.games.spree.rules.judging import draw_due, judge, short_of_cards
from pi_app.games.spree.rules.mall import NOWHERE
from pi_app.games.spree.rules.model import (
    LUCK_MOVES,
    MOVES,
    OPTIONS,
    PLAYERS,
    ActStood,
    ActStopped,
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DeckShuffled,
    Drove,
    EnteredCar,
    Fell,
    GameStarted,
    GotUp,
    HouseDecided,
    PointsBanked,
    Pushed,
    RunOver,
    Seat,
    Settled,
    ShotFired,
    ShotRolled,
    State,
    TurnBegan,
    TurnEnded,
    Walked,
    compile_printed,
)
from pi_app.games.spree.rules.shooting import hits, pushed_to

TARGET: Final = "target"
"""The one reason for the end."""
FOLLOWED = (CardsDrawn, CarParked, Walked, ShotRolled, Settled, Banked, TurnEnded, Drove, CarLeft)
"""Moves from which something may follow."""


def start(setup: Setup) -> State:
    """The table before anybody has parked. Raises BadData with all problems."""
    problems = [problem for problem in check_profile(setup.profile) if not problem.warning]
    problems += check_options(setup.options, OPTIONS) + check_players(setup.players, PLAYERS)
    if problems:
        raise BadData(problems)
    printed = compile_printed(setup.profile, complete_options(setup.options, OPTIONS), len(setup.players))
    seats = tuple(Seat() for _ in setup.players)
    return State(printed, tuple(setup.players), seats, unseen=printed.deck, pile=size(printed.deck))


def opening(first: int) -> Event:
    return GameStarted(first)


def first_player(event: Event) -> int | None:
    return event.first_to_park if isinstance(event, GameStarted) else None


def is_move(event: Event) -> bool:
    return isinstance(event, MOVES)


def ends_round(event: Event) -> bool:
    """A round is one turn: they do not come evenly."""
    return isinstance(event, TurnBegan)


def round_of(state: State) -> int:
    return max(1, state.turns)


def scores(state: State) -> tuple[int, ...]:
    return tuple([seat.banked for seat in state.seats])


def outcome(state: State) -> Outcome | None:
    ended = state.result
    return None if ended is None else Outcome(ended.scores, ended.winners, ended.reasons)


def mover(state: State, move: Event) -> int | None:
    """Cards are told by whoever drew them; what is pending is settled by who goes on."""
    if isinstance(move, LUCK_MOVES) and not isinstance(move, CardsDrawn):
        return LUCK
    if isinstance(move, Settled):
        return state.turn
    return None if isinstance(move, HouseDecided) else getattr(move, "player", None)


def hand(state: State) -> int | None:
    """Whose hands roll and draw."""
    if state.phase == "start":
        return None
    due = draw_due(state)
    return state.turn if due is None else due[0]


def unseen_luck(state: State) -> Event | None:
    """Cards are drawn unseen by all others."""
    due = draw_due(state)
    return None if due is None else CardsDrawn(*due, None)


def by_button(state: State) -> Event | None:
    """Going on, and ending a turn, need nothing on the table."""
    if state.phase != "turn" or state.shot is not None:
        return None
    return TurnEnded(state.turn) if state.pending is None else Settled()


def lights(state: State) -> dict[str, str]:
    """The turn is a seat's also while dice decide."""
    ended = state.result
    winners = () if ended is None else ended.winners
    acting = {state.turn} if state.phase in ("park", "turn") else set()
    zones = {
        f"seat.{seat}": "winner" if seat in winners else "turn" if seat in acting else "calm"
        for seat in range(len(state.seats))
    }
    return {**zones, "status": "play" if ended is None else "over"}


# --- deciding ---------------------------------------------------------------------------------


def decide(state: State, move: Event) -> tuple[Event, ...]:
    """The move and what follows from it. Raises IllegalMove."""
    judge(state, move)
    if not isinstance(move, FOLLOWED):
        return (move,)
    events: list[Event] = [move]
    after = apply(state, move)
    for event in _consequences(state, move):
        events.append(event)
        after = apply(after, event)
        if isinstance(event, PointsBanked) and after.seats[event.player].banked >= after.printed.target:
            return (*events, GameEnded((TARGET,), scores(after), (event.player,)))
    while (following := _next(after)) is not None:
        events.append(following)
        after = apply(after, following)
    return tuple(events)


def _consequences(state: State, move: Event) -> Iterator[Event]:
    """What a move brings about, but for the end of a turn."""
    match move:
        case Settled():
            yield from _settled(state)
        case ShotRolled() if state.shot is not None and not hits(state, state.shot, move.value):
            yield Fell(state.shot.player)
        case Walked() if state.printed.driving and move.path[-1] == _car(state, move.player):
            yield from _at_the_car(state, move.player)
        case Banked():
            yield from _at_the_car(state, move.player)
        case Drove():
            yield from _run_over(state, move)


def _car(state: State, player: int) -> str:
    return state.printed.mall.names[state.seats[player].car]


def _settled(state: State) -> Iterator[Event]:
    pending = state.pending
    assert pending is not None
    act = pending.act
    yield ActStood(act.type) if pending.stands else ActStopped(act.type)
    if isinstance(act, ShotFired) and pending.stands:
        yield Fell(act.victim)
        square = pushed_to(state, act, pending.value)
        if square != state.seats[act.victim].square:
            yield Pushed(act.victim, state.printed.mall.names[square])
    elif isinstance(act, ShotFired):
        yield Fell(act.player)


def _at_the_car(state: State, player: int) -> Iterator[Event]:
    cart = state.seats[player].cart
    if state.printed.driving:
        yield EnteredCar(player)
    if cart:
        yield PointsBanked(player, sum(state.printed.points[card] for card in cart))


def _run_over(state: State, move: Drove) -> Iterator[Event]:
    """Everybody on foot on every square entered; a cart is spilt once."""
    carts = [names_of(seat.cart) for seat in state.seats]
    for name in move.path:
        for victim, seat in enumerate(state.seats):
            if victim != move.player and not seat.in_car and state.printed.mall.names[seat.square] == name:
                yield RunOver(move.player, victim, carts[victim])
                carts[victim] = ()


def _next(state: State) -> Event | None:
    """What follows by itself when a turn is over, or when the last car is parked."""
    if state.phase == "fill":
        if short_of_cards(state) and state.discards:
            return DeckShuffled(size(state.discards))
        return None if draw_due(state) else TurnBegan(state.next, state.extra)
    if state.phase == "park" and all(seat.car != NOWHERE for seat in state.seats):
        return TurnBegan(state.turn, False)
    if state.phase == "turn" and state.seats[state.turn].lying:
        return GotUp(state.turn)
    return None
