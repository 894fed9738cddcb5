"""Players for simulations: one without a thought, one with an eye for points, two with a single idea."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from pi_app.engine.events import Event
from pi_app.games.tag_city.rules.deciding import legal_moves
from pi_app.games.tag_city.rules.judging import allowed_sections, bubbles_open, dice_left, drone_slots
from pi_app.games.tag_city.rules.model import Board, DiePlaced, Printed, ShapePainted, SocialChecked, State
from pi_app.games.tag_city.rules.shapes import bits

Bot = Callable[[State, int, random.Random], Event]

POINT = 10_000
"""The greedy player counts in fractions of a point. Whole numbers, because sums of floats differ between
versions of Python, and the same seed must give the same game everywhere."""
HOLE = POINT * 3 // 2
"""What a free square with no free neighbour costs in the greedy player's eyes."""
WHIM = POINT // 2
"""What is worth less than this is left to taste, so that not everybody plays the same city."""
SHORTLIST = 12
"""Placements that are looked at closely, after a quick sum over their squares."""
DRONE_FROM_PERCENT = 40
"""Before so much of the city is painted, the greedy player saves its drone."""
PATIENCE = 2 * POINT
"""Points that a die's shape may be worse than a drone's before the drone is used."""


def random_bot(state: State, seat: int, rng: random.Random) -> Event:
    """Any legal move, all equally likely."""
    return rng.choice(legal_moves(state, seat))


def social_bot(state: State, seat: int, rng: random.Random) -> Event:
    """Never paints: checks social networks at every turn."""
    if state.phase == "place":
        return random_bot(state, seat, rng)
    return SocialChecked(seat, dice_left(state)[0], _cheapest_bubble(state))


def drone_bot(state: State, seat: int, rng: random.Random) -> Event:
    """Always uses the drone for the best shape on the HQ, as long as there is one."""
    if state.phase != "place":
        slots = drone_slots(state, seat)
        best = _best(state, seat, rng, state.printed.in_play)
        if slots and best is not None:
            return best.painted(state, seat, dice_left(state)[0], slots[0])
    return greedy_bot(state, seat, rng)


def greedy_bot(state: State, seat: int, rng: random.Random) -> Event:
    """Takes what brings most now: points, then progress towards them, then a city without holes."""
    if state.phase == "place":
        return _place_for_myself(state, seat, rng)
    if state.phase not in ("draft", "last"):
        return random_bot(state, seat, rng)
    printed = state.printed
    dice = {printed.sections[state.dice[die].section - 1]: die for die in dice_left(state)}
    best, flown = _best(state, seat, rng, tuple(dice)), _best_flight(state, seat, rng)
    least = _pass_value(state)
    if flown is not None and flown.worth > max(least, best.worth if best else least):
        return flown.painted(state, seat, dice_left(state)[0], drone_slots(state, seat)[0])
    if best is not None and best.worth > least:
        return best.painted(state, seat, dice[best.shape])
    return SocialChecked(seat, dice_left(state)[0], _cheapest_bubble(state))


BOTS: Mapping[str, Bot] = {
    "greedy": greedy_bot,
    "random": random_bot,
    "drone": drone_bot,
    "social": social_bot,
}


# --- the greedy eye ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A shape in a place, and what that is worth."""

    shape: str
    mask: int
    worth: int

    def painted(self, state: State, seat: int, die: int, slot: int | None = None) -> ShapePainted:
        return ShapePainted(seat, die, self.shape, state.printed.shapes[self.shape].placements[self.mask], slot)


def _best(state: State, seat: int, rng: random.Random, shapes: Sequence[str]) -> Choice | None:
    """The best placement among these shapes."""
    printed, board = state.printed, state.boards[seat]
    weights = _square_weights(state, board)
    candidates = []
    for fits in printed.fitter.fits(printed.city & ~board.painted):
        if fits.shape.id in shapes:
            for orientation, corners in fits.corners():
                for corner in corners:
                    quick = sum([weights[corner + shift] for shift in orientation.shifts])
                    candidates.append((quick, orientation.mask << corner, fits.shape.id))
    best: Choice | None = None
    now = _worth(state, board.painted)
    for _, mask, shape in nlargest(SHORTLIST, candidates):
        choice = Choice(shape, mask, _worth(state, board.painted | mask) - now + rng.randrange(WHIM))
        if best is None or choice.worth > best.worth:
            best = choice
    return best


def _best_flight(state: State, seat: int, rng: random.Random) -> Choice | None:
    """The best that the drone can do, less its price; None while the drone is saved for later."""
    slots, painted = drone_slots(state, seat), state.boards[seat].painted.bit_count()
    if not slots or 100 * painted <= DRONE_FROM_PERCENT * state.printed.city.bit_count():
        return None
    best = _best(state, seat, rng, state.printed.in_play)
    price = PATIENCE - state.printed.drone[slots[0] - 1] * POINT
    return best and replace(best, worth=best.worth - price)


def _square_weights(state: State, board: Board) -> list[int]:
    """How much nearer each square brings its row, column and district, the fuller the more."""
    printed = state.printed
    weights = [0] * (printed.rows * printed.cols)
    for index, feature in enumerate(printed.features):
        size, filled = feature.mask.bit_count(), (feature.mask & board.painted).bit_count()
        value = feature.low if state.closed >> index & 1 else feature.high
        step = POINT * value * (2 * filled + 1) // size**2
        for square in bits(feature.mask & ~board.painted):
            weights[square] += step
    for square in bits(_lonely(printed, board.painted)):
        weights[square] += HOLE
    return weights


def _worth(state: State, painted: int) -> int:
    """Points reached and in reach on a city painted so far."""
    worth = 0
    for index, feature in enumerate(state.printed.features):
        value = feature.low if state.closed >> index & 1 else feature.high
        filled, size = (feature.mask & painted).bit_count(), feature.mask.bit_count()
        worth += POINT * value * filled**2 // size**2
    return worth - HOLE * _lonely(state.printed, painted).bit_count()


def _lonely(printed: Printed, painted: int) -> int:
    """Free squares whose four neighbours are all painted or outside: only the smallest shape fits."""
    free, cols = printed.city & ~painted, printed.cols
    left_column = sum(1 << row * cols for row in range(printed.rows))
    right_column = left_column << (cols - 1)
    beside = (free & ~right_column) << 1 | (free & ~left_column) >> 1 | free << cols | free >> cols
    return free & ~beside


def _place_for_myself(state: State, seat: int, rng: random.Random) -> Event:
    """The leader puts a die where its shape suits the leader's own city better."""
    die = next(i for i, die in enumerate(state.dice) if not die.section)
    sections = list(allowed_sections(state, die))
    rng.shuffle(sections)

    def use(section: int) -> int:
        best = _best(state, seat, rng, (state.printed.sections[section - 1],))
        return -100 * POINT if best is None else best.worth

    return DiePlaced(die, max(sections, key=use))


def _cheapest_bubble(state: State) -> int | None:
    open_bubbles = bubbles_open(state)
    return max(open_bubbles, key=lambda n: 0 if n is None else state.printed.bubbles[n - 1])


def _pass_value(state: State) -> int:
    """What checking social networks brings: its price."""
    bubble = _cheapest_bubble(state)
    return 0 if bubble is None else state.printed.bubbles[bubble - 1] * POINT
