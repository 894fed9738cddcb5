"""Which language a request is answered in: the device's own choice, else what its browser prefers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Flask, current_app, g, request

from web.refusal import without_paths
from web.text import LANGUAGES, Text

COOKIE = "lang"


def language() -> str:
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def t(key: str, facts: Mapping[str, Any] | None = None) -> str:
    """A sentence for whoever asks. Nobody learns from it where files lie."""
    if "text" not in g:
        g.text = Text(language(), current_app.extensions["players"]())
    sentence: str = g.text(key, without_paths(facts or {}))
    return sentence


def install(app: Flask, players: Callable[[], Sequence[str]]) -> None:
    """`players` are the names to say for seat numbers at this moment."""
    app.extensions["players"] = players
    app.jinja_env.globals.update(t=t, language=language, LANGUAGES=LANGUAGES)
