"""Every game that All City knows, by name: each folder here is one, and calls itself `GAME`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pi_app.engine.contract import Game

_FOLDERS = sorted(found.name for found in iter_modules(__path__) if found.ispkg)
GAMES: dict[str, Game[Any]] = {name: import_module(f"{__name__}.{name}").GAME for name in _FOLDERS}
