"""Every game that All City knows, by name: each folder here is one, and calls itself `GAME`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pi_app.engine.contract import Game

DEFAULT = "tag_city"
"""What is played where nobody says otherwise. Nothing else outside its folder names a game."""

_FOLDERS = {found.name for found in iter_modules(__path__) if found.ispkg}
GAMES: dict[str, Game[Any]] = {
    name: import_module(f"{__name__}.{name}").GAME for name in (DEFAULT, *sorted(_FOLDERS - {DEFAULT}))
}
