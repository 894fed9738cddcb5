"""Which language a request is answered in, and about which game: the device's own choice, and what its page shows."""

from collections.abc import Mapping
from typing import Any

from flask import Flask, current_app, g, request

from web.house import House
from web.refusal import without_paths
from web.text import LANGUAGES, Text

COOKIE = "lang"


def language() -> str:
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def show_game(name: str) -> None:
    """What is said and drawn from now on is about this game, whichever lies on the table."""
    g.game = name


def shown_game() -> str:
    """The game that this request is about: the one on the table, or the one that is played next."""
    house: House = current_app.extensions["house"]
    shown: str = g.get("game") or (house.hub.part("table") or {}).get("name") or house.game
    return shown


def sentences(game: str | None = None) -> Text:
    """Sentences for whoever asks, about a game or the one that is shown."""
    house: House = current_app.extensions["house"]
    name = shown_game() if game is None else game
    return Text(language(), house.hub.players(), house.games[name].folder if name in house.games else None)


def t(key: str, facts: Mapping[str, Any] | None = None, game: str | None = None) -> str:
    """A sentence. Nobody learns from it where files lie."""
    return sentences(game)(key, without_paths(facts or {}))


def title(game: str) -> str:
    """What people call a game."""
    house: House = current_app.extensions["house"]
    return house.games[game].title if game in house.games else game


def install(app: Flask, house: House) -> None:
    app.extensions["house"] = house
    said = {"t": t, "sentences": sentences, "title": title, "language": language, "shown_game": shown_game}
    app.jinja_env.globals.update(**said, LANGUAGES=LANGUAGES)
