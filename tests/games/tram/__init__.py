"""Night tram, a small game to try the house with: a hidden ticket, a pawn for all, a weighted draw and an interrupt."""

import random
from pathlib import Path

from pi_app.engine.contract import Game, Message, Seen, ToAct
from pi_app.engine.events import Event
from tests.games.tram import rules
from tests.games.tram.edition import TramEdition
from tests.games.tram.rules import State, TicketDrawn


def wanderer(state: State, seat: int, rng: random.Random) -> Event | None:
    """Any move; brakes one time in four."""
    interrupts = seat in rules.may(state) and rng.random() < 0.75
    return None if interrupts else rng.choice(rules.legal_moves(state, seat))


class Tram(Game[State]):
    name, title, folder = "tram", "Night Tram", Path(__file__).parent
    players, options, categories = rules.PLAYERS, rules.OPTIONS, {"ticket": "tickets", "brake": "brakes"}
    edition, bots, events = TramEdition(), {"wanderer": wanderer}, rules.EVENTS

    start = staticmethod(rules.start)
    opening = staticmethod(rules.GameStarted)
    legal_moves = staticmethod(rules.legal_moves)
    chances = staticmethod(rules.chances)
    mover = staticmethod(rules.mover)
    decide = staticmethod(rules.decide)
    apply = staticmethod(rules.apply)
    scores = staticmethod(rules.scores)
    outcome = staticmethod(rules.outcome)
    sheet = staticmethod(rules.sheet)
    surfaces = staticmethod(rules.surfaces)
    expected_sight = staticmethod(rules.expected_sight)
    trace = staticmethod(rules.trace)
    attempt = staticmethod(rules.attempt)
    view = staticmethod(rules.view)

    def first_player(self, event: Event) -> int | None:
        return event.first if isinstance(event, rules.GameStarted) else None

    def is_move(self, event: Event) -> bool:
        return isinstance(event, rules.MOVES)

    def to_act(self, state: State) -> ToAct:
        return ToAct(rules.must(state), rules.may(state))

    def event_for(self, event: Event, viewer: int | None) -> Event:
        hidden = isinstance(event, TicketDrawn) and event.player != viewer
        return TicketDrawn(event.player, None) if hidden else event  # type: ignore[attr-defined]

    def unfinished(self, state: State, seat: int, done: Seen, missing: Seen) -> Message:
        return Message("go_on", {"player": seat})


GAME = Tram()
