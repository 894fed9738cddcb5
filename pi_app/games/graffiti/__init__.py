"""Graffiti: two to four street artists, five cans each, and a tunnel with ten graffiti to paint together."""

from pathlib import Path

from pi_app.engine.contract import Game
from pi_app.games.graffiti import bots as _bots
from pi_app.games.graffiti import secrets
from pi_app.games.graffiti import view as _view
from pi_app.games.graffiti.edition.profile import GraffitiEdition
from pi_app.games.graffiti.rules import attempt as _attempt
from pi_app.games.graffiti.rules import deciding, folding, judging, model, moves, sight
from pi_app.games.graffiti.rules import sheet as _sheet
from pi_app.games.graffiti.rules.model import State


class Graffiti(Game[State]):
    """Graffiti under the game contract."""

    name, title = "graffiti", "Graffiti"
    folder = Path(__file__).parent
    players, options, categories = model.PLAYERS, model.OPTIONS, _sheet.CATEGORIES
    colours = ("red", "blue", "lime", "yellow")
    edition, screens = GraffitiEdition(), True
    bots = _bots.BOTS
    events = model.EVENTS

    start = staticmethod(deciding.start)
    opening = staticmethod(model.GameStarted)
    first_player = staticmethod(deciding.first_player)
    ends_round = staticmethod(deciding.ends_round)
    round = staticmethod(deciding.round_of)
    is_move = staticmethod(deciding.is_move)
    mover = staticmethod(deciding.mover)
    hand = staticmethod(deciding.hand)
    unseen_luck = staticmethod(deciding.unseen_luck)
    by_button = staticmethod(deciding.by_button)
    to_act = staticmethod(judging.to_act)
    legal_moves = staticmethod(moves.legal_moves)
    chances = staticmethod(moves.chances)
    decide = staticmethod(deciding.decide)
    apply = staticmethod(folding.apply)
    scores = staticmethod(deciding.scores)
    sheet = staticmethod(_sheet.sheet)
    outcome = staticmethod(deciding.outcome)

    surfaces = staticmethod(sight.surfaces)
    expected_sight = staticmethod(sight.expected_sight)
    act = staticmethod(sight.act)
    trace = staticmethod(sight.trace)
    moves_within = staticmethod(sight.moves_within)
    meant = staticmethod(sight.meant)
    attempt = staticmethod(_attempt.attempt)
    unfinished = staticmethod(_attempt.unfinished)
    mismatch = staticmethod(_attempt.mismatch)
    adopt = staticmethod(_attempt.adopt)

    view = staticmethod(_view.view)
    event_for = staticmethod(secrets.event_for)
    recalled = staticmethod(secrets.recalled)
    message_for = staticmethod(secrets.message_for)
    hidden_choices = True


GAME = Graffiti()
