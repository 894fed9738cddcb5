"""What is made of a surface."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pi_app.engine.contract import Message
from pi_app.engine.events import Event

MARGIN: Final = 4.0
"""How much worse the runner-up must explain what is seen: e to the 4th, about 50 to 1."""
PLAUSIBLE: Final = -4.0
"""A region with less gain than this has surely not changed."""
WORTH_ASKING: Final = 7.0
MOST_ASKED: Final = 3


class Is(StrEnum):
    """What a surface tells."""

    MOVE = "move"
    DRAWING = "drawing"
    UNCLEAR = "unclear"
    WRONG = "wrong"
    WAITING = "waiting"
    """Nothing is wrong, and something is still to be done: the message says what."""


@dataclass(frozen=True)
class Verdict:
    """What is made of one surface. `moves` is the move, or the candidates, best first.

    `message` says why: rule.*, doing.* and mismatch.* of the game, sight.* of ours.
    """

    what: Is
    moves: tuple[Event, ...] = ()
    message: Message | None = None
    extendable: bool = False
    """The same hand could go on and make another legal move of it: be patient."""
    if_it_stays: "Verdict | None" = None
    """What to say instead when nobody goes on."""
