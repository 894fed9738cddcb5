"""What the table is made of, as the program sees it: camera, lights, buttons, sound.

Each port has real adapters (`hardware/real`) and a simulated one (`hardware/sim`); `hardware/build.py` chooses.
No adapter raises into play: what is missing or broken says so in its status, and comes back by itself.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]
else:
    # Who reads the configuration needs zones and buttons, and need not wait for numpy.
    Picture = object
"""Rows by columns by BGR."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""

LightFrame = Mapping[str, Colour]
"""The whole strip by zone: those of seats, STATUS, and any that a game names. A zone that is not named is dark."""

SEATS = tuple(f"seat.{n}" for n in range(1, 9))
STATUS = "status"

Button = Literal["confirm", "undo", "next"]
BUTTONS: tuple[Button, ...] = ("confirm", "undo", "next")

Cue = Literal["accepted", "refused", "question", "completed", "ended"]
CUES: tuple[Cue, ...] = ("accepted", "refused", "question", "completed", "ended")


class Condition(StrEnum):
    """How a device is."""

    OK = "ok"
    OFF = "off"
    """Switched off in the configuration: nobody misses it."""
    ABSENT = "absent"
    """Was never there."""
    LOST = "lost"
    """Was there; it is looked for again and again."""
    WRONG_VERSION = "wrong_version"
    """Talks another version of the protocol."""
    STUCK = "stuck"
    """A button that seems to be held down for ever."""


@dataclass(frozen=True)
class Status:
    """How a device is, in ids and facts; the sentence for people is `message` in web/strings."""

    device: str
    """camera, lights, buttons or sound."""
    condition: Condition = Condition.OK
    facts: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.condition is Condition.OK

    @property
    def message(self) -> str:
        """The id of the sentence, for example `hardware.camera.lost`."""
        return f"hardware.{self.device}.{self.condition}"


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table."""

    bgr: Picture
    at_s: float
    """When it was taken, on the monotonic clock."""
    seq: int
    """Grows with every picture of a camera; the same number is the same picture."""


@dataclass(frozen=True)
class Exposure:
    """What a camera was locked to, to be kept with the calibration. None: this camera cannot tell."""

    time_us: int | None = None
    gain: float | None = None
    red_gain: float | None = None
    blue_gain: float | None = None
    white_kelvin: float | None = None
    """White balance, of cameras that do not tell gains."""
    focus: float | None = None
    """In the camera's own unit; a Pi camera counts dioptres."""


class Camera(Protocol):
    """Looks down on the table. No call waits longer than a second for a picture."""

    def small(self) -> Frame | None:
        """The newest small picture, for motion; the same again if there is no newer one. None while there is none."""

    def full(self) -> Frame | None:
        """A full picture for reading, exposed after this call began. None if that was not possible.

        Its pixels may lie in the camera's own memory, which is lent until the camera is asked for anything else: who
        keeps a part of it for longer copies that part.
        """

    def lock(self, known: Exposure | None = None) -> Exposure | None:
        """Freezes exposure, gain, white balance and focus: as they are, or as they were once.

        The exposure becomes a multiple of the mains lamps' flicker. None if nothing could be locked.
        """

    def unlock(self) -> None:
        """Lets the camera adapt to the light again."""

    def status(self) -> Status: ...

    def close(self) -> None: ...


class Lights(Protocol):
    """The LED strip and the status light."""

    def show(self, frame: LightFrame) -> None:
        """Lights the table so, until the next frame. Waits for nothing; the newest frame counts."""

    def hold(self, dark: bool = False) -> bool:
        """Keeps the lights as they are (or dark) for an exposure; frames shown meanwhile wait.

        True when the lights have confirmed it. Over a cable, a short while without `release` ends it too.
        """

    def release(self) -> None:
        """Ends `hold`."""

    def status(self) -> Status: ...

    def close(self) -> None: ...


@contextmanager
def held(lights: Lights, dark: bool = False) -> Iterator[bool]:
    """Light-safe exposure: gives whether the lights have confirmed to hold still."""
    confirmed = lights.hold(dark)
    try:
        yield confirmed
    finally:
        lights.release()


@dataclass(frozen=True)
class Press:
    """A button was pressed: short when it came up again soon, long when it stayed down."""

    button: Button
    long: bool
    at_s: float


class Buttons(Protocol):
    """The three buttons beside the table."""

    def poll(self) -> tuple[Press, ...]:
        """What was pressed since the last call, in order. Waits for nothing."""

    def status(self) -> Status: ...

    def close(self) -> None: ...


class Sound(Protocol):
    """A few cues that tell without looking."""

    def play(self, cue: Cue) -> None:
        """Starts a cue and returns at once; a cue that is still sounding gives way."""

    def status(self) -> Status: ...

    def close(self) -> None: ...
