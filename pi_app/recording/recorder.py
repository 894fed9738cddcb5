"""Records an evening beside the game: every input, and the pictures that tell what happened.

Play never waits for it: what cannot be written in time, or at all, is missing in the recording and nowhere else. A
picture that is missing ends its run; the next one starts as soon as the disk keeps up again.
"""

import errno
import math
import platform
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from queue import Full, Queue
from typing import Any, Literal

import cv2
import numpy as np

from hardware.ports import Picture
from pi_app.engine.contract import Game, Setup
from pi_app.engine.events import Record
from pi_app.recording.budget import Budget
from pi_app.recording.bundle import FORMAT, LOSSY, frame_name
from pi_app.recording.lines import MOST_TIMES, Line, records_json, written
from pi_app.recording.moments import Held, Moments, run_length
from pi_app.recording.ring import Ring
from pi_app.table.inputs import Looked, Step
from vision.layout import Layout
from vision.pictures import jpeg_of
from vision.rectify import Lens, lens_json

Pictures = Literal["few", "all"]
"""few: small ones now and then, whole ones around what went wrong. all: every picture that is read, lossless."""

LINES_WAITING, PICTURES_WAITING = 2_000, 4
LAST_WORDS_S = 10.0
"""How long the end of the program waits for a slow disk."""
SMALL_EVERY_S, SMALL_WIDTH_PX, SMALL_QUALITY = 15.0, 960, 70
"""Small pictures, for a time-lapse of the evening."""
WHOLE_QUALITY = 85
MISMATCH_EVERY_S = 300.0
BUNDLES = 0.6
"""The share of an hour's bytes that is kept for bundles of mismatches: few, but large."""
SENTENCES = {errno.ENOSPC: "recorder.full", errno.EDQUOT: "recorder.full", errno.EFBIG: "recorder.large"}
NO_LIMIT = 10**15
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


_STOP = object()


class Recorder:
    """`begin`, `picture` and `heard` belong to the table's thread and only queue; `work` writes."""

    def __init__(
        self,
        ring: Ring,
        pictures: Pictures = "few",
        per_hour: int = NO_LIMIT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """With few pictures, `per_hour` are the bytes that may be written in an hour of `clock`, which tells seconds.

        Inputs are written all the same, up to as many again.
        """
        self._ring, self._all, self._clock = ring, pictures == "all", clock
        self._queue: Queue[object] = Queue(LINES_WAITING)
        self._room = threading.Semaphore(PICTURES_WAITING)
        self._waiting = 0
        self._written = 0
        self._thread: threading.Thread | None = None
        self._pictures = 0
        self._taken: tuple[Picture, bool] | None = None
        self._fresh_due = True
        self._run, self._longest_run = 0, 1
        self.trouble: tuple[str, Mapping[str, str]] | None = None
        """Why nothing is recorded any more: the id of a sentence with its facts."""
        # What follows belongs to the disk's side.
        self._most = NO_LIMIT if self._all else per_hour
        self._bundles, self._budget = Budget(self._most * BUNDLES, clock), Budget(self._most * (1 - BUNDLES), clock)
        self._settled = 0
        self._moments = Moments()
        self._standing: Line | None = None
        self._whole: set[int] = set()
        self._after = 0
        self._small_s = self._mismatch_s = -math.inf

    # --- the table's side ---------------------------------------------------------------------

    def begin(self, manifest: Mapping[str, Any], clean_bgr: Picture) -> None:
        """From now on; `manifest` tells what the evening begins with."""
        self._put(_Begin(manifest, clean_bgr.copy()))  # as all that is kept of a camera's pictures

    @property
    def wants_fresh_eyes(self) -> bool:
        """Whether a new run of pictures should start now, and all earlier ones are written."""
        full = self._ring.run_is_full if self._all else self._run >= self._longest_run
        return self.trouble is None and self._waiting == self._written and (self._fresh_due or full)

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
            self._run, self._longest_run = 1 if afresh else self._run + 1, run_length(bgr)
            if afresh:
                self._fresh_due = False
            if not self._room.acquire(blocking=False):
                bgr, self._fresh_due = None, True
            else:
                self._waiting += 1
                bgr = bgr.copy()
        self._put(_Heard(Line(step, number, afresh), bgr))

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
        self._thread = threading.Thread(target=self._run_thread, name="recorder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Writes what still waits, but does not wait for ever."""
        if self._thread is None:
            self.work()
            self._write(_STOP)
            return
        try:
            self._queue.put(_STOP, timeout=LAST_WORDS_S)
        except Full:
            return
        self._thread.join(LAST_WORDS_S)

    def _run_thread(self) -> None:
        while (item := self._queue.get()) is not _STOP:
            self._write(item)
        self._write(_STOP)

    def _write(self, item: object) -> None:
        """Raises nothing: whatever goes wrong ends the recording, and nothing else."""
        try:
            if self.trouble is None:
                self._put_down(item)
                if not self._allowed(-self._most):
                    self.trouble = "recorder.flooded", {}
        except Exception as error:
            self.trouble = _told(error)
        finally:
            if isinstance(item, _Heard) and item.bgr is not None:
                self._written += 1
                self._room.release()

    def _put_down(self, item: object) -> None:
        if isinstance(item, _Heard):
            self._take_in(item.line, item.bgr)
            return
        self._put_standing()
        if isinstance(item, _Begin):
            self._moments.begin()
            self._whole.clear()
            self._ring.begin(item.manifest, _png(item.clean_bgr))
        else:
            self._ring.close()

    def _take_in(self, line: Line, bgr: Picture | None) -> None:
        matters, mismatch = self._moments.happened(line.step)
        if self._all:
            if bgr is not None and line.picture is not None:
                self._ring.add_picture(line.picture, _png(bgr), line.afresh)
        else:
            self._take_few(line, bgr, matters)
        self._put_line(line)
        if mismatch and self._clock() - self._mismatch_s >= MISMATCH_EVERY_S:
            self._save_mismatch()

    def _put_line(self, line: Line) -> None:
        """Glances that tell nothing new wait for one that does, and are one line together."""
        standing = self._standing
        if standing is not None and line.joins(standing) and standing.times < MOST_TIMES:
            self._standing = replace(standing, times=standing.times + 1)
            return
        self._put_standing()
        self._standing = line
        if not line.joins(line):
            self._put_standing()

    def _put_standing(self) -> None:
        line, self._standing = self._standing, None
        if line is not None:
            self._ring.add(written(line))

    def _take_few(self, line: Line, bgr: Picture | None, matters: bool) -> None:
        """Keeps a picture in memory, and writes what should be seen of this moment while the budget lasts."""
        if line.picture is not None:
            if bgr is None:
                self._moments.miss()
            else:
                self._moments.hold(Held(line.picture, bgr, line.afresh))
        if matters:
            for picture in self._moments.last():
                self._show_whole(picture.number, picture.bgr)
            self._after = 1
        elif line.picture is None or bgr is None:
            return
        elif self._after:
            self._after -= 1
            self._show_whole(line.picture, bgr)
        elif line.step.records and self._clock() - self._small_s >= SMALL_EVERY_S:
            self._small_s = self._clock()
            self._show(line.picture, jpeg_of(_small(bgr), SMALL_QUALITY))

    def _show_whole(self, number: int, bgr: Picture) -> None:
        if number not in self._whole:
            self._whole.add(number)
            self._show(number, jpeg_of(bgr, WHOLE_QUALITY))

    def _show(self, number: int, jpeg: bytes) -> None:
        if self._allowed(len(jpeg)):
            self._ring.add_picture(number, jpeg, kind=LOSSY)

    def _save_mismatch(self) -> None:
        """A bundle of what led to it, if there are bytes for that."""
        self._put_standing()
        run = [] if self._all else self._moments.run()
        self._settle(self._budget)
        if self._bundles.allows(self._ring.bundle_bytes(len(run))):
            self._mismatch_s = self._clock()
            more = {frame_name(picture.number): _png(picture.bgr) for picture in run}
            self._ring.save_mismatch(self._ring.last_runs() if self._all else (), more)
            self._settle(self._bundles)

    def _allowed(self, count: int) -> bool:
        """Whether so many bytes more may be written, bundles apart."""
        self._settle(self._budget)
        return self._budget.allows(count)

    def _settle(self, budget: Budget) -> None:
        """What was written since goes on this account."""
        budget.spend(self._ring.written - self._settled)
        self._settled = self._ring.written


def manifest(
    game: Game[Any],
    setup: Setup,
    records: list[Record],
    layout: Layout,
    lens: Lens | None,
    config: Mapping[str, Any],
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
        "lens": None if lens is None else lens_json(lens),
    }


def _png(bgr: Picture) -> bytes:
    done, data = cv2.imencode(".png", bgr, PNG)
    assert done, "an 8-bit picture can be encoded"
    return data.tobytes()


def _small(bgr: Picture) -> Picture:
    height, width = bgr.shape[:2]
    size = min(width, SMALL_WIDTH_PX), max(1, round(height * min(width, SMALL_WIDTH_PX) / width))
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def _told(error: Exception) -> tuple[str, Mapping[str, str]]:
    """What went wrong, as the id of a sentence with its facts."""
    if isinstance(error, OSError) and error.errno in SENTENCES:
        return SENTENCES[error.errno], {}
    why = error.strerror if isinstance(error, OSError) else str(error)
    return "recorder.failed", {"why": why or type(error).__name__}
