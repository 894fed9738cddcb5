"""Spree!: three to eight thieves with carts in a mall at night; who first brings enough to the car wins."""

from pathlib import Path

from pi_app.engine.contract import Game
from pi_app.games.spree import bots as _bots
from pi_app.games.spree import secrets
from pi_app.games.spree import view as _view
from pi_app.games.spree.edition.profile import SpreeEdition
from pi_app.games.spree.edition.words import SEATS
from pi_app.games.spree.rules import attempt as _attempt
from pi_app.games.spree.rules import deciding, folding, judging, model, moves, retelling, sight
from pi_app.games.spree.rules import sheet as _sheet
from pi_app.games.spree.rules.model import State


class Spree(Game[State]):
    """Spree! under the game contract."""

    name, title = "spree", "Spree!"
    folder = Path(__file__).parent
    players, options, categories = model.PLAYERS, model.OPTIONS, _sheet.CATEGORIES
    colours = SEATS
    edition = SpreeEdition()
    bots = _bots.BOTS
    events = model.EVENTS

    start = staticmethod(deciding.start)
    opening = staticmethod(deciding.opening)
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
    lights = staticmethod(deciding.lights)

    surfaces = staticmethod(sight.surfaces)
    expected_sight = staticmethod(sight.expected_sight)
    act = staticmethod(sight.act)
    trace = staticmethod(sight.trace)
    moves_within = staticmethod(sight.moves_within)
    implied = staticmethod(sight.implied)
    ahead = staticmethod(sight.ahead)
    meant = staticmethod(sight.meant)
    attempt = staticmethod(_attempt.attempt)
    unfinished = staticmethod(_attempt.unfinished)
    mismatch = staticmethod(_attempt.mismatch)
    adopt = staticmethod(_attempt.adopt)
    retold = staticmethod(retelling.retold)

    view = staticmethod(_view.view)
    event_for = staticmethod(secrets.event_for)
    recalled = staticmethod(secrets.event_for)
    message_for = staticmethod(secrets.message_for)
    hidden_choices = told_by_hand = True


GAME = Spree()
