"""The log: in plain words, for who runs the table, and bounded on disk."""

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from hardware.ports import Status
from pi_app.perception.sight import Sees
from web.text import Text

LOGS = "logs"
"""The folder beside the database."""
FILE_BYTES, FILES = 1_000_000, 3
NOISY = ("werkzeug", "cheroot", "picamera2", "PIL")
"""Libraries whose `info` tells people nothing."""
ALARMS = (Sees.MISMATCH, Sees.ASKING, Sees.CAMERA_LOST)

log = logging.getLogger("allcity")


def log_folder(store: Path) -> Path:
    return store.with_name(LOGS)


def log_files(store: Path) -> list[Path]:
    """What there is, the oldest first."""
    return sorted(log_folder(store).glob("allcity.log*"), reverse=True)


@contextmanager
def open_log(store: Path, to_journal: bool = False) -> Iterator[None]:
    """Meanwhile everything from `info` up is written to the file; to stderr warnings, or all of it for a journal.

    A disk that cannot be written is no reason not to play.
    """
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    for noisy in NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(logging.INFO if to_journal else logging.WARNING)
    terminal.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handlers: list[logging.Handler] = [terminal]
    with suppress(OSError):
        log_folder(store).mkdir(mode=0o700, parents=True, exist_ok=True)
        file = log_folder(store) / "allcity.log"
        handlers.append(RotatingFileHandler(file, maxBytes=FILE_BYTES, backupCount=FILES - 1, encoding="utf-8"))
        handlers[-1].setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(message)s"))
    for handler in handlers:
        root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()


class TableLog:
    """Writes what changes at the table: games, alarms of boards, devices. Only what everybody may know."""

    def __init__(self, text: Text) -> None:
        """`text` says sentences without names of people."""
        self._text = text
        self._said: dict[str, str] = {}

    def look(self, view: Mapping[str, Any], statuses: Sequence[Status]) -> None:
        """Compares with the last time. `view` is the public one."""
        game = view.get("game_id")
        self._say("game", "no game is on the table" if game is None else f"game {game} is on the table", False)
        if view.get("result") is not None:
            self._say("result", f"game {game} has ended", False)
        for status in statuses:
            self._say(status.device, self._sentence(status.message, status.facts), not status.ok)
        trouble = view.get("trouble")
        self._say("trouble", self._sentence(trouble["reason"], trouble["facts"]) if trouble else "", True)
        waits = view.get("preparing")
        self._say("preparing", self._sentence(waits["reason"], waits["facts"]) if waits else "", False)
        for board, told in (view.get("boards") or {}).items():
            alarm = told["state"] in ALARMS
            self._say(board, f"{board}: {self._sentence(told['reason'], told['facts'])}" if alarm else "", False)

    def _say(self, what: str, sentence: str, is_warning: bool) -> None:
        if sentence != self._said.get(what, ""):
            self._said[what] = sentence
            if sentence:
                log.log(logging.WARNING if is_warning else logging.INFO, "%s", sentence)

    def _sentence(self, key: str, facts: Mapping[str, Any]) -> str:
        try:
            return self._text(key, facts)
        except KeyError:  # a game on the table that this text is not of
            return key
