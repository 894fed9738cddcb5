"""What lies on the simulated table, as plain values. Lengths are millimetres from the middle of the table,
x to the right, y towards the lower edge of the camera's picture; times are seconds on the table's clock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hardware.ports import Colour, Picture

InkKind = Literal["cross", "scribble", "fill", "circle"]
Pen = Literal["black", "blue", "red", "green"]
PENS: tuple[Pen, ...] = ("black", "blue", "red", "green")

ThingKind = Literal["pen", "marker", "token", "phone", "mug"]

PointMm = tuple[float, float]
Outline = Sequence[PointMm]
"""Corners in millimetres from a board's top left."""
Place = tuple[str, str]
"""A region of a board: the board's id, and the region's."""


@dataclass(frozen=True)
class SimBoard:
    """Something printed, and where the middle of it lies on the table."""

    id: str
    width_mm: float
    height_mm: float
    owner: int | None = None
    """The seat that it lies before; None for what lies in the middle."""
    regions: Mapping[str, Outline] = field(default_factory=dict)
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True)
class SimInk:
    """A mark that is being drawn from `begin_s` on and finished at `end_s`."""

    board: str
    region: str
    kind: InkKind
    pen: Pen
    begin_s: float
    end_s: float
    care: float = 0.6
    """1 is neat, 0 in a hurry with an old pen."""
    left: float = 1.0
    """Below 1 it was wiped, and this share of the ink is still there."""
    seed: int = 0

    def drawn(self, at_s: float) -> float:
        """How much of it is drawn, 0 to 1."""
        if at_s >= self.end_s:
            return 1.0
        return max(0.0, at_s - self.begin_s) / (self.end_s - self.begin_s)


@dataclass(frozen=True)
class SimStroke:
    """A line that somebody drew free hand, in millimetres from the board's top left corner."""

    board: str
    points_mm: tuple[PointMm, ...]
    pen: Pen = "black"
    width_mm: float = 0.9


@dataclass(frozen=True)
class SimHand:
    """A hand over a board from `begin_s` to `end_s`: at a region, or with its pen where the ink is being drawn."""

    board: str
    begin_s: float
    end_s: float = float("inf")
    region: str | None = None
    writing: bool = False
    at_mm: PointMm | None = None
    """Where on the board its pen or finger is, if somebody moves it free hand."""

    def there(self, at_s: float) -> bool:
        return self.begin_s <= at_s < self.end_s


@dataclass(frozen=True)
class SimThing:
    """Something that lies about from `begin_s` to `end_s`, and is neither board nor die."""

    kind: ThingKind
    x_mm: float
    y_mm: float
    turn_deg: float
    begin_s: float
    end_s: float

    def there(self, at_s: float) -> bool:
        return self.begin_s <= at_s < self.end_s


@dataclass(frozen=True)
class SimDie:
    """A die loose on the table, or at a place, counted from the middle of that region."""

    number: int
    value: int
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    at: Place | None = None


@dataclass(frozen=True)
class SimPiece:
    """A piece of the kit on a region, so far from where it belongs there; `spot` is from the middle of the region."""

    kind: str
    face: str
    at: Place
    spot_mm: PointMm = (0.0, 0.0)
    off_mm: PointMm = (0.0, 0.0)
    turn_deg: float = 0.0


@dataclass(frozen=True)
class SimCameraPose:
    """How far the camera is from where it was mounted."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    tilt_deg: float = 0.0


@dataclass(frozen=True)
class SimTableState:
    boards: tuple[SimBoard, ...] = ()
    inks: tuple[SimInk, ...] = ()
    strokes: tuple[SimStroke, ...] = ()
    hands: tuple[SimHand, ...] = ()
    dice: tuple[SimDie, ...] = ()
    taken: tuple[SimDie, ...] = ()
    """Dice of this roll that somebody holds: out of the camera's sight."""
    pieces: tuple[SimPiece, ...] = ()
    things: tuple[SimThing, ...] = ()
    lamp: float = 1.0
    """0 is switched off."""
    daylight: float = 1.0
    glow: Mapping[str, Colour] = field(default_factory=dict)
    """What the LED strip shines on the boards, by zone."""
    camera: SimCameraPose = SimCameraPose()
    lens_covered: bool = False
    seed: int = 0

    @property
    def brightness(self) -> float:
        """1 in an ordinary evening's light."""
        return 0.6 * self.lamp + 0.4 * self.daylight


@dataclass(frozen=True)
class View:
    """One exposure of the simulated camera."""

    size_px: tuple[int, int]
    at_s: float
    exposure: float
    """How much the camera brightens: 1 suits an ordinary evening's light."""
    moment: int
    """Decides the sensor's noise."""


Draw = Callable[[SimTableState, View], Picture]
"""Draws the table as a camera sees it. Lent by who knows how boards look; this room does not."""
