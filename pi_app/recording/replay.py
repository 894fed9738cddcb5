"""Plays a recorded evening again without its table: what would be seen now, and what would be decided?

Two depths: `decide_again` gives the recorded readings to the table of today; `look_again` also reads the recorded
pictures anew. Both tell where they differ from what was recorded, the first differences in words.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.ports import Picture
from pi_app.engine.contract import Message
from pi_app.engine.events import Record
from pi_app.engine.evidence import best_kind
from pi_app.perception.eyes import Eyes
from pi_app.perception.faces import face_picture
from pi_app.perception.sight import Look
from pi_app.recording.bundle import CLEAN, BadBundle, Bundle
from pi_app.recording.lines import Line
from pi_app.storage.store import Store, StoreError
from pi_app.table.inputs import Command, Input, Looked, Step
from pi_app.table.table import Table
from vision.files import check_writable
from vision.pictures import BadPicture, decode_picture

MOST_TOLD = 8
VIDEO_WIDTH_PX, VIDEO_FPS = 960, 6.0
CODECS = {".mp4": "mp4v", ".avi": "MJPG"}


class VideoError(ValueError):
    """The video cannot be written; says why."""


@dataclass
class Report:
    """What came out; `differences` are in the order in which they happened."""

    what: str
    compared: int = 0
    beyond: int = 0
    """Readings that cannot be repeated, because their pictures were not kept."""
    digits: int = 0
    """Readings that say the same, though not to the last digit."""
    accepted: int = 0
    differences: list[str] = field(default_factory=list)
    _standing: list[str] = field(default_factory=list)

    def compare(self, number: int, then: Step, now: Step) -> None:
        """Takes in a step; what differs in the same way for several steps is told once."""
        told = list(_decided_otherwise(then, now))
        self.accepted += len(now.records)
        self.differences += [f"input {number}: {each}" for each in told if each not in self._standing]
        self._standing = told

    @property
    def same(self) -> bool:
        """To the last digit."""
        return not self.differences and not self.digits

    def lines(self) -> Iterator[str]:
        count = len(self.differences)
        beyond = f" ({self.beyond} more have no lossless pictures)" if self.beyond else ""
        result = "all as recorded" if self.same else f"{count} difference{'' if count == 1 else 's'}"
        yield f"{self.what}: {self.compared} compared{beyond}, {self.accepted} events accepted; {result}"
        yield from (f"  {line}" for line in self.differences[:MOST_TOLD])
        if count > MOST_TOLD:
            yield f"  and {count - MOST_TOLD} more"
        if self.digits:
            yield f"  readings that say the same with other digits: {self.digits} (another OpenCV or processor?)"


def decide_again(bundle: Bundle) -> Report:
    """Every recorded input to a table of today. Raises BadBundle."""
    report = Report("decisions")
    for number, line, step in _played(bundle, lambda line, wanted: line.step.input):
        report.compared += 1
        report.compare(number, line.step, step)
    return report


def look_again(bundle: Bundle, done: Callable[[], None] = lambda: None) -> Report:
    """The recorded pictures are read anew, and what is decided then is compared as well. Raises BadBundle."""
    report, eyes = Report("sight"), _EyesAgain(bundle)

    def seen(line: Line, wanted: frozenset[str]) -> Input:
        item = line.step.input
        if not isinstance(item, Looked):
            return item
        look = eyes.look(line)
        if look is None:
            report.beyond += 1
            return item
        done()
        report.compared += 1
        look = look.only(wanted | item.look.boards.keys())
        told = list(_read_otherwise(item.look, look))
        report.digits += look != item.look and not told
        report.differences += [f"picture {line.picture}: {each}" for each in told]
        return Looked(look)

    for number, line, step in _played(bundle, seen):
        report.compare(number, line.step, step)
    return report


def write_video(bundle: Bundle, path: Path, done: Callable[[], None] = lambda: None) -> None:
    """The evening in a few seconds. Raises VideoError and BadBundle."""
    pictures = bundle.pictures
    if not pictures:
        raise VideoError(f"{bundle.path}: holds no pictures")
    try:
        check_writable(path)
    except OSError as error:
        raise VideoError(f"{path}: cannot be written ({error.strerror})") from error
    height, width = _picture(bundle, pictures[0]).shape[:2]
    size = VIDEO_WIDTH_PX, max(2, round(VIDEO_WIDTH_PX * height / width / 2) * 2)  # codecs want even numbers
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*CODECS[path.suffix.lower()]), VIDEO_FPS, size)
    if not video.isOpened():
        raise VideoError(f"{path}: cannot be written; is the folder there, and does this OpenCV write {path.suffix}?")
    try:
        for number in pictures:
            video.write(cv2.resize(_picture(bundle, number), size, interpolation=cv2.INTER_AREA))
            done()
    finally:
        video.release()


# --- playing ----------------------------------------------------------------------------------


class _StoreThen(Store):
    """A store that fails where the recorded one did."""

    failure: Message | None = None
    added = 0

    def append(self, game_id: int, records: Sequence[Record]) -> None:
        self._fail()
        super().append(game_id, records)
        self.added += len(records)

    def new_game(self, *told: Any, **named: Any) -> int:
        self._fail()
        return super().new_game(*told, **named)

    def check_writable(self) -> None:
        self._fail()
        super().check_writable()

    def _fail(self) -> None:
        if self.failure is not None:
            raise StoreError(self.failure.id.removeprefix("store."), **self.failure.facts)


def _played(bundle: Bundle, seen: Callable[[Line, frozenset[str]], Input]) -> Iterator[tuple[int, Line, Step]]:
    """Every input by number, with its line and the step that it leads to now.

    `seen` tells what the table sees instead, given the boards that it wants to be looked at.
    """
    stamps = [record.at for line in bundle.lines() for record in line.step.records] or [""]
    steps: list[Step] = []
    with tempfile.TemporaryDirectory() as folder, _StoreThen(Path(folder) / "games.db") as store:
        game_id = store.new_game(bundle.game.name, bundle.setup, "")
        store.append(game_id, bundle.records)
        store.added = 0
        # A record gets the time stamp that the record in its place had.
        table = Table(bundle.game, store, bundle.setup, lambda: stamps[min(store.added, len(stamps) - 1)])
        table.step(Command("continue"))
        table.listen(steps.append)
        inputs = (line for line in bundle.lines() for _ in range(line.times))
        for number, line in enumerate(inputs, 1):
            store.failure = line.step.failure
            _step(bundle, table, number, seen(line, table.wanted))
            yield number, line, steps.pop()


def _step(bundle: Bundle, table: Table, number: int, item: Input) -> None:
    table.step(item)
    if table.trouble is not None and table.trouble.id == "table.failed":
        # The table trusts its own eyes; what a stranger's file says was seen may be any nonsense.
        raise BadBundle(f"{bundle.path}: input {number} makes no sense at this table")


class _EyesAgain:
    """Reads what was read. A run of pictures can be repeated from its start, as far as it is there."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle, self._there = bundle, set(bundle.lossless)
        # The faces of pieces are those of the edition, whoever owns the boards.
        faces = face_picture(bundle.game.edition.kit(bundle.setup.profile))
        self._eyes = Eyes(bundle.layout, bundle.game.surfaces(bundle.setup), bundle.lens, faces)
        if missing := self._eyes.learn(_decoded(bundle, CLEAN, bundle.clean_png)):
            raise BadBundle(f"{bundle.path}: {CLEAN} does not show {', '.join(missing)}")
        self._whole = False

    def look(self, line: Line) -> Look | None:
        """None where that cannot be repeated."""
        if line.picture not in self._there:
            self._whole = False
            return None
        if line.afresh:
            self._whole = self._eyes.start_afresh()
        if not self._whole or line.picture is None:
            return None
        return self._eyes.look(_picture(self._bundle, line.picture))


def _picture(bundle: Bundle, number: int) -> Picture:
    return _decoded(bundle, f"picture {number}", bundle.picture(number))


def _decoded(bundle: Bundle, name: str, png: bytes) -> Picture:
    try:
        return np.asarray(decode_picture(png), np.uint8)
    except BadPicture as error:
        raise BadBundle(f"{bundle.path}: {name} {error}") from error


# --- comparing --------------------------------------------------------------------------------


def _decided_otherwise(then: Step, now: Step) -> Iterator[str]:
    if now.records != then.records:
        shared = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(now.records, then.records, strict=False))
        )
        yield f"would accept {_events(now.records[shared:])}; accepted {_events(then.records[shared:])} then"
    if now.wrong != then.wrong:
        yield f"would refuse {', '.join(now.wrong) or 'nothing'}; refused {', '.join(then.wrong) or 'nothing'} then"
    if now.asked != then.asked:
        yield f"would ask about {now.asked or 'nothing'}; asked about {then.asked or 'nothing'} then"


def _events(records: Sequence[Record]) -> str:
    return ", ".join(f"{record.seq} {record.event}" for record in records) or "nothing"


def _read_otherwise(then: Look, now: Look) -> Iterator[str]:
    """What the two readings do not share, digits apart."""
    for board in sorted(then.boards.keys() | now.boards.keys()):
        if (board in then.boards) != (board in now.boards):
            yield f"{board} {'is seen now' if board in now.boards else 'is not seen any more'}"
        else:
            yield from _marks_otherwise(then, now, board)
    if now.hidden != then.hidden:
        yield f"hidden: {', '.join(sorted(now.hidden)) or 'nothing'}, was {', '.join(sorted(then.hidden)) or 'nothing'}"


def _marks_otherwise(then: Look, now: Look, board: str) -> Iterator[str]:
    before, after = then.boards[board], now.boards[board]
    for region in sorted(before.keys() | after.keys()):
        was, is_now = (best_kind(look[region]) if look.get(region) else "nothing" for look in (before, after))
        if was != is_now:
            yield f"{board} {region} reads {is_now}, read {was} then"
