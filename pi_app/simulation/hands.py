"""What a hand does at the simulated table for a move of Tag City."""

from hardware.sim.state import InkKind
from hardware.sim.table import SimTable
from pi_app.engine.events import Event
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import SocialChecked, State
from pi_app.games.tag_city.rules.sight import city_board

SQUARES: tuple[InkKind, ...] = ("cross", "scribble", "fill")
"""How each seat likes to mark squares."""


def ink(seat: int, kind: str) -> InkKind:
    """How a seat draws what is to be seen as `kind`."""
    kinds: dict[str, InkKind] = {"circled": "circle", "crossed": "cross"}
    return kinds.get(kind) or SQUARES[seat % len(SQUARES)]


def leaves_nothing(move: Event) -> bool:
    """Whether a move cannot be seen on any board, so that somebody has to say it was made."""
    return isinstance(move, SocialChecked) and move.bubble is None


def lay_out(sim: SimTable, state: State) -> dict[str, set[str]]:
    """Lays a clean table out as the record says it should look; gives the regions drawn, by board."""
    game, drawn = GAMES["tag_city"], {}
    for seat in range(len(state.players)):
        board = city_board(seat)
        marks = {region: kind for region, kind in game.expected_sight(state, board).items() if kind != "empty"}
        sim.draw(board, [(region, ink(seat, kind)) for region, kind in marks.items()], 0.0)
        drawn[board] = set(marks)
    if state.dice:
        sim.roll(len(state.dice), [die.value for die in state.dice])
    for number, die in enumerate(state.dice):
        if die.taken_by is not None:
            sim.take(number)
        elif die.section:
            sim.put(number, die.section)
    return drawn
