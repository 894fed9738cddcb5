"""Tag City: two to four taggers, one more die than taggers, and a city each to paint."""

from pathlib import Path
from typing import Any

from pi_app.engine.contract import Game, Show, ToAct
from pi_app.games.tag_city import bots as _bots
from pi_app.games.tag_city import view as _view
from pi_app.games.tag_city.edition import profile
from pi_app.games.tag_city.rules import attempt as _attempt
from pi_app.games.tag_city.rules import deciding, judging, model, sight
from pi_app.games.tag_city.rules import sheet as _sheet
from pi_app.games.tag_city.rules.model import State


class TagCity(Game[State]):
    """Tag City under the game contract."""

    name, title = "tag_city", "Tag City"
    folder = Path(__file__).parent
    players, options, categories = deciding.PLAYERS, profile.OPTIONS, _sheet.CATEGORIES
    edition = profile.TagCityEdition()
    bots = _bots.BOTS
    events = model.EVENTS

    start = staticmethod(deciding.start)
    opening = staticmethod(deciding.opening)
    first_player = staticmethod(deciding.first_player)
    ends_round = staticmethod(deciding.ends_round)
    round = staticmethod(deciding.round_of)
    is_move = staticmethod(deciding.is_move)
    mover = staticmethod(judging.mover)
    legal_moves = staticmethod(deciding.legal_moves)
    chances = staticmethod(deciding.chances)
    decide = staticmethod(deciding.decide)
    apply = staticmethod(deciding.apply)
    scores = staticmethod(deciding.scores)
    sheet = staticmethod(_sheet.sheet)
    outcome = staticmethod(deciding.outcome)

    surfaces = staticmethod(sight.surfaces)
    expected_sight = staticmethod(sight.expected_sight)
    act = staticmethod(sight.act)
    trace = staticmethod(sight.trace)
    moves_within = staticmethod(sight.moves_within)
    attempt = staticmethod(_attempt.attempt)
    unfinished = staticmethod(_attempt.unfinished)
    mismatch = staticmethod(_attempt.mismatch)
    adopt = staticmethod(_attempt.adopt)

    view = staticmethod(_view.view)
    placements = staticmethod(_view.placements)
    mosaic = staticmethod(_view.mosaic)
    lights = staticmethod(_view.lights)

    @staticmethod
    def to_act(state: State) -> ToAct:
        return ToAct(judging.acting(state))

    @staticmethod
    def hand(state: State) -> int | None:
        return state.leader if state.phase == "roll" else None

    @staticmethod
    def show(console: Any, text: Any) -> Show:
        from pi_app.games.tag_city.terminal import Terminal  # noqa: PLC0415 - most need no terminal

        return Terminal(console, text)


GAME = TagCity()
