"""Who may do what in Spree!. How open questions are read is told in RULINGS.md (S1 to S51)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pi_app.engine.contract import LUCK, IllegalMove, ToAct
from pi_app.engine.events import Event
from pi_app.games.spree.rules.cards import JOKER, NUMBER, OF_RANK, RANK, STEPS, STOPS, Cards, copies, heap_of
from pi_app.games.spree.rules.house import can_stand
from pi_app.games.spree.rules.mall import FOUNTAIN, NOWHERE, PARKING, SHOP
from pi_app.games.spree.rules.model import (
    FACES,
    HAND,
    LUCK_MOVES,
    MOVES,
    Banked,
    CardsDrawn,
    CarLeft,
    CarParked,
    DriveRolled,
    Drove,
    GameStarted,
    GoodsTaken,
    HouseDecided,
    Robbed,
    Seat,
    Settled,
    ShotFired,
    ShotRolled,
    State,
    StepCardPlayed,
    StopPlayed,
    TurnEnded,
    Walked,
    WalkRolled,
)
from pi_app.games.spree.rules.shooting import aim_at

MOST_AT_ONCE = 2
"""Cards that are laid down together at a shop."""

NOBODY = ToAct(())
LUCK_ALONE = ToAct((LUCK,))


# --- who is to act ----------------------------------------------------------------------------


def to_act(state: State) -> ToAct:
    """Before the dice are rolled the game waits for them; who has the turn may do something else first or instead.

    What is pending waits for who has the turn to go on; whoever can may stop it until then.
    """
    if state.phase == "turn":
        if state.shot is not None:
            return LUCK_ALONE
        if state.pending is not None:
            return ToAct((state.turn,), stoppers(state))
        if state.dice or state.seats[state.turn].lying:
            return ToAct((state.turn,))
        return ToAct((LUCK,), (state.turn,))
    if state.phase == "park":
        return ToAct((state.turn,))
    return NOBODY if state.phase == "over" else LUCK_ALONE


def stoppers(state: State) -> tuple[int, ...]:
    """The seats that may stop what is pending, but for who has the turn; from the left of that seat."""
    count = len(state.seats)
    others = [(state.turn + n) % count for n in range(1, count)]
    return tuple([seat for seat in others if can_stop(state, seat)])


def can_stop(state: State, seat: int) -> bool:
    own = state.seats[seat]
    if own.lying or own.square == own.car or (seat == state.turn and not (state.pending and state.pending.stops)):
        return False
    return any(may_hold(state, own, card) for card in STOPS)


def may_hold(state: State, own: Seat, card: int, count: int = 1) -> bool:
    """Whether a hand may have so many of a card, by all that was told."""
    more = count - own.hand.count(card)
    return more <= 0 or (more <= own.unknown and more <= copies(state.unseen, card))


def draw_due(state: State) -> tuple[int, int] | None:
    """Who draws next, and how many cards."""
    if state.phase == "deal":
        return state.turn, HAND
    if state.phase == "fill" and state.pile:
        for seat in (state.turn, state.next):
            if state.seats[seat].cards < HAND:
                return seat, min(HAND - state.seats[seat].cards, state.pile)
    return None


def short_of_cards(state: State) -> bool:
    """A hand has to be filled and the pile is empty."""
    return not state.pile and any(state.seats[seat].cards < HAND for seat in (state.turn, state.next))


# --- judging ----------------------------------------------------------------------------------


def judge(state: State, move: Event) -> None:
    """Raises IllegalMove."""
    if not isinstance(move, MOVES):
        raise IllegalMove("not_a_move", event=move.type)
    if state.phase == "over":
        raise IllegalMove("game_over")
    if isinstance(move, LUCK_MOVES):
        _LUCK[type(move)](state, move)
        return
    if state.phase == "start":
        raise IllegalMove("start_first")
    player = state.turn if isinstance(move, Settled) else getattr(move, "player", NOWHERE)
    if player not in range(len(state.seats)):
        raise IllegalMove("unknown_player", player=player)
    if state.phase in ("deal", "fill"):
        raise IllegalMove("luck_first")
    if isinstance(move, StopPlayed):
        _stop(state, move)
        return
    if state.shot is not None:
        raise IllegalMove("luck_first")
    if isinstance(move, Settled):
        if state.pending is None:
            raise IllegalMove("nothing_pending")
        return
    if state.pending is not None:
        raise IllegalMove("act_pending", player=player, turn=state.turn)
    if isinstance(move, HouseDecided):
        if state.phase != "turn" or not can_stand(state, move):
            raise IllegalMove("house_impossible", player=player)
        return
    if player != state.turn:
        raise IllegalMove("not_your_turn", player=player, turn=state.turn)
    if state.phase == "park" and not isinstance(move, CarParked):
        raise IllegalMove("park_first", player=player)
    if state.seats[player].lying and not isinstance(move, TurnEnded):
        raise IllegalMove("lying", player=player)
    _SEAT[type(move)](state, move, state.seats[player])


def _square(state: State, name: str, player: int) -> int:
    square = state.printed.mall.number.get(name, NOWHERE)
    if square == NOWHERE:
        raise IllegalMove("unknown_square", player=player, square=name)
    return square


def _victim(state: State, player: int, victim: int) -> Seat:
    if victim not in range(len(state.seats)) or victim == player:
        raise IllegalMove("unknown_player", player=victim)
    return state.seats[victim]


# --- luck -------------------------------------------------------------------------------------


def _game_started(state: State, move: GameStarted) -> None:
    if state.phase != "start":
        raise IllegalMove("already_started")
    if move.first_to_park not in range(len(state.seats)):
        raise IllegalMove("unknown_player", player=move.first_to_park)


def _cards_drawn(state: State, move: CardsDrawn) -> None:
    due = draw_due(state)
    if due is None or due[0] != move.player:
        raise IllegalMove("not_due")
    if move.count != due[1] or len(move.cards or (0,) * move.count) != move.count:
        raise IllegalMove("draw_count", player=move.player, count=move.count, expected=due[1])
    for name in move.cards or ():
        _known_card(name, move.player)
    heap = heap_of(NUMBER[name] for name in move.cards or ())
    for name in move.cards or ():
        if copies(heap, NUMBER[name]) > copies(state.unseen, NUMBER[name]):
            raise IllegalMove("third_copy", player=move.player, card=name, packs=_all_of(state, NUMBER[name]))


def _walk_rolled(state: State, move: WalkRolled) -> None:
    _roll(state, move.values, 2)
    if state.seats[state.turn].in_car:
        raise IllegalMove("in_car", player=state.turn)


def _drive_rolled(state: State, move: DriveRolled) -> None:
    if not state.printed.driving:
        raise IllegalMove("no_driving")
    _roll(state, move.values, state.printed.driving_dice)
    if not state.seats[state.turn].in_car:
        raise IllegalMove("not_in_car", player=state.turn)


def _roll(state: State, values: Sequence[int], dice: int) -> None:
    if state.phase != "turn" or state.shot is not None or state.seats[state.turn].lying:
        raise IllegalMove("not_due")
    if state.pending is not None:
        raise IllegalMove("act_pending", player=state.turn, turn=state.turn)
    if state.dice:
        raise IllegalMove("already_rolled", player=state.turn)
    _dice(values, dice)


def _shot_rolled(state: State, move: ShotRolled) -> None:
    if state.shot is None:
        raise IllegalMove("not_due")
    _dice((move.value,), 1)


def _dice(values: Sequence[int], count: int) -> None:
    if len(values) != count or not all(value in FACES for value in values):
        raise IllegalMove("bad_dice", values=list(values), count=count)


_LUCK: Mapping[type[Event], Callable[[State, Any], None]] = {
    GameStarted: _game_started,
    CardsDrawn: _cards_drawn,
    WalkRolled: _walk_rolled,
    DriveRolled: _drive_rolled,
    ShotRolled: _shot_rolled,
}


# --- cards ------------------------------------------------------------------------------------


def _known_card(name: str, player: int) -> int:
    if name not in NUMBER:
        raise IllegalMove("unknown_card", player=player, card=name)
    return NUMBER[name]


def _all_of(state: State, card: int) -> int:
    """How many there are of a card in the game."""
    return state.printed.jokers if card == JOKER else state.printed.packs


def _play_cards(state: State, player: int, cards: Cards, name: str) -> None:
    """Whether these equal cards can come from that hand now."""
    own = state.seats[player]
    if own.lying:
        raise IllegalMove("lying", player=player)
    if own.at_car:
        raise IllegalMove("at_car_no_cards", player=player)
    if own.cards < len(cards):
        raise IllegalMove("hand_empty", player=player, count=own.cards)
    if not may_hold(state, own, cards[0], len(cards)):
        if _open_copies(state, cards[0]) + len(cards) > _all_of(state, cards[0]):
            raise IllegalMove("third_copy", player=player, card=name, packs=_all_of(state, cards[0]))
        raise IllegalMove("card_not_held", player=player, card=name)


def _open_copies(state: State, card: int) -> int:
    """How many of a card lie openly: in carts, in the discards and on the till."""
    return copies(state.discards + till(state), card) + sum(seat.cart.count(card) for seat in state.seats)


def till(state: State) -> int:
    """The cards of what is pending, as a heap."""
    if state.pending is None:
        return 0
    return heap_of(state.pending.stops) + heap_of(cards_of(state.pending.act))


def cards_of(act: Event) -> Cards:
    """What was laid on the till for an act."""
    if isinstance(act, GoodsTaken):
        return tuple(NUMBER[name] for name in act.cards)
    return (NUMBER[act.card],) if isinstance(act, Robbed | StepCardPlayed) else ()


def _stop(state: State, move: StopPlayed) -> None:
    card = _known_card(move.card, move.player)
    if state.shot is not None:
        raise IllegalMove("cannot_be_stopped", player=move.player)
    if state.pending is None:
        raise IllegalMove("nothing_to_stop", player=move.player)
    if card not in STOPS:
        raise IllegalMove("not_a_stop", player=move.player, card=move.card)
    if move.player == state.turn and not state.pending.stops:
        raise IllegalMove("own_act", player=move.player)
    _play_cards(state, move.player, (card,), move.card)


def _step_card(state: State, move: StepCardPlayed, own: Seat) -> None:
    card = _known_card(move.card, move.player)
    if card not in STEPS:
        raise IllegalMove("not_a_step_card", player=move.player, card=move.card)
    if move.steps not in STEPS[card]:
        raise IllegalMove("wrong_steps", player=move.player, card=move.card, steps=move.steps)
    _play_cards(state, move.player, (card,), move.card)


def _goods(state: State, move: GoodsTaken, own: Seat) -> None:
    mall, player = state.printed.mall, move.player
    square = _square(state, move.square, player)
    if not 1 <= len(move.cards) <= MOST_AT_ONCE:
        raise IllegalMove("too_many_cards", player=player, count=len(move.cards), most=MOST_AT_ONCE)
    cards = tuple(_known_card(name, player) for name in move.cards)
    if square != own.square or mall.kinds[square] != SHOP:
        raise IllegalMove("not_at_shop", player=player, square=move.square, at=mall.names[own.square])
    if JOKER in cards:
        raise IllegalMove("joker_not_for_shops", player=player)
    if len(set(cards)) > 1:
        raise IllegalMove("not_identical", player=player, cards=list(move.cards))
    if cards[0] != mall.goods[square]:
        raise IllegalMove("wrong_card", player=player, card=move.cards[0], square=move.square)
    _play_cards(state, player, cards, move.cards[0])


def _robbed(state: State, move: Robbed, own: Seat) -> None:
    player, victim, card = move.player, _victim(state, move.player, move.victim), _known_card(move.card, move.player)
    if victim.square != own.square:
        raise IllegalMove("nobody_here", player=player, victim=move.victim)
    if move.rank not in OF_RANK or (card != JOKER and RANK[card] != move.rank):
        raise IllegalMove("wrong_rank", player=player, card=move.card, rank=move.rank)
    if not any(RANK[there] == move.rank for there in victim.cart):
        raise IllegalMove("rank_not_in_cart", player=player, victim=move.victim, rank=move.rank)
    _play_cards(state, player, (card,), move.card)


# --- going ------------------------------------------------------------------------------------


def _walked(state: State, move: Walked, own: Seat) -> None:
    if own.in_car:
        raise IllegalMove("in_car", player=move.player)
    if not state.dice and not state.steps:
        raise IllegalMove("not_rolled", player=move.player)
    _follow(state, move, own)


def _drove(state: State, move: Drove, own: Seat) -> None:
    if not state.printed.driving:
        raise IllegalMove("no_driving")
    if not own.in_car:
        raise IllegalMove("not_in_car", player=move.player)
    if not state.dice:
        raise IllegalMove("not_rolled", player=move.player)
    end = _follow(state, move, own)
    for seat, other in enumerate(state.seats):
        if seat != move.player and other.car == end:
            raise IllegalMove("car_in_the_way", player=move.player, square=move.path[-1], owner=seat)


def _follow(state: State, move: Walked | Drove, own: Seat) -> int:
    """Where a way leads, square by square."""
    if not move.path:
        raise IllegalMove("no_path", player=move.player)
    path = [_square(state, name, move.player) for name in move.path]
    mall, at, before = state.printed.mall, own.square, state.before
    barred = (FOUNTAIN, SHOP) if own.in_car else (FOUNTAIN,)
    rule = "car_cannot_go" if own.in_car else "fountain"
    for square in path:
        facts = {"player": move.player, "square": mall.names[square], "at": mall.names[at]}
        if not mall.beside(at, square):
            raise IllegalMove("not_adjacent", **facts)
        if mall.kinds[square] in barred:
            raise IllegalMove(rule, **facts)
        if square not in mall.neighbours[at]:
            raise IllegalMove("wall", **facts)
        if square == before:
            raise IllegalMove("straight_back", **facts)
        at, before = square, at
    if len(path) > state.steps:
        facts = {"player": move.player, "square": mall.names[at], "at": mall.names[own.square]}
        raise IllegalMove("too_far", needed=len(path), steps=state.steps, **facts)
    return at


def _car_parked(state: State, move: CarParked, own: Seat) -> None:
    mall = state.printed.mall
    square = _square(state, move.place, move.player)
    if state.phase == "turn":
        if state.printed.driving:
            raise IllegalMove("car_is_driven", player=move.player)
        if not own.at_car:
            raise IllegalMove("not_at_car", player=move.player)
        if not state.fresh:
            raise IllegalMove("whole_turn", player=move.player)
    if mall.kinds[square] != PARKING:
        raise IllegalMove("not_a_place", player=move.player, square=move.place)
    for seat, other in enumerate(state.seats):
        if other.car == square:
            raise IllegalMove("place_taken", player=move.player, square=move.place, owner=seat)


def _car_left(state: State, move: CarLeft, own: Seat) -> None:
    if not state.printed.driving:
        raise IllegalMove("no_driving")
    if not own.in_car:
        raise IllegalMove("not_in_car", player=move.player)
    if state.printed.mall.kinds[own.square] != PARKING:
        raise IllegalMove("not_parked", player=move.player, square=state.printed.mall.names[own.square])


# --- the rest of a turn -----------------------------------------------------------------------


def _shot_fired(state: State, move: ShotFired, own: Seat) -> None:
    victim = _victim(state, move.player, move.victim)
    facts = {"player": move.player, "victim": move.victim}
    if not state.printed.driving and own.at_car:
        raise IllegalMove("shooter_at_car", player=move.player)
    if own.square == victim.square:
        raise IllegalMove("same_square", **facts)
    if victim.lying:
        raise IllegalMove("target_lying", **facts)
    if not state.printed.driving and victim.at_car:
        raise IllegalMove("target_at_car", **facts)
    if aim_at(state, move.player, move.victim) is None:
        raise IllegalMove("no_line", **facts)


def _banked(state: State, move: Banked, own: Seat) -> None:
    if own.in_car:
        raise IllegalMove("in_car", player=move.player)
    if not own.at_car:
        raise IllegalMove("not_at_car", player=move.player)
    if not own.cart and not state.printed.driving:
        raise IllegalMove("cart_empty", player=move.player)


def _turn_ended(state: State, move: TurnEnded, own: Seat) -> None:
    """At any time."""


_SEAT: Mapping[type[Event], Callable[[State, Any, Seat], None]] = {
    CarParked: _car_parked,
    Walked: _walked,
    StepCardPlayed: _step_card,
    GoodsTaken: _goods,
    Robbed: _robbed,
    ShotFired: _shot_fired,
    Banked: _banked,
    TurnEnded: _turn_ended,
    Drove: _drove,
    CarLeft: _car_left,
}
