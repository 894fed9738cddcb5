"""Tag City: two to four taggers, one more die than taggers, and a city each to paint."""

from typing import Any

from pi_app.engine.contract import Show
from pi_app.games.tag_city import attempt as _attempt
from pi_app.games.tag_city import bots as _bots
from pi_app.games.tag_city import judging, model, profile, rules
from pi_app.games.tag_city import sheet as _sheet
from pi_app.games.tag_city import trace as _trace
from pi_app.games.tag_city import view as _view


class TagCity:
    """Tag City under the game contract."""

    name, title = "tag_city", "Tag City"
    players, options, categories = rules.PLAYERS, profile.OPTIONS, _sheet.CATEGORIES
    edition = profile.TagCityEdition()
    bots = _bots.BOTS
    events = model.EVENTS

    start = staticmethod(rules.start)
    opening = staticmethod(rules.opening)
    first_player = staticmethod(rules.first_player)
    ends_round = staticmethod(rules.ends_round)
    round = staticmethod(rules.round_of)
    is_move = staticmethod(rules.is_move)
    mover = staticmethod(judging.mover)
    to_act = staticmethod(judging.to_act)
    legal_moves = staticmethod(rules.legal_moves)
    chances = staticmethod(rules.chances)
    decide = staticmethod(rules.decide)
    apply = staticmethod(rules.apply)
    scores = staticmethod(rules.scores)
    sheet = staticmethod(_sheet.sheet)
    outcome = staticmethod(rules.outcome)
    expected_sight = staticmethod(_view.expected_sight)
    view = staticmethod(_view.view)
    placements = staticmethod(_view.placements)

    lights = staticmethod(_view.lights)
    attempt = staticmethod(_attempt.attempt)
    unfinished = staticmethod(_attempt.unfinished)
    mismatch = staticmethod(_attempt.mismatch)
    adopt = staticmethod(_attempt.adopt)
    surfaces = staticmethod(_view.surfaces)
    act = staticmethod(_trace.act)
    trace = staticmethod(_trace.trace)
    moves_within = staticmethod(_trace.moves_within)

    @staticmethod
    def show(console: Any, text: Any) -> Show:
        from pi_app.games.tag_city.terminal import Terminal  # noqa: PLC0415 - most need no terminal

        return Terminal(console, text)
