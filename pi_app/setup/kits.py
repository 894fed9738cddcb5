"""Printable kits, each made once, in the background, and kept until its profile changes."""

import hashlib
import json
import logging
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Literal

from pi_app.files import sync
from pi_app.setup.profiles import Shelf
from vision.kit.kit import PAPERS_MM, Kit
from vision.kit.write import write_kit
from vision.layout import Layout
from web.people import Refused

ZIP = "kit.zip"
"""The boards' pictures and their layout in one file."""
MOST_KITS = 6
_FORM = 2  # counted up when kits look otherwise, so that old ones are not taken for new

log = logging.getLogger(__name__)


class KitMaker:
    """Any thread may ask. One kit is made at a time."""

    files = (*PAPERS_MM, ZIP)

    def __init__(self, shelf: Shelf, folder: Path, start: Callable[[Callable[[], None]], None] | None = None) -> None:
        """`start` has something done in the background; tests have it done at once."""
        self._shelf, self._folder = shelf, folder / "kits"
        self._start = start or (lambda work: Thread(target=work, name="kit", daemon=True).start())
        self._lock, self._working = Lock(), Lock()
        self._making: set[str] = set()
        self._failed: set[str] = set()

    def state(self, name: str, side: str) -> Literal["missing", "making", "ready", "failed"]:
        key = _key(*self._facts(name, side))
        if (self._folder / key / ZIP).is_file():
            return "ready"
        with self._lock:
            return "making" if key in self._making else "failed" if key in self._failed else "missing"

    def make(self, name: str, side: str) -> None:
        facts = self._facts(name, side)
        key = _key(*facts)
        with self._lock:
            if key in self._making or (self._folder / key / ZIP).is_file():
                return
            self._making.add(key)
            self._failed.discard(key)
        self._start(lambda: self._work(key, *facts))

    def file(self, name: str, side: str, which: str) -> Path:
        if which not in self.files or self.state(name, side) != "ready":
            raise Refused("web.not_found")
        return self._folder / _key(*self._facts(name, side)) / which

    def layout(self, name: str, side: str, our_print: bool = False) -> Layout:
        """Where things are on the boards, or on our print of them, whatever their owner measured.

        Its folder has pictures of them only if the kit was made and is our own.
        """
        profile, measured = self._facts(name, side)
        if our_print:
            measured = None
        layout, made = self._shelf.kit(profile, measured).layout, self._folder / _key(profile, measured)
        return replace(layout, folder=made) if measured is None and (made / ZIP).is_file() else layout

    def _facts(self, name: str, side: str) -> tuple[Any, Any]:
        return self._shelf.printed(name, side)

    def _work(self, key: str, profile: Any, measured: Any) -> None:
        try:
            with self._working:
                self._write(key, self._shelf.kit(profile, measured))
        except Exception:
            log.exception("a kit could not be made")
            with self._lock:
                self._failed.add(key)
        finally:
            with self._lock:
                self._making.discard(key)

    def _write(self, key: str, kit: Kit) -> None:
        """Into a folder of its own first: what lies under its final name is whole."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".making-", dir=self._folder))
        try:
            write_kit(kit, draft)
            with zipfile.ZipFile(draft / ZIP, "w") as archive:
                for name in kit.files:
                    if name not in PAPERS_MM:
                        archive.write(draft / name, name, zipfile.ZIP_DEFLATED)
            for file in draft.iterdir():
                sync(file)
            shutil.rmtree(self._folder / key, ignore_errors=True)
            draft.rename(self._folder / key)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        self._forget_old()

    def _forget_old(self) -> None:
        kits = sorted(self._folder.glob("[0-9a-f]*"), key=lambda kit: kit.stat().st_mtime, reverse=True)
        for kit in kits[MOST_KITS:]:
            shutil.rmtree(kit, ignore_errors=True)


def _key(profile: Any, measured: Any) -> str:
    """Changes with anything that is printed."""
    told = json.dumps([_FORM, profile, measured], sort_keys=True, default=str).encode()
    return hashlib.sha256(told).hexdigest()[:24]
