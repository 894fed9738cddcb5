"""Every game that All City knows, by name."""

from collections.abc import Mapping
from typing import Any

from pi_app.engine.contract import Game
from pi_app.games.tag_city import TagCity

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in [TagCity()]}
