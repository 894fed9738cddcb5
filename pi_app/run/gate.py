"""What installing and updating ask of the running table: `python -m pi_app.run.gate playing` or `healthy`.

The exit code is the answer: 0 yes, 1 no.
"""

import json
import sys
import urllib.request
from collections.abc import Sequence
from typing import Any

from pi_app.config import Config, load_config
from web.text import LANGUAGES

WAIT_S = 10.0


def ports(config: Config) -> list[int]:
    return [port for port in (config.web.port, config.web.second_port) if port]


def answer_at(config: Config, path: str) -> tuple[int | None, dict[str, Any]]:
    """The first of our ports at which All City answers, and what it says; nothing if it does at none."""
    for port in ports(config):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=WAIT_S) as line:
                told = json.load(line)
        except (OSError, ValueError):
            continue
        if isinstance(told, dict):
            return port, told
    return None, {}


def is_healthy(config: Config) -> bool:
    return answer_at(config, "/healthz")[1].get("ok") is True


def is_playing(config: Config) -> bool:
    """Whether people are in the middle of a game. Bots do not mind."""
    table = answer_at(config, "/api/state")[1].get("table") or {}
    is_on = table.get("game") is not None and table.get("result") is None
    return is_on and len(table.get("bots", ())) < len(table.get("players", ()))


def main(words: Sequence[str]) -> int:
    config = load_config(None, LANGUAGES)
    questions = {"healthy": is_healthy, "playing": is_playing}
    return 0 if questions[words[0]](config) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
