"""Whole games as text that a person can read and compare.

Each game brings its own in `tests/games/<name>/golden.py`: `GAMES` plays them, `line` tells an event, and `boards` the
table after a round. Run `python -m tests.games.golden` to write the transcripts in tests/data/golden anew; look at the
difference before you keep it.
"""

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from pi_app.engine.log import Play
from pi_app.games import GAMES as REGISTERED

FOLDER = Path(__file__).parent.parent / "data" / "golden"
TOLD: dict[str, Any] = {name: import_module(f"tests.games.{name}.golden") for name in REGISTERED}
GAMES: dict[str, Callable[[], Play[Any]]] = {
    f"{name}-{which}": play for name, told in TOLD.items() for which, play in told.GAMES.items()
}


def transcript(play: Play[Any]) -> str:
    """Every event in a line, all boards after every round."""
    game, told = play.game, TOLD[play.game.name]
    lines = [f"{', '.join(play.setup.players)}; options: {dict(play.setup.options)}", ""]
    for index, record in enumerate(play.records):
        lines.append(f"{record.seq:>4}  {told.line(record.event, play.setup.players)}")
        if game.ends_round(record.event):
            then = Play(game, play.setup, now=str, records=play.records[: index + 1])
            lines += ["", *(f"      {line}".rstrip() for line in told.boards(then.state)), ""]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the transcripts anew.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for name, play in GAMES.items():
        (folder / f"{name}.txt").write_text(transcript(play()), encoding="utf-8")
        print(folder / f"{name}.txt")
