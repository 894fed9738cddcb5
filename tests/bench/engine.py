"""How fast the rules engine is, against python-chess in the same run.

    .venv/bin/python -m tests.bench.engine

Only ratios matter: machines differ and are noisy. Every figure is the median of several rounds in
which both sides take turns, and the exit code tells whether all aims were met.
"""

import argparse
import random
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import chess

from pi_app.engine.contract import LUCK
from pi_app.games.graffiti.bots import planner_bot
from pi_app.games.graffiti.rules.model import State as GraffitiState
from pi_app.games.spree.bots import planner_bot as planning_thief
from pi_app.games.spree.rules.mall import NOWHERE, SHOP
from pi_app.games.spree.rules.model import State as SpreeState
from pi_app.games.tag_city.bots import greedy_bot
from pi_app.games.tag_city.rules.judging import drone_slots
from pi_app.games.tag_city.rules.model import State
from tests.games.graffiti.helpers import GAME as GRAFFITI
from tests.games.graffiti.helpers import a_setup, played
from tests.games.spree.helpers import GAME as SPREE
from tests.games.spree.helpers import a_setup as spree_setup
from tests.games.spree.helpers import begun as spree_begun
from tests.playing import TAG_CITY, house_setup

ROUNDS = 9
PLIES = 350
"""What a random game of chess has, about."""


def rate(work: Callable[[], int]) -> float:
    """Things done per second."""
    start = perf_counter()
    return work() / (perf_counter() - start)


# --- counting legal moves ---------------------------------------------------------------------


def tagger_positions(count: int, players: int, wanted_round: int) -> list[tuple[State, int]]:
    """The first to draft in a given round: all dice on the HQ, a drone left."""
    found: list[tuple[State, int]] = []
    seed = 0
    while len(found) < count:
        rng = random.Random(seed)
        seed += 1
        state = TAG_CITY.start(house_setup(players))
        while acting := TAG_CITY.to_act(state).must:
            if state.phase == "draft" and state.round == wanted_round and not state.acted:
                if drone_slots(state, acting[0]):
                    found.append((state, acting[0]))
                break
            seat = acting[0]
            luck = seat == LUCK
            move = rng.choice(TAG_CITY.legal_moves(state, seat)) if luck else greedy_bot(state, seat, rng)
            for event in TAG_CITY.decide(state, move):
                state = TAG_CITY.apply(state, event)
    return found


def chess_positions(count: int) -> list[chess.Board]:
    """Random games after twenty moves of each side."""
    found: list[chess.Board] = []
    seed = 0
    while len(found) < count:
        rng = random.Random(seed)
        seed += 1
        board = chess.Board()
        for _ in range(40):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        else:
            found.append(board)
    return found


def count_tagger_moves(positions: list[tuple[State, int]]) -> int:
    return sum(len(TAG_CITY.legal_moves(state, seat)) for state, seat in positions)


def list_tagger_moves(positions: list[tuple[State, int]]) -> int:
    return sum(sum(1 for _ in TAG_CITY.legal_moves(state, seat)) for state, seat in positions)


def count_chess_moves(positions: list[chess.Board]) -> int:
    return sum(board.legal_moves.count() for board in positions)


def artist_positions(count: int) -> list[tuple[GraffitiState, int]]:
    """The middle of the third round: something in every hand, cans on the boards."""
    found: list[tuple[GraffitiState, int]] = []
    while len(found) < count:
        rng, state = random.Random(len(found)), GRAFFITI.start(a_setup(4))
        while state.phase != "play" or state.round < 3 or state.seats[state.turn].cans > 3:
            seat = GRAFFITI.to_act(state).must[0]
            move = GRAFFITI.chances(state).draw(rng) if seat == LUCK else planner_bot(state, seat, rng)
            assert move is not None
            state = played(state, move)
        found.append((state, state.turn))
    return found


def artists_counted(positions: list[tuple[GraffitiState, int]], times: int) -> int:
    """Positions whose legal moves were counted."""
    for _ in range(times):
        for state, seat in positions:
            len(GRAFFITI.legal_moves(state, seat))
    return times * len(positions)


def thief_positions(count: int) -> list[tuple[SpreeState, int]]:
    """The middle of a game with five: the dice are rolled, somebody is about to go."""
    found: list[tuple[SpreeState, int]] = []
    while len(found) < count:
        rng, state = random.Random(len(found)), SPREE.start(spree_setup(5))
        while state.turns < 40 or not state.steps or state.phase != "turn" or state.pending or state.shot:
            turn = SPREE.to_act(state)
            for seat in (*turn.may, turn.must[0]):
                move = SPREE.chances(state).draw(rng) if seat == LUCK else planning_thief(state, seat, rng)
                if move is not None:
                    break
            assert move is not None
            for event in SPREE.decide(state, move):
                state = SPREE.apply(state, event)
        found.append((state, state.turn))
    return found


def thieves_counted(positions: list[tuple[SpreeState, int]], times: int) -> int:
    """Positions whose legal moves were counted."""
    for _ in range(times):
        for state, seat in positions:
            len(SPREE.legal_moves(state, seat))
    return times * len(positions)


def shopping_tours(count: int) -> list[tuple[int, list[int]]]:
    """Where somebody stands, and five shops anywhere in the mall."""
    mall, rng = spree_begun().printed.mall, random.Random(1)
    shops = [square for square, kind in enumerate(mall.kinds) if kind == SHOP]
    return [(mall.walks.stand[NOWHERE, rng.choice(shops)], rng.sample(shops, 5)) for _ in range(count)]


def walks_found(tours: list[tuple[int, list[int]]], times: int) -> int:
    walks = spree_begun().printed.mall.walks
    for _ in range(times):
        for start, shops in tours:
            walks.through(start, shops, [100] * 5)
    return times * len(tours)


def chess_listed(positions: list[chess.Board], times: int) -> int:
    """Positions whose legal moves were listed."""
    for _ in range(times):
        for board in positions:
            list(board.legal_moves)
    return times * len(positions)


def chess_counted(positions: list[chess.Board], times: int) -> int:
    for _ in range(times):
        count_chess_moves(positions)
    return times * len(positions)


# --- random playouts --------------------------------------------------------------------------


def tagger_playouts(games: int, rng: random.Random) -> int:
    """Decisions made: all moves equally likely, events folded, features and ends scored."""
    start = TAG_CITY.start(house_setup(4))
    decisions = 0
    for _ in range(games):
        state = start
        while acting := TAG_CITY.to_act(state).must:
            moves = TAG_CITY.legal_moves(state, acting[0])
            for event in TAG_CITY.decide(state, moves[rng.randrange(len(moves))]):
                state = TAG_CITY.apply(state, event)
            decisions += 1
    return decisions


def artist_playouts(games: int, rng: random.Random) -> int:
    """The same for Graffiti, luck's moves included."""
    start = GRAFFITI.start(a_setup(4))
    decisions = 0
    for _ in range(games):
        state = start
        while acting := GRAFFITI.to_act(state).must:
            moves = GRAFFITI.legal_moves(state, acting[0])
            for event in GRAFFITI.decide(state, moves[rng.randrange(len(moves))]):
                state = GRAFFITI.apply(state, event)
            decisions += 1
    return decisions


def thief_playouts(games: int, rng: random.Random) -> int:
    """The same for Spree!. Without a thought games hardly end, so each is left after as many decisions as chess has."""
    start = SPREE.start(spree_setup(5))
    decisions = 0
    for _ in range(games):
        state, last = start, decisions + PLIES
        while decisions < last and (acting := SPREE.to_act(state).seats):
            seat = acting[rng.randrange(len(acting))]
            if seat == LUCK:
                move = SPREE.chances(state).draw(rng)
            else:
                moves = SPREE.legal_moves(state, seat)
                move = moves[rng.randrange(len(moves))]
            for event in SPREE.decide(state, move):
                state = SPREE.apply(state, event)
            decisions += 1
    return decisions


def chess_playouts(games: int, rng: random.Random) -> int:
    """Plies played: all moves equally likely, until the game is over by the rules."""
    plies = 0
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[rng.randrange(len(moves))])
            plies += 1
    return plies


# --- one decision, early and late -------------------------------------------------------------


def decide_all(positions: list[tuple[State, int]]) -> int:
    """A whole decision: moves counted, one taken, decided and folded."""
    for state, seat in positions:
        moves = TAG_CITY.legal_moves(state, seat)
        after = state
        for event in TAG_CITY.decide(state, moves[len(moves) // 3]):
            after = TAG_CITY.apply(after, event)
    return len(positions)


def compare(name: str, ours: Callable[[], int], theirs: Callable[[], int], aim: float, rounds: int) -> bool:
    rates = [(rate(ours), rate(theirs)) for _ in range(rounds)]
    ratio = median(a / b for a, b in rates)
    good = ratio >= aim
    mine, other = (median(column) for column in zip(*rates, strict=True))
    print(f"{name:<44} {mine:>14,.0f}/s {other:>14,.0f}/s {ratio:>9.2f}  aim {aim:<5} {'ok' if good else 'MISSED'}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast the rules engine is.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--positions", type=int, default=60)
    args = parser.parse_args()
    count, rounds = args.positions, args.rounds
    mid_game, boards = tagger_positions(count, 4, 5), chess_positions(count)
    # With two players games are long enough to have a twelfth round.
    early, late = tagger_positions(count, 2, 2), tagger_positions(count, 2, 12)
    artists, thieves, tours = artist_positions(count), thief_positions(count), shopping_tours(count)
    rng = random.Random(1)
    good = [
        compare("legal moves counted, against python-chess", lambda: count_tagger_moves(mid_game),
                lambda: count_chess_moves(boards), 20, rounds),
        compare("legal moves listed one by one (no aim)", lambda: list_tagger_moves(mid_game[:3]),
                lambda: count_chess_moves(boards), 0, rounds),
        compare("random playouts, decisions against plies", lambda: tagger_playouts(count, rng),
                lambda: chess_playouts(max(1, count // 12), rng), 1.5, rounds),
        compare("a decision in round 12 against round 2", lambda: decide_all(late), lambda: decide_all(early), 0.6,
                4 * rounds),
        compare("Graffiti: moves counted, positions", lambda: artists_counted(artists, 5),
                lambda: chess_counted(boards, 5), 1.0, rounds),
        compare("Graffiti: random playouts", lambda: artist_playouts(max(1, count // 4), rng),
                lambda: chess_playouts(max(1, count // 12), rng), 1.0, rounds),
        compare("Spree!: moves counted, positions", lambda: thieves_counted(thieves, 5),
                lambda: chess_counted(boards, 5), 1.0, rounds),
        compare("Spree!: random playouts", lambda: thief_playouts(max(1, count // 12), rng),
                lambda: chess_playouts(max(1, count // 12), rng), 1.0, rounds),
        compare("Spree!: walks through five shops, listings", lambda: walks_found(tours, 5),
                lambda: chess_listed(boards, 5), 0.2, rounds),
    ]  # fmt: skip
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
