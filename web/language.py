"""Which language a request is answered in: the device's own choice, else what its browser prefers."""

from collections.abc import Mapping
from typing import Any

from flask import Flask, g, request

from web.text import LANGUAGES, Text

COOKIE = "lang"


def language() -> str:
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def t(key: str, facts: Mapping[str, Any] | None = None) -> str:
    """A sentence for whoever asks."""
    if "text" not in g:
        g.text = Text(language())
    sentence: str = g.text(key, facts)
    return sentence


def install(app: Flask) -> None:
    app.jinja_env.globals.update(t=t, language=language, LANGUAGES=LANGUAGES)
