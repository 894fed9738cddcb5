"""What every event changes at a table of Spree!: judges nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from pi_app.engine.events import Event, GameEnded
from pi_app.engine.values import changed, with_item
from pi_app.games.spree.rules.cards import NUMBER, RANK, Cards, heap_of
from pi_app.games.spree.rules.house import POSES, cards_in, cart_of, missing_from
from pi_app.games.spree.rules.judging import cards_of
from pi_app.games.spree.rules.mall import NOWHERE
from pi_app.games.spree.rules.model import (
    Act,
    ActStood,
    ActStopped,
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DeckShuffled,
    DriveRolled,
    Drove,
    EnteredCar,
    Fell,
    GameStarted,
    GoodsTaken,
    GotUp,
    HouseDecided,
    Pending,
    PointsBanked,
    Pushed,
    Robbed,
    RunOver,
    Seat,
    Settled,
    ShotFired,
    ShotRolled,
    State,
    StepCardPlayed,
    StopPlayed,
    TurnBegan,
    TurnEnded,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.rules.shooting import hits


def apply(state: State, event: Event) -> State:
    """The state after an event that was decided before."""
    return _FOLDS[type(event)](state, event)


def _with_seat(state: State, seat: int, **changes: Any) -> State:
    return changed(state, seats=with_item(state.seats, seat, changed(state.seats[seat], **changes)))


def _discarded(state: State, cards: Cards) -> State:
    """Of several at once nobody can tell which lies on top."""
    if not cards:
        return state
    return changed(state, discards=state.discards + heap_of(cards), top=cards[0] if len(cards) == 1 else None)


def _unchanged(state: State, event: Event) -> State:
    return state


# --- luck -------------------------------------------------------------------------------------


def _game_started(state: State, event: GameStarted) -> State:
    return changed(state, phase="deal", first=event.first_to_park)


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    own, pile = state.seats[event.player], state.pile - event.count
    if event.cards is None:
        state = changed(_with_seat(state, event.player, unknown=own.unknown + event.count), pile=pile)
    else:
        cards = [NUMBER[name] for name in event.cards]
        state = _with_seat(state, event.player, hand=tuple(sorted((*own.hand, *cards))))
        state = changed(state, pile=pile, unseen=state.unseen - heap_of(cards))
    if state.phase != "deal":
        return state
    last = event.player == len(state.seats) - 1
    return changed(state, phase="park", turn=state.first) if last else changed(state, turn=event.player + 1)


def _rolled(state: State, event: WalkRolled | DriveRolled) -> State:
    return changed(state, dice=event.values, steps=state.steps + sum(event.values), fresh=False)


def _shot_rolled(state: State, event: ShotRolled) -> State:
    assert state.shot is not None
    if hits(state, state.shot, event.value):
        return changed(state, shot=None, dice=(event.value,), pending=Pending(state.shot, value=event.value))
    return changed(state, shot=None, dice=(event.value,), phase="fill")


def _deck_shuffled(state: State, event: DeckShuffled) -> State:
    return changed(state, unseen=state.unseen + state.discards, pile=state.pile + event.count, discards=0, top=None)


# --- going ------------------------------------------------------------------------------------


def _car_parked(state: State, event: CarParked) -> State:
    square, count = state.printed.mall.number[event.place], len(state.seats)
    setting_up = state.phase == "park"
    state = _with_seat(state, event.player, square=square, car=square)
    if not setting_up:
        return changed(state, phase="fill")
    return changed(state, turn=(event.player - 1) % count) if (event.player - 1) % count != state.first else state


def _gone(state: State, event: Walked | Drove) -> tuple[int, dict[str, Any]]:
    """Where a way leads, and what it changes besides."""
    number, own = state.printed.mall.number, state.seats[event.player]
    before = number[event.path[-2]] if len(event.path) > 1 else own.square
    return number[event.path[-1]], {"steps": state.steps - len(event.path), "before": before, "fresh": False}


def _walked(state: State, event: Walked) -> State:
    square, changes = _gone(state, event)
    own = changed(state.seats[event.player], square=square)
    if state.printed.driving and square == own.car:
        changes["phase"] = "fill"
    return changed(state, seats=with_item(state.seats, event.player, own), **changes)


def _drove(state: State, event: Drove) -> State:
    square, changes = _gone(state, event)
    own = changed(state.seats[event.player], square=square, car=square)
    return changed(state, seats=with_item(state.seats, event.player, own), **changes)


def _entered_car(state: State, event: EnteredCar) -> State:
    return _with_seat(state, event.player, in_car=True)


def _car_left(state: State, event: CarLeft) -> State:
    return changed(_with_seat(state, event.player, in_car=False), phase="fill")


def _run_over(state: State, event: RunOver) -> State:
    state = _discarded(state, state.seats[event.victim].cart)
    return _with_seat(state, event.victim, lying=True, cart=())


# --- acts -------------------------------------------------------------------------------------


def _without(state: State, own: Seat, cards: Cards) -> tuple[Seat, int]:
    """A hand after cards were played: told ones first; and what is unseen then."""
    unknown = missing_from(cards, own.hand)
    left = missing_from(own.hand, cards)
    return changed(own, hand=left, unknown=own.unknown - len(unknown)), state.unseen - heap_of(unknown)


def _act(state: State, event: GoodsTaken | Robbed | StepCardPlayed) -> State:
    own, unseen = _without(state, state.seats[event.player], cards_of(event))
    seats = with_item(state.seats, event.player, own)
    return changed(state, seats=seats, unseen=unseen, pending=Pending(event), fresh=False)


def _shot_fired(state: State, event: ShotFired) -> State:
    return changed(state, shot=event, dice=(), fresh=False)


def _stop_played(state: State, event: StopPlayed) -> State:
    card, pending = NUMBER[event.card], state.pending
    assert pending is not None
    own, unseen = _without(state, state.seats[event.player], (card,))
    seats = with_item(state.seats, event.player, own)
    return changed(state, seats=seats, unseen=unseen, pending=pending._replace(stops=(*pending.stops, card)))


def _settled(state: State, event: Settled) -> State:
    """All that is about cards and steps; who falls where is told by what follows."""
    pending = state.pending
    assert pending is not None
    act, played = pending.act, cards_of(pending.act)
    state = changed(state, pending=None)
    if isinstance(act, ShotFired):
        state = changed(state, phase="fill", extra=pending.stands)
    elif pending.stands:
        state = _stood(state, act)
        played = () if isinstance(act, GoodsTaken) else played
    return _discarded(state, (*played, *pending.stops))


def _stood(state: State, act: Act) -> State:
    if isinstance(act, StepCardPlayed):
        return changed(state, steps=state.steps + act.steps)
    if isinstance(act, GoodsTaken):
        return _with_seat(state, act.player, cart=(*state.seats[act.player].cart, *cards_of(act)))
    assert isinstance(act, Robbed)
    cart = state.seats[act.victim].cart
    loot = tuple(card for card in cart if RANK[card] == act.rank)
    state = _with_seat(state, act.victim, cart=tuple(card for card in cart if RANK[card] != act.rank))
    return _with_seat(state, act.player, cart=(*state.seats[act.player].cart, *loot))


def _fell(state: State, event: Fell) -> State:
    return _with_seat(state, event.player, lying=True)


def _got_up(state: State, event: GotUp) -> State:
    return _with_seat(state, event.player, lying=False)


def _pushed(state: State, event: Pushed) -> State:
    return _with_seat(state, event.player, square=state.printed.mall.number[event.square])


# --- turns ------------------------------------------------------------------------------------


def _turn_ended(state: State, event: TurnEnded) -> State:
    return changed(state, phase="fill")


def _banked(state: State, event: Banked) -> State:
    return changed(_unloaded(state, event.player), phase="fill")


def _unloaded(state: State, player: int) -> State:
    return _with_seat(_discarded(state, state.seats[player].cart), player, cart=())


def _points_banked(state: State, event: PointsBanked) -> State:
    """Who came to the car on foot and got in has not unloaded yet."""
    points = state.seats[event.player].banked + event.points
    return _with_seat(_unloaded(state, event.player), event.player, banked=points)


def _turn_began(state: State, event: TurnBegan) -> State:
    return changed(
        state,
        phase="turn",
        turn=event.player,
        turns=state.turns + 1,
        extra=False,
        origin=state.seats[event.player].square,
        fresh=state.seats[event.player].at_car,
        dice=(),
        steps=0,
        before=NOWHERE,
    )


def _house_decided(state: State, event: HouseDecided) -> State:
    player, mall = event.player, state.printed.mall
    for key, value in event.changes:
        own = state.seats[player]
        if key == "thief":
            state = _with_seat(state, player, square=mall.number[value], in_car=False)
            if player == state.turn:
                state = changed(state, before=NOWHERE, fresh=False)
        elif key == "pose":
            state = _with_seat(state, player, lying=POSES[value])
        elif key == "car":
            square = mall.number[value]
            state = _with_seat(state, player, car=square, **({"square": square} if own.in_car else {}))
            if player == state.turn:
                state = changed(state, fresh=False)
        else:
            state = _with_cart(state, player, cart_of(value) or ())
    return state


def _with_cart(state: State, player: int, cart: Cards) -> State:
    """What leaves it is discarded; what comes is from the discards, or else from the hand."""
    own = state.seats[player]
    new = missing_from(cart, own.cart)
    found = cards_in(state.discards, new)
    state = changed(state, discards=state.discards - heap_of(found), top=None if found else state.top)
    emptied, unseen = _without(state, own, missing_from(new, found))
    seats = with_item(state.seats, player, changed(emptied, cart=cart))
    return _discarded(changed(state, seats=seats, unseen=unseen), missing_from(own.cart, cart))


def _game_ended(state: State, event: GameEnded) -> State:
    return changed(state, phase="over", result=event)


_FOLDS: Mapping[type[Event], Callable[[State, Any], State]] = {
    GameStarted: _game_started,
    CardsDrawn: _cards_drawn,
    CarParked: _car_parked,
    WalkRolled: _rolled,
    Walked: _walked,
    StepCardPlayed: _act,
    GoodsTaken: _act,
    Robbed: _act,
    ShotFired: _shot_fired,
    ShotRolled: _shot_rolled,
    StopPlayed: _stop_played,
    Settled: _settled,
    Banked: _banked,
    TurnEnded: _turn_ended,
    DriveRolled: _rolled,
    Drove: _drove,
    CarLeft: _car_left,
    HouseDecided: _house_decided,
    TurnBegan: _turn_began,
    GotUp: _got_up,
    ActStood: _unchanged,
    ActStopped: _unchanged,
    Fell: _fell,
    Pushed: _pushed,
    PointsBanked: _points_banked,
    RunOver: _run_over,
    EnteredCar: _entered_car,
    DeckShuffled: _deck_shuffled,
    GameEnded: _game_ended,
}
