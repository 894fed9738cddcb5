"""Players for simulations: one without a thought, one with an eye for points, two with a single idea."""

import random
from collections.abc import Callable, Mapping, Sequence

from pi_app.engine.events import Event
from pi_app.games.tag_city.model import Board, DiePlaced, Printed, ShapePainted, SocialChecked, State, bits
from pi_app.games.tag_city.moves import fitter
from pi_app.games.tag_city.rules import allowed_sections, bubbles_open, dice_left, drone_slots, legal_moves

Bot = Callable[[State, int, random.Random], Event]

HOLE = 1.5
"""What a free square with no free neighbour costs in the greedy player's eyes."""
SHORTLIST = 12
"""Placements that are looked at closely, after a quick sum over their squares."""
DRONE_FROM = 0.4
"""Before this share of the city is painted, the greedy player saves its drone."""
PATIENCE = 2.0
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
        best = _best(state, seat, state.printed.in_play)
        if slots and best is not None:
            shape, mask, _ = best
            cells = state.printed.shapes[shape].placements[mask]
            return ShapePainted(seat, dice_left(state)[0], shape, cells, slots[0])
    return greedy_bot(state, seat, rng)


def greedy_bot(state: State, seat: int, rng: random.Random) -> Event:
    """Takes what brings most now: points, then progress towards them, then a city without holes."""
    if state.phase == "place":
        return _place_for_myself(state, seat, rng)
    if state.phase not in ("draft", "last"):
        return random_bot(state, seat, rng)
    printed, board = state.printed, state.boards[seat]
    dice = {printed.sections[state.dice[die].section - 1]: die for die in dice_left(state)}
    best = _best(state, seat, tuple(dice))
    slots = drone_slots(state, seat)
    if slots and board.painted.bit_count() > DRONE_FROM * printed.city.bit_count():
        flown = _best(state, seat, printed.in_play)
        price = printed.drone[slots[0] - 1] - PATIENCE
        if flown is not None and (best is None or flown[2] + price > best[2]) and flown[2] + price > _pass_value(state):
            shape, mask, _ = flown
            die = dice_left(state)[0]
            return ShapePainted(seat, die, shape, printed.shapes[shape].placements[mask], slots[0])
    if best is not None and best[2] > _pass_value(state):
        shape, mask, _ = best
        return ShapePainted(seat, dice[shape], shape, printed.shapes[shape].placements[mask])
    return SocialChecked(seat, dice_left(state)[0], _cheapest_bubble(state))


BOTS: Mapping[str, Bot] = {
    "greedy": greedy_bot,
    "random": random_bot,
    "drone": drone_bot,
    "social": social_bot,
}


# --- the greedy eye ---------------------------------------------------------------------------


def _best(state: State, seat: int, shapes: Sequence[str]) -> tuple[str, int, float] | None:
    """The best placement among these shapes: shape, mask, how good it is."""
    printed, board = state.printed, state.boards[seat]
    weights = _square_weights(state, board)
    candidates = []
    for fits in fitter(printed).fits(printed.city & ~board.painted):
        if fits.shape.id not in shapes:
            continue
        placements = fits.shape.placements
        for mask in fits.masks():
            quick = sum([weights[row][col] for row, col in placements[mask]])
            candidates.append((quick, mask, fits.shape.id))
    candidates.sort(reverse=True)
    best: tuple[str, int, float] | None = None
    for _, mask, shape in candidates[:SHORTLIST]:
        worth = _worth(state, board, board.painted | mask) - _worth(state, board, board.painted)
        if best is None or worth > best[2]:
            best = (shape, mask, worth)
    return best


def _square_weights(state: State, board: Board) -> list[list[float]]:
    """How much nearer each square brings its row, column and district, the fuller the more."""
    printed = state.printed
    weights = [[0.0] * printed.cols for _ in range(printed.rows)]
    for index, feature in enumerate(printed.features):
        size, filled = feature.mask.bit_count(), (feature.mask & board.painted).bit_count()
        value = feature.low if state.closed >> index & 1 else feature.high
        step = value * (2 * filled + 1) / size**2
        for bit in bits(feature.mask & ~board.painted):
            row, col = divmod(bit, printed.cols)
            weights[row][col] += step
    for row, col in printed.cells(_lonely(printed, board.painted)):
        weights[row][col] += HOLE
    return weights


def _worth(state: State, board: Board, painted: int) -> float:
    """Points reached and in reach on a city painted so far."""
    worth = 0.0
    for index, feature in enumerate(state.printed.features):
        value = feature.low if state.closed >> index & 1 else feature.high
        worth += value * ((feature.mask & painted).bit_count() / feature.mask.bit_count()) ** 2
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

    def use(section: int) -> float:
        best = _best(state, seat, (state.printed.sections[section - 1],))
        return -100.0 if best is None else best[2]

    return DiePlaced(die, max(sections, key=use))


def _cheapest_bubble(state: State) -> int | None:
    open_bubbles = bubbles_open(state)
    return max(open_bubbles, key=lambda n: 0 if n is None else state.printed.bubbles[n - 1])


def _pass_value(state: State) -> float:
    """What checking social networks brings: its price."""
    bubble = _cheapest_bubble(state)
    return 0.0 if bubble is None else float(state.printed.bubbles[bubble - 1])
