"""Players for simulations: one that plans whole paintings, one with an eye for the next one, one without a thought.

They know what their seat may know: what lies openly on the table, and what is behind their own screen.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

from pi_app.engine.events import Event
from pi_app.games.graffiti.planning import (
    BONUS_WORTH,
    CAN,
    PERMIT,
    POINT,
    SPARE_PERMIT,
    TILE,
    Step,
    lacking,
    market_next,
    market_now,
    plan,
    purse_of,
    with_more,
)
from pi_app.games.graffiti.rules.judging import finished, keepable, usable
from pi_app.games.graffiti.rules.model import (
    ACTIONS,
    CANS,
    FINISHED_AT_END,
    KEPT,
    KEPT_WITH_SAVE,
    OPEN,
    Action,
    BonusTaken,
    BonusUsed,
    NeutralPainted,
    PaintKept,
    PaintTaken,
    Part,
    PartPainted,
    Passed,
    PermitsTaken,
    PoliceTaken,
    Seat,
    State,
)
from pi_app.games.graffiti.rules.moves import legal_moves
from pi_app.games.graffiti.rules.paying import KINDS, hand_of, kinds_of, plus

Bot = Callable[[State, int, random.Random], Event | None]

WHIM: Final = 20
"""What is worth less than this is left to taste."""
USED_UP: Final = 50
"""A tile that is left when the game ends is worth half a point."""
WORTH_A_MARKER: Final = 12 * POINT
"""A part that is worth so much is reserved, if there is a tile for it."""
TOKEN: Final = 80
"""What it is worth to begin the next round."""


def random_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Any legal move, all equally likely."""
    moves = legal_moves(state, seat)
    return moves[rng.randrange(len(moves))]


def greedy_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Paints what brings most at once; if there is nothing to paint, takes what is lacking for a part."""
    if (points := _points(state, seat)) is not None:
        return points
    if state.phase == "play":
        return _greedy_turn(state, seat, rng) if seat == state.turn else None
    if state.phase == "keep" and not state.told >> seat & 1:
        tiles = kinds_of(keepable(state, seat)[0])
        return PaintKept(seat, tuple(rng.sample(tiles, min(KEPT, len(tiles)))))
    return random_bot(state, seat, rng) if state.phase == "neutral_paint" else None


def planner_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    """Plans the paintings of a round, takes first what others may take away, and uses bonus tiles for it."""
    if (points := _points(state, seat)) is not None:
        return points
    if state.phase == "play":
        return _planned_turn(state, seat, rng) if seat == state.turn else None
    if state.phase == "keep" and not state.told >> seat & 1:
        return _planned_keep(state, seat)
    return _neutral(state, seat, rng) if state.phase == "neutral_paint" else None


BOTS: Mapping[str, Bot] = {"planner": planner_bot, "greedy": greedy_bot, "random": random_bot}


def _points(state: State, seat: int) -> BonusUsed | None:
    """Two points now are more than half a point in the end."""
    now = state.phase in ("play", "keep") and state.seats[seat].has("points")
    return BonusUsed(seat, "points") if now else None


def _actions(state: State, seat: int) -> tuple[list[PartPainted], list[Action]]:
    """Paintings, and everything else that takes cans."""
    moves = [move for move in legal_moves(state, seat) if isinstance(move, ACTIONS)]
    paintings = [move for move in moves if isinstance(move, PartPainted)]
    return paintings, [move for move in moves if not isinstance(move, PartPainted)]


def _price(move: Action) -> int:
    """What an action costs in cans and tiles. A can that is saved is worth more than the tile that saves it."""
    price = move.cans * CAN + sum(USED_UP if tile == "reduce" else BONUS_WORTH[tile] for tile in move.bonuses)
    if isinstance(move, PartPainted):
        price += sum(TILE[kind] for kind in move.paints) + PERMIT * len(move.permits)
    return price


# --- greedy -----------------------------------------------------------------------------------


def _greedy_turn(state: State, seat: int, rng: random.Random) -> Event:
    own, (paintings, takings) = state.seats[seat], _actions(state, seat)
    if paintings:
        points = {part.id: part.points * POINT for part in state.printed.parts}
        return max(paintings, key=lambda move: (points[move.part] - _price(move), rng.random()))
    plain = [move for move in takings if move.cans == 1 and not move.bonuses]
    paints = [move for move in plain if isinstance(move, PaintTaken)]
    wanted = [part for number, part in enumerate(state.printed.parts) if _may_enter(state, own, number, part)]
    rng.shuffle(wanted)
    hand = own.hands[0]
    for part in sorted(wanted, key=lambda part: lacking(part.cost, hand)):
        missing = lacking(part.cost, hand)
        useful = [move for move in paints if lacking(part.cost, plus(hand, hand_of([move.kind]))) < missing]
        if useful:
            return rng.choice(useful)
    permits = [move for move in plain if isinstance(move, PermitsTaken)]
    return rng.choice(permits or plain or [Passed(seat)])


def _may_enter(state: State, own: Seat, number: int, part: Part) -> bool:
    """Whether a part is open, with a permit and a space for it."""
    return (
        state.parts[number] == OPEN
        and own.permits[part.section - 1] > 0
        and part.section != state.pawn
        and any(not state.spaces[space.number] for space in state.printed.tunnel[part.section - 1])
    )


# --- planner ----------------------------------------------------------------------------------


def _planned_turn(state: State, seat: int, rng: random.Random) -> Event:
    own = state.seats[seat]
    paintings, takings = _actions(state, seat)
    market, purse = market_now(state, seat), purse_of(state, seat, own.cans + own.has("reduce"), own.hands[0])
    gain, steps = plan(market, purse)
    police = [move for move in takings if isinstance(move, PoliceTaken)]
    if police and plan(market, purse._replace(police=True, cans=purse.cans - 1))[0] > gain + CAN:
        return min(police, key=_price)
    for step in steps:
        name = state.printed.parts[step.target.number].id
        ways = [move for move in paintings if move.part == name]
        if ways and not step.permits and not any(step.bought):
            return min(ways, key=_price)
    towards = _towards(state, seat, steps[0], takings, rng) if steps else None
    return towards or _prepared(state, seat, takings, rng)


def _towards(state: State, seat: int, step: Step, takings: Sequence[Action], rng: random.Random) -> Event | None:
    """The next thing to take for a painting; first bonus tiles that keep others away while it is not done."""
    own = state.seats[seat]
    if step.target.worth >= WORTH_A_MARKER and usable(state, seat, "reserve"):
        return BonusUsed(seat, "reserve", state.printed.parts[step.target.number].id)
    last_thing = sum(step.bought) + (step.permits > 0) == 1
    if last_thing and own.cans > 1 and not own.extra and usable(state, seat, "extra"):
        return BonusUsed(seat, "extra")
    wanted = {kind for kind, count in zip(KINDS, step.bought, strict=True) if count}
    fetched = state.printed.permit_spaces[step.permits.bit_length() - 1].id if step.permits else ""

    def urgency(move: Action) -> int:
        """0 where it is of no use here."""
        if isinstance(move, PaintTaken) and move.kind in wanted:
            return 1 if move.kind in "RYB" else 3
        return 2 if isinstance(move, PermitsTaken) and move.space == fetched else 0

    useful = [move for move in takings if urgency(move)]
    return max(useful, key=lambda move: (-_price(move), urgency(move), rng.random()), default=None)


def _prepared(state: State, seat: int, takings: Sequence[Action], rng: random.Random) -> Event:
    """Nothing can be finished in this round: what is best for the next one."""
    own = state.seats[seat]
    best: Event = Passed(seat)
    most = 0
    for move in takings:
        # Cans that are left are lost: only a second one, or a tile, might have served for something else.
        cost = (move.cans - 1) * PERMIT + sum(BONUS_WORTH[tile] for tile in move.bonuses)
        worth = _use_later(state, own, move) - cost + rng.randrange(WHIM)
        if worth > most:
            best, most = move, worth
    return best


def _use_later(state: State, own: Seat, move: Action) -> int:
    last = finished(state) >= FINISHED_AT_END
    if isinstance(move, PaintTaken):
        room = KEPT_WITH_SAVE if own.has("save") else KEPT
        return 0 if own.paint_count >= room else USED_UP if last else TILE[move.kind]
    if isinstance(move, BonusTaken):
        tile = state.bonus_slots[move.slot - 1]
        return BONUS_WORTH[tile] if tile == "points" or not last else USED_UP
    if isinstance(move, PermitsTaken):
        space = state.printed.space_at["permits", move.space]
        faces = [state.slots[slot - 1] for slot in space.slots if state.slots[slot - 1]]
        if last:
            return USED_UP * (len(faces) + space.pile)
        held, worth = own.permits, space.pile * SPARE_PERMIT + space.first * TOKEN
        for face in faces:
            opens = any(state.parts[part] == OPEN for part in state.printed.sections[face - 1])
            worth += PERMIT if opens and not held[face - 1] else SPARE_PERMIT
            held = with_more(held, face - 1)
        return worth
    return 0


def _planned_keep(state: State, seat: int) -> Event:
    """The tiles with which the next round can be planned best; a third one if there is a tile to save it."""
    last = finished(state) >= FINISHED_AT_END
    most = KEPT_WITH_SAVE if state.seats[seat].has("save") and not last else KEPT
    tiles = kinds_of(keepable(state, seat)[0])
    choices = sorted(set(combinations(tiles, min(most, len(tiles)))))
    kept = choices[0]
    if len(choices) > 1 and not last:
        market, purse = market_next(state, seat), purse_of(state, seat, CANS, ())

        def worth(choice: tuple[str, ...]) -> int:
            planned, _ = plan(market, purse._replace(hand=hand_of(choice)), ahead=1)
            return planned + sum(TILE[kind] for kind in choice)

        kept = max(choices, key=worth)
    return PaintKept(seat, kept, ("save",) if len(kept) > KEPT else ())


def _neutral(state: State, seat: int, rng: random.Random) -> Event:
    """The part that helps others least: own tags are made sure, and what one could paint oneself stays."""
    printed, own = state.printed, state.seats[seat]

    def worth(number: int) -> int:
        part = printed.parts[number]
        tags = [state.parts[other] for other in printed.graffiti[part.graffiti].parts]
        others = max(tags.count(other) for other in range(len(state.seats)) if other != seat)
        surer = len(tags) * (tags.count(seat) - others) * POINT // tags.count(OPEN)
        mine = max(0, 3 - lacking(part.cost, own.hands[0])) * POINT if own.permits[part.section - 1] else 0
        return surer - mine - part.points * POINT // 10 + rng.randrange(WHIM)

    there = [number for number in printed.sections[state.neutral_section - 1] if state.parts[number] == OPEN]
    return NeutralPainted(seat, printed.parts[max(there, key=worth)].id)
