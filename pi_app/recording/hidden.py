"""Whether a recording would tell what somebody at the table may not know yet."""

from pathlib import Path

from pi_app.engine.log import Play
from pi_app.games import GAMES
from pi_app.storage.store import Store


def game_with_secrets(store: Path) -> int | None:
    """The game that is still being played and hides something, if there is one. Raises StoreError."""
    if not store.exists():
        return None
    with Store(store) as games:
        stored = games.unfinished()
        if stored is None or stored.game not in GAMES:
            return None
        game = GAMES[stored.game]
        play = Play(game, games.setup(stored.id), lambda: "", games.records(stored.id, game.events))
    return stored.id if play.known_to(None, play.records) != play.records else None
