"""Before a game is watched: its boards are seen as they are printed, with nothing drawn on them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path

from hardware.ports import Camera, Picture
from hardware.steady import ADAPTING, SETTLING
from pi_app.engine.contract import Message, Surface
from pi_app.engine.kinds import EMPTY
from pi_app.perception.eyes import Eyes
from pi_app.perception.sight import Look
from vision.pictures import BadPicture, load_picture

WIPING_S = 90.0  # what is still seen on a board after so long is taken for print
INKED, FEW = 4.0, 1  # how much likelier ink must be than none, and on how many regions it may be an error


class Phase(Enum):
    RECALLING = auto()  # something is drawn already: a picture of the boards before that is needed
    WIPING = auto()  # ink of the game before must not be taken for print: people get some time to wipe it
    FINDING = auto()  # every board is to be seen, before the camera is locked
    LOCKING = auto()  # the camera adapts to the light and is locked to it
    LEARNING = auto()  # the clean boards are learned


class Preparation:
    """Makes the eyes know the clean boards: `step` is called with every picture until it gives theirs."""

    def __init__(
        self,
        camera: Camera,
        eyes: Eyes,
        surfaces: Sequence[Surface],
        now: Callable[[], float],
        clean: Path | None,
        inked: bool,
    ) -> None:
        """`clean` is the picture that was kept the last time; a simulated table, which begins clean, needs none.

        `inked` says that by the record something is drawn on the boards by now.
        """
        self._camera, self._eyes, self._surfaces, self._now, self._clean = camera, eyes, surfaces, now, clean
        self._begun_s, self._locking = now(), 0
        self._tried: int | None = -1
        self.recalled: Picture | None = None
        """The kept picture, where it is used."""
        if clean is None:
            self._phase = Phase.LEARNING
        elif inked:
            self._phase = Phase.RECALLING
        else:
            self._phase = Phase.FINDING if self._kept() is None else Phase.WIPING

    def step(self) -> Picture | Message | None:
        """One picture later: the clean boards once all is ready, or what is missing."""
        if self._phase is Phase.LOCKING:
            return self._lock()
        if self._phase is Phase.RECALLING:
            self.recalled = self._kept()
            if self.recalled is None:
                return Message("sight.clean_gone")
            self._phase = Phase.LOCKING
            return None
        frame = self._camera.full()
        if frame is None:
            status = self._camera.status()
            return Message(status.message, status.facts)
        if self._phase is Phase.WIPING:
            inked = _inked(self._surfaces, self._eyes.look(frame.bgr))
            if inked and self._now() - self._begun_s < WIPING_S:
                return Message("sight.not_wiped", {"board": inked[0]})
            self._phase = Phase.FINDING
            return None
        if missing := self._eyes.learn(frame.bgr):
            return Message("sight.board_missing", {"board": missing[0]})
        if self._phase is Phase.LEARNING:
            return frame.bgr
        self._phase = Phase.LOCKING
        return None

    def _kept(self) -> Picture | None:
        """The picture of the clean boards from before, if it is good; it is tried again whenever it has changed."""
        if self._clean is not None and (changed := _changed_at(self._clean)) != self._tried:
            self._tried = changed
            with suppress(BadPicture):
                clean_bgr = load_picture(self._clean)
                if not self._eyes.learn(clean_bgr):
                    return clean_bgr
        return None

    def _lock(self) -> Picture | None:
        """Keeps exposure, white balance and focus as the camera's automatic has found them."""
        if self._locking == ADAPTING:
            self._camera.lock()
        self._locking += 1
        if self._locking < ADAPTING + SETTLING:
            return None
        self._phase = Phase.LEARNING
        return self.recalled


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _inked(surfaces: Iterable[Surface], look: Look) -> list[str]:
    """Boards on which more is drawn than a reader's errors explain."""
    drawn = {
        surface.id: sum(max(kinds.values()) - kinds.get(EMPTY, 0.0) > INKED for kinds in regions.values())
        for surface in surfaces
        if not surface.pieces and (regions := look.boards.get(surface.id)) is not None
    }
    return [board for board, regions in drawn.items() if regions > FEW]
