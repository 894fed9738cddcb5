"""The camera while it is being set up: what it sees, what to mend, its lens, and the clean boards."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from hardware.ports import Frame, Picture, Status
from pi_app.files import write_whole
from pi_app.setup.window import Window
from vision.calibrate import FEWEST_VIEWS, BoardView, CannotCalibrate, board_views, lens_from
from vision.catalogue import OPEN
from vision.checks import check_picture
from vision.flicker import stripes
from vision.layout import Layout
from vision.locate import find_boards, frame_size_px
from vision.overlay import overlay
from vision.pictures import BadPicture, jpeg_of, load_picture, png_of
from vision.read import Reader, TableReading
from vision.rectify import Lens, lens_json, parse_lens
from web.people import Refused
from web.workshop import CleanState, LensState, Said, Severity

LEAST_REST_S, MOST_REST_S = 0.7, 3.0
SHARE_OF_TIME = 0.25
"""Looking costs about so much of a processor core, however many look: the table comes first."""
SHOWN_WIDTH_PX = 1_600
MOST_LENS_PICTURES = 40
SURE = 0.97
FEW_MARKS = 2  # so many may be dust or a scratch
FLICKER = 0.04, 0.15  # rows that brighten so much against others from picture to picture


@dataclass(frozen=True, eq=False)
class _Seen:
    """A picture with what was made of it."""

    frame: Frame
    jpeg: bytes
    findings: tuple[Said, ...]
    measured: tuple[Said, ...]
    """Board by board, for who wants it in numbers."""


class CameraSetup:
    """Any thread may use it. Pictures come through the window; the table's own eyes are not touched."""

    def __init__(
        self,
        window: Window,
        layout: Callable[[], Layout],
        folder: Path,
        status: Callable[[], Status],
        now: Callable[[], float],
    ) -> None:
        """`layout` tells which boards should lie there, `status` how the camera is."""
        self._window, self._layout, self._status, self._now = window, layout, status, now
        self._lens_file, self._clean_file = lens_file(folder), clean_file(folder)
        self._worker = ThreadPoolExecutor(1, "camera set-up")
        """Does all looking, one thing after the other: a thread that reads needs networks of its own."""
        self._seen: _Seen | None = None
        self._rest_until_s = float("-inf")
        self._reader: tuple[object, Reader | None] | None = None
        self._views: list[tuple[tuple[int, int], BoardView]] = []
        self._pictures = 0

    # --- looking ------------------------------------------------------------------------------

    def picture(self) -> bytes:
        return self._worker.submit(self._look).result().jpeg

    def findings(self) -> tuple[Said, ...]:
        return self._worker.submit(self._look).result().findings

    def measured(self) -> tuple[Said, ...]:
        """The findings, and how many pixels a millimetre of every board has."""
        seen = self._worker.submit(self._look).result()
        return (*seen.findings, *seen.measured)

    def _look(self) -> _Seen:
        """The same picture for all who look, a new one only after a rest."""
        if self._seen is not None and self._now() < self._rest_until_s:
            return self._seen
        frame = self.frame()
        if self._seen is None or frame is not self._seen.frame:
            begun_s = self._now()
            self._seen = self._made(frame)
            took_s = self._now() - begun_s
            rest_s = took_s / SHARE_OF_TIME - took_s
            self._rest_until_s = self._now() + min(max(rest_s, LEAST_REST_S), MOST_REST_S)
        return self._seen

    def _made(self, frame: Frame) -> _Seen:
        layout = self._layout()
        reading = self._read(layout, frame.bgr)
        drawn = overlay(frame.bgr, layout, reading, words=False)
        found = check_picture(frame.bgr, layout, reading.found)
        said = tuple(Said(finding.check, finding.severity, finding.message, finding.facts) for finding in found)
        said += self._flicker(frame)
        fineness = tuple(
            Said("pixels", "good", "doctor.pixels.good", {"board": board, "pixels": round(pose.px_per_mm, 1)})
            for board, pose in reading.found.boards.items()
            if pose.age == 0
        )
        return _Seen(frame, jpeg_of(_narrowed(drawn)), said, fineness)

    def _flicker(self, frame: Frame) -> tuple[Said, ...]:
        """Against the picture before; nothing is known after a single one."""
        if self._seen is None or self._seen.frame.bgr.shape != frame.bgr.shape:
            return ()
        share = stripes(self._seen.frame.bgr, frame.bgr)
        severity: Severity = "good" if share < FLICKER[0] else "warn" if share < FLICKER[1] else "bad"
        return (Said("flicker", severity, f"check.flicker.{severity}", {"percent": round(100 * share)}),)

    def _read(self, layout: Layout, bgr: Picture) -> TableReading:
        """Everything, or only where the boards lie: while there is nothing to compare them with, and at first.

        The first reading takes seconds, and whoever points a camera wants to see something at once.
        """
        reader = self._reader_for(layout)
        if reader is not None:
            return reader.read(bgr)
        return TableReading(find_boards(bgr, layout, fitting_lens(self._lens_file, bgr)), {}, ())

    def _reader_for(self, layout: Layout) -> Reader | None:
        key = (layout, _changed_at(self._clean_file), _changed_at(self._lens_file))
        if self._reader is not None and self._reader[0] == key:
            return self._reader[1]
        reader = Reader(layout, load_lens(self._lens_file))
        self._reader = key, None
        clean = load_clean(self._clean_file)
        known = set() if clean is None else set(reader.take_reference(clean).boards)
        printed = {board.id for board in layout.boards if (layout.folder / board.image).is_file()}
        if {board.id for board in layout.boards} <= known | printed:
            self._reader = key, reader
        return None

    def frame(self) -> Frame:
        """A new picture, or why there is none."""
        frame = self._window.look()
        if frame is None:
            status = self._status()
            raise Refused("setup.no_picture" if status.ok else status.message, **status.facts)
        return frame

    # --- the lens -----------------------------------------------------------------------------

    def lens(self) -> LensState:
        covered = [False] * 9
        for (width, height), view in self._views:
            for x, y in (view.seen_px / [width, height] * 3).astype(int).clip(0, 2):
                covered[3 * int(y) + int(x)] = True
        known = load_lens(self._lens_file) is not None
        return LensState(known, self._pictures, len(self._views), FEWEST_VIEWS, covered)

    def take_lens_picture(self) -> LensState:
        return self._worker.submit(self._take_lens_picture).result()

    def measure_lens(self) -> LensState:
        return self._worker.submit(self._measure_lens).result()

    def forget_lens(self) -> LensState:
        return self._worker.submit(self._forget_lens).result()

    def _take_lens_picture(self) -> LensState:
        frame = self.frame()
        views = board_views(frame.bgr, self._layout())
        if not views:
            raise Refused("setup.lens_no_board")
        size = frame_size_px(frame.bgr)
        if self._pictures >= MOST_LENS_PICTURES or any(known != size for known, _ in self._views):
            self._drop_views()
        self._views = [*self._views, *((size, view) for view in views)]
        self._pictures += 1
        return self.lens()

    def _measure_lens(self) -> LensState:
        size = self._views[0][0] if self._views else (1, 1)
        try:
            lens = lens_from([view for _, view in self._views], size)
        except CannotCalibrate as error:
            raise Refused(f"setup.lens_{error.code}", **error.facts) from error
        _write(self._lens_file, json.dumps(lens_json(lens)).encode())
        self._drop_views()
        return self.lens()

    def _forget_lens(self) -> LensState:
        self._lens_file.unlink(missing_ok=True)
        self._drop_views()
        return self.lens()

    def _drop_views(self) -> None:
        self._views, self._pictures = [], 0

    # --- the clean boards ---------------------------------------------------------------------

    def clean(self) -> CleanState:
        changed_s = _changed_at(self._clean_file)
        if changed_s is None:
            return CleanState(None)
        return CleanState(datetime.fromtimestamp(changed_s, UTC).isoformat(timespec="seconds"))

    def take_clean(self, anyway: bool) -> CleanState:
        return self._worker.submit(self._take_clean, anyway).result()

    def _take_clean(self, anyway: bool) -> CleanState:
        frame, layout = self.frame(), self._layout()
        found = find_boards(frame.bgr, layout, fitting_lens(self._lens_file, frame.bgr))
        kinds_missing = {board.kind for board in layout.boards} - {layout.board(board).kind for board in found.boards}
        missing = [board.id for board in layout.boards if board.id not in found.boards]
        if kinds_missing:
            raise Refused("setup.clean_missing", boards=missing)
        if not anyway:
            self._check_bare(layout, frame.bgr)
        _write(self._clean_file, png_of(frame.bgr))
        return CleanState(self.clean().taken_at, list(found.boards), missing)

    def _check_bare(self, layout: Layout, bgr: Picture) -> None:
        """Raises Refused when there is ink on a board that we know the print of, or a die where dice are put."""
        if not all((layout.folder / board.image).is_file() for board in layout.boards):
            return
        reading = Reader(layout, load_lens(self._lens_file)).read(bgr)
        if any(die.region is not None for die in reading.dice):
            raise Refused("setup.clean_dice")
        for board, marks in reading.marks.items():
            drawn = [mark for mark in marks.values() if mark.kind not in ("empty", OPEN, "unsure")]
            if sum(mark.confidence >= SURE for mark in drawn) > FEW_MARKS:
                raise Refused("setup.clean_ink", board=board)


# --- what is kept beside the database ---------------------------------------------------------


def lens_file(folder: Path) -> Path:
    return folder / "lens.json"


def clean_file(folder: Path) -> Path:
    return folder / "clean.png"


def load_lens(path: Path) -> Lens | None:
    """The lens that was measured; None if nobody did, or if the file cannot be used."""
    try:
        return parse_lens(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def fitting_lens(path: Path, bgr: Picture) -> Lens | None:
    lens = load_lens(path)
    return lens if lens is not None and lens.fits(*frame_size_px(bgr)) else None


def load_clean(path: Path) -> Picture | None:
    try:
        return load_picture(path)
    except BadPicture:
        return None


def _changed_at(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise Refused("setup.cannot_write", why=error.strerror or "") from error


def _narrowed(picture: Picture) -> Picture:
    scale = SHOWN_WIDTH_PX / picture.shape[1]
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
