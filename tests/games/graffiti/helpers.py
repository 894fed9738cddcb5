"""A table of Graffiti brought to where a test begins, and short words for telling what happens there."""

import copy
import random
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

import pytest

from pi_app.engine.contract import LUCK, IllegalMove, Setup
from pi_app.engine.events import Event
from pi_app.engine.log import Play
from pi_app.engine.values import changed, with_item
from pi_app.games.graffiti import Graffiti
from pi_app.games.graffiti.edition.profile import HOUSE
from pi_app.games.graffiti.rules.model import (
    BONUSES,
    NEUTRAL,
    OPEN,
    BlockDrawn,
    BonusRevealed,
    BonusTaken,
    BonusUsed,
    GameStarted,
    PaintKept,
    PaintTaken,
    PartPainted,
    Passed,
    PermitDrawn,
    PermitRevealed,
    PermitsTaken,
    PoliceTaken,
    State,
    Unseen,
)
from pi_app.games.graffiti.rules.paying import Hand, hand_of, kinds_of, minus
from pi_app.games.profile_files import load_profile
from tests.playing import ticking

GAME = Graffiti()
Some = TypeVar("Some", bound=Event)
NAMES = ("Ada", "Bob", "Cleo", "Dan")
EDITION = load_profile(GAME.edition, HOUSE)
OPEN_PERMITS = (1, 2, 3, 4, 5, 1)
"""What lies open when a test begins; seat n holds one permit of face n + 1."""
OPEN_BONUSES = ("points", "paint", "permit", "extra")


def house(**changes: Mapping[str, Any]) -> dict[str, Any]:
    """The house edition with changes to its parts: house(bonus={"slots": 3})."""
    profile = copy.deepcopy(EDITION)
    for part, told in changes.items():
        profile[part].update(told)
    return profile


# --- getting a state to where a test begins ---------------------------------------------------


def a_setup(players: int = 4, profile: Mapping[str, Any] | None = None, **options: Any) -> Setup:
    return Setup(EDITION if profile is None else profile, options, NAMES[:players])


def table(players: int = 4, profile: Mapping[str, Any] | None = None, **options: Any) -> State:
    """Before a first player is named."""
    return GAME.start(a_setup(players, profile, **options))


def opening(state: State, first: int = 0) -> list[Event]:
    """The set-up as luck brings it in these tests."""
    permits, bonuses = cycle(OPEN_PERMITS), cycle(OPEN_BONUSES)
    return [
        GameStarted(first),
        *(BonusRevealed(slot + 1, next(bonuses)) for slot in range(len(state.bonus_slots))),
        *(PermitRevealed(slot + 1, next(permits)) for slot in range(len(state.slots))),
        *(PermitDrawn(seat, seat + 1) for seat in range(len(state.seats))),
    ]


def begun(players: int = 4, first: int = 0, profile: Mapping[str, Any] | None = None, **options: Any) -> State:
    """The first turn of the first player."""
    state = table(players, profile, **options)
    state = played(state, *opening(state, first))
    return played(state, BlockDrawn(5)) if state.phase == "block" else state


def played(state: State, *moves: Event) -> State:
    """The state after these moves and all that follows from them."""
    for move in moves:
        for event in GAME.decide(state, move):
            state = GAME.apply(state, event)
    return state


def follows(state: State, move: Event) -> list[Event]:
    """The consequences of a move."""
    return list(GAME.decide(state, move)[1:])


def refused(state: State, move: Event) -> str:
    """The rule that refuses a move."""
    with pytest.raises(IllegalMove) as error:
        GAME.decide(state, move)
    return error.value.rule


def legal(state: State, seat: int, kind: type[Some]) -> list[Some]:
    """A seat's moves of one type."""
    return [move for move in GAME.legal_moves(state, seat) if isinstance(move, kind)]


# --- the table edited, for what would take long to play ---------------------------------------


def holding(
    state: State,
    seat: int,
    *,
    paint: str | None = None,
    permits: Sequence[int] | None = None,
    bonuses: str | None = None,
    **changes: Any,
) -> State:
    """What a seat holds is just this: paint "R RY", permits (1, 1), bonus tiles "add reduce"; other things by name."""
    if paint is not None:
        changes["hands"] = (hand(paint),)
        more = minus(hand(paint), state.seats[seat].hands[0])
        state = changed(state, reserve=minus(state.reserve, more))
    if permits is not None:
        changes["permits"] = tuple(list(permits).count(face) for face in range(1, len(state.discards) + 1))
    if bonuses is not None:
        changes["bonuses"] = tuple(bonuses.split().count(bonus) for bonus in BONUSES)
    return changed(state, seats=with_item(state.seats, seat, changed(state.seats[seat], **changes)))


def painted(state: State, **tags: str) -> State:
    """Parts with tags on them: painted(state, seat_0="A1 A2", neutral="B1"). Nothing is scored for it."""
    parts = list(state.parts)
    for who, names in tags.items():
        tag = NEUTRAL if who == "neutral" else OPEN if who == "open" else int(who.removeprefix("seat_"))
        for name in names.split():
            parts[state.printed.part_number[name]] = tag
    return changed(state, parts=tuple(parts))


def finished(state: State, letters: str, who: str = "neutral") -> State:
    """All parts of these graffiti are painted."""
    names = [part.id for part in state.printed.parts if part.id[0] in letters]
    return painted(state, **{who: " ".join(names)})


def without_pile(state: State, discards: Sequence[int] = ()) -> State:
    """The permit pile is empty; just these lie on the discards. The rest is out of the game, for simplicity."""
    counts = tuple(list(discards).count(face) for face in range(1, len(state.discards) + 1))
    top = discards[-1] if discards else 0
    unseen = (Unseen(((0,) * len(counts),), ((0,),) * len(state.seats)),)
    return changed(state, pile=0, unseen=unseen, discards=counts, discard_top=top)


def at_keep(state: State) -> State:
    """Everybody says that they pass."""
    while state.phase == "play":
        state = played(state, Passed(state.turn))
    return state


# --- what is where ----------------------------------------------------------------------------


def hand(kinds: str) -> Hand:
    return hand_of(kinds.split())


def paint_of(state: State, seat: int) -> str:
    """What lies behind a screen, where it is known."""
    (known,) = state.seats[seat].hands
    return " ".join(kinds_of(known))


def permits_of(state: State, seat: int) -> list[int]:
    return [face for face, count in enumerate(state.seats[seat].permits, 1) for _ in range(count)]


def bonuses_of(state: State, seat: int) -> list[str]:
    return [bonus for bonus in BONUSES for _ in range(state.seats[seat].has(bonus))]


def left(state: State, kind: str) -> int:
    """Tiles of a kind on the paint board."""
    return state.reserve[hand_of([kind]).index(1)]


def cans(state: State) -> list[int]:
    return [seat.cans for seat in state.seats]


def tag(state: State, part: str) -> int:
    return state.parts[state.printed.part_number[part]]


# --- moves in short words ---------------------------------------------------------------------


def words(told: str) -> tuple[str, ...]:
    return tuple(told.split())


def paint(seat: int, space: str = "primary", kind: str = "R", cans: int = 1, bonuses: str = "") -> PaintTaken:
    return PaintTaken(seat, space, kind, cans, words(bonuses))


def permits(seat: int, space: str = "left", cans: int = 1, bonuses: str = "") -> PermitsTaken:
    return PermitsTaken(seat, space, cans, words(bonuses))


def part(
    seat: int,
    name: str,
    paints: str,
    discarded: Sequence[int] = (),
    *,
    space: str = "",
    cans: int = 1,
    bonuses: str = "",
    police: str = "",
) -> PartPainted:
    """Without a space it is the first of the part's section."""
    section = "ABCDEFGHIJ".index(name[0]) // 2 + 1
    return PartPainted(
        seat, space or f"{section}.1", cans, name, tuple(discarded), words(paints), words(bonuses), police
    )


def bonus(seat: int, slot: int = 1, cans: int = 1, bonuses: str = "") -> BonusTaken:
    return BonusTaken(seat, slot, cans, words(bonuses))


def police(seat: int, cans: int = 1, bonuses: str = "", slot: int | None = None) -> PoliceTaken:
    return PoliceTaken(seat, slot, cans, words(bonuses))


def use(seat: int, tile: str, name: str | None = None) -> BonusUsed:
    return BonusUsed(seat, tile, name)


def keep(seat: int, kinds: str | None, bonuses: str = "") -> PaintKept:
    return PaintKept(seat, None if kinds is None else words(kinds), words(bonuses))


# --- whole games ------------------------------------------------------------------------------


def any_move(state: State, rng: random.Random) -> Event:
    """All that anybody may do, paintings above all: moves by lot alone would hardly ever paint."""
    turn = GAME.to_act(state)
    seat = rng.choice(turn.may if turn.may and rng.random() < 0.3 else turn.must)
    if seat == LUCK:
        return GAME.chances(state).draw(rng)
    moves = GAME.legal_moves(state, seat)
    tries = [moves[rng.randrange(len(moves))] for _ in range(4)]
    return next((move for move in tries if isinstance(move, PartPainted)), tries[0])


def any_options(rng: random.Random) -> dict[str, Any]:
    return {name: rng.choice(allowed) for name, allowed in GAME.options.items()}


def after_a_round(*kept: Event) -> Play[State]:
    """A game of two in its second round; nobody has done anything in the first but to keep paint."""
    play = Play(GAME, a_setup(2), now=ticking())
    for move in (*opening(play.state), Passed(0), Passed(1), *kept):
        play.do(move)
    while play.state.round == 1:
        luck = GAME.to_act(play.state).must == (LUCK,)
        play.do(GAME.chances(play.state).moves[0] if luck else GAME.legal_moves(play.state, play.state.first)[0])
    return play


def any_play(seed: int, most: int = 10_000, **options: Any) -> Play[State]:
    """So many moves of a game by lot, or all of it; options that are not told are drawn."""
    rng = random.Random(seed)
    setup = a_setup(rng.randint(2, 4), **{**any_options(rng), **options})
    play = Play(GAME, setup, now=ticking())
    while GAME.to_act(play.state).must and most:
        play.do(any_move(play.state, rng))
        most -= 1
    return play
