"""Players for simulations. They know what their seat may know, and nothing more."""

import random

from pi_app.engine.events import Event
from pi_app.games.graffiti.rules.model import State
from pi_app.games.graffiti.rules.moves import legal_moves


def random_bot(state: State, seat: int, rng: random.Random) -> Event | None:
    moves = legal_moves(state, seat)
    return moves[rng.randrange(len(moves))]


BOTS = {"random": random_bot}
