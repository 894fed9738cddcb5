"""Records an evening beside the game: every input, and the pictures that readings came from.

Play never waits for it: what cannot be written in time, or at all, is missing in the recording and nowhere else. A
picture that is missing ends its run; the next one starts as soon as the disk keeps up again.
"""

import errno
import platform
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from queue import Full, Queue
from typing import Any

import cv2
import numpy as np

from hardware.ports import Picture
from pi_app.bundle import FORMAT
from pi_app.engine.contract import Game, Setup
from pi_app.engine.events import Record
from pi_app.inputs import Looked, Step
from pi_app.lines import Line, records_json, written
from pi_app.ring import Ring
from vision.layout import Layout

LINES_WAITING, PICTURES_WAITING = 2_000, 4
LAST_WORDS_S = 10.0
"""How long the end of the program waits for a slow disk."""
SENTENCES = {errno.ENOSPC: "recorder.full", errno.EDQUOT: "recorder.full", errno.EFBIG: "recorder.large"}
# Camera noise does not repeat itself: without searching for repeats a PNG is both smaller and sooner done.
PNG = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY]


@dataclass(frozen=True, eq=False)
class _Begin:
    manifest: Mapping[str, Any]
    clean_bgr: Picture


@dataclass(frozen=True, eq=False)
class _Heard:
    line: Line
    bgr: Picture | None


_MISMATCH, _STOP = object(), object()


class Recorder:
    """`begin`, `picture` and `heard` belong to the table's thread and only queue; `work` writes."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._queue: Queue[object] = Queue(LINES_WAITING)
        self._room = threading.Semaphore(PICTURES_WAITING)
        self._waiting = 0
        self._written = 0
        self._thread: threading.Thread | None = None
        self._pictures = 0
        self._taken: tuple[Picture, bool] | None = None
        self._fresh_due = True
        self._was_wrong = False
        self.trouble: tuple[str, Mapping[str, str]] | None = None
        """Why nothing is recorded any more: the id of a sentence with its facts."""

    # --- the table's side ---------------------------------------------------------------------

    def begin(self, manifest: Mapping[str, Any], clean_bgr: Picture) -> None:
        """From now on; `manifest` tells what the evening begins with."""
        self._put(_Begin(manifest, clean_bgr))

    @property
    def wants_fresh_eyes(self) -> bool:
        """Whether a new run of pictures should start now, and all earlier ones are written."""
        return self.trouble is None and self._waiting == self._written and (self._fresh_due or self._ring.run_is_full)

    def picture(self, bgr: Picture, afresh: bool) -> None:
        """The picture that is read next, and whether the reader starts afresh with it."""
        self._taken = bgr, afresh

    def heard(self, step: Step) -> None:
        """An input that the table has handled."""
        bgr, number, afresh = None, None, False
        if isinstance(step.input, Looked) and self._taken is not None:
            (bgr, afresh), self._taken = self._taken, None
            self._pictures += 1
            number = self._pictures
            if afresh:
                self._fresh_due = False
            if not self._room.acquire(blocking=False):
                bgr, self._fresh_due = None, True
            else:
                self._waiting += 1
        self._put(_Heard(Line(step, number, afresh), bgr))
        if step.wrong and not self._was_wrong:
            self._put(_MISMATCH)
        self._was_wrong = bool(step.wrong)

    def _put(self, item: object) -> None:
        if self.trouble is not None:
            return
        try:
            self._queue.put_nowait(item)
        except Full:
            self.trouble = "recorder.slow", {}

    # --- the disk's side ----------------------------------------------------------------------

    def work(self) -> None:
        """Writes all that waits."""
        while not self._queue.empty():
            self._write(self._queue.get())

    def start(self) -> None:
        """Lets a thread of its own do the work."""
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Writes what still waits, but does not wait for ever."""
        if self._thread is None:
            self.work()
            self._ring.close()
            return
        try:
            self._queue.put(_STOP, timeout=LAST_WORDS_S)
        except Full:
            return
        self._thread.join(LAST_WORDS_S)

    def _run(self) -> None:
        while (item := self._queue.get()) is not _STOP:
            self._write(item)
        self._ring.close()

    def _write(self, item: object) -> None:
        try:
            if self.trouble is None:
                self._put_down(item)
        except OSError as error:
            known = SENTENCES.get(error.errno or 0)
            self.trouble = (known, {}) if known else ("recorder.failed", {"why": error.strerror or str(error)})
        finally:
            if isinstance(item, _Heard) and item.bgr is not None:
                self._written += 1
                self._room.release()

    def _put_down(self, item: object) -> None:
        if isinstance(item, _Begin):
            self._ring.begin(item.manifest, _png(item.clean_bgr))
        elif isinstance(item, _Heard):
            if item.bgr is not None and item.line.picture is not None:
                self._ring.add_picture(item.line.picture, _png(item.bgr), item.line.afresh)
            self._ring.add(written(item.line))
        else:
            self._ring.save_mismatch()


def manifest(
    game: Game[Any], setup: Setup, records: list[Record], layout: Layout, config: Mapping[str, Any]
) -> dict[str, Any]:
    """What must be known to play an evening again: with what it began, and what it was recorded by."""
    told = asdict(layout)
    del told["folder"]  # a place on somebody's disk
    return {
        "format": FORMAT,
        "versions": {
            "allcity": version("allcity"),
            "Python": platform.python_version(),
            "OpenCV": cv2.__version__,
            "numpy": np.__version__,
            "system": f"{sys.platform} {platform.machine()}",
        },
        "config": config,
        "game": game.name,
        "setup": {"profile": setup.profile, "options": setup.options, "players": setup.players},
        "records": records_json(records),
        "layout": told,
    }


def _png(bgr: Picture) -> bytes:
    done, data = cv2.imencode(".png", bgr, PNG)
    assert done, "an 8-bit picture can be encoded"
    return data.tobytes()
