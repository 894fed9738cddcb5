"""What is on the table, how it is lit and how it is seen: plain descriptions.

Lengths are millimetres on the table (x right, y down in the picture, z up), colours BGR from 0 to 255
as they look in good light. Every nuisance is a knob of its own that does nothing by default.
"""

from dataclasses import dataclass, field

import numpy as np

from vision.die import DIE_MM
from vision.layout import BoardLayout
from vision.render.camera import Camera
from vision.render.noise import Array, chance

Colour = tuple[float, float, float]
PointMm = tuple[float, float]

MARK_KINDS = ("cross", "scribble", "fill", "circle")
PENS = ("black", "blue", "red", "green")
TABLE_KINDS = ("plain", "wood", "checked", "striped")
THING_KINDS = ("pen", "marker", "token", "disc", "cube", "phone", "mug", "screen")
MATERIALS = ("matte", "glossy", "wood")


@dataclass(frozen=True)
class Mark:
    """Ink drawn by hand over a region; `progress` 0..1 tells how much of it is drawn yet."""

    region: str
    kind: str
    pen: str = "black"
    width_mm: float = 0.9
    wobble: float = 0.0  # 1: a child in a car
    gaps: float = 0.0  # the share of the line where the pen did not touch
    overshoot_mm: float = 0.0  # how far the line runs out of the region
    uneven: float = 0.0  # how much the density changes along the line
    dryness: float = 0.0  # 1: nothing left in the pen; before that it skips over the board
    pale: float = 0.0  # 1: no colour left in the ink; before that lines are whole but thin as a wash
    body: float = 0.0  # 0: a stain that only swallows light, 1: paint that covers the print with its own colour
    ghost: float = 0.0  # above 0 the mark was wiped, and this share of its ink remains, smeared
    progress: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        _one_of(self.kind, MARK_KINDS)
        _one_of(self.pen, PENS)


@dataclass(frozen=True)
class Stroke:
    """A line that somebody drew free hand, in millimetres of its board."""

    points_mm: tuple[PointMm, ...]
    pen: str = "black"
    width_mm: float = 0.9

    def __post_init__(self) -> None:
        _one_of(self.pen, PENS)


@dataclass(frozen=True)
class PlacedBoard:
    """A board of the kit on the table; marks are drawn in their order."""

    board_id: str
    centre_mm: PointMm = (0.0, 0.0)
    rotation_deg: float = 0.0
    marks: tuple[Mark, ...] = ()
    strokes: tuple[Stroke, ...] = ()


@dataclass(frozen=True)
class Die:
    """A die on the table; opposite faces sum to seven."""

    value: int
    centre_mm: PointMm
    rotation_deg: float = 0.0
    size_mm: float = DIE_MM
    body_bgr: Colour = (235.0, 238.0, 240.0)
    pip_bgr: Colour = (25.0, 25.0, 25.0)
    roundness: float = 0.5  # 0: sharp edges, 1: nearly a ball
    gloss: float = 0.3
    opacity: float = 1.0  # below 1: translucent

    def __post_init__(self) -> None:
        if self.value not in range(1, 7):
            raise ValueError(f"a die shows 1 to 6, not {self.value}")


@dataclass(frozen=True)
class Thing:
    """Clutter: something that lies about and is neither board nor die."""

    kind: str
    centre_mm: PointMm
    rotation_deg: float = 0.0
    bgr: Colour = (180.0, 60.0, 30.0)

    def __post_init__(self) -> None:
        _one_of(self.kind, THING_KINDS)


@dataclass(frozen=True)
class Piece:
    """A piece of the kit on the table, `base_mm` above it when it lies on something.

    `at` is the board and region that it was put on, for the truth alone; None is anywhere else.
    """

    kind: str
    centre_mm: PointMm
    rotation_deg: float = 0.0
    face: str = "up"
    material: str = "matte"
    base_mm: float = 0.0
    at: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        _one_of(self.material, MATERIALS)


@dataclass(frozen=True)
class Hand:
    """A hand over the table: its longest finger (or its pen) points at `tip_mm`."""

    tip_mm: PointMm
    from_deg: float = 90.0  # where the arm comes from: 0 right, 90 the lower edge of the picture
    writing: bool = False
    left: bool = False
    skin_bgr: Colour = (120.0, 150.0, 205.0)
    sleeve_bgr: Colour = (90.0, 70.0, 60.0)
    pen_bgr: Colour = (60.0, 60.0, 60.0)
    spread: float = 0.5
    height_mm: float = 6.0


@dataclass(frozen=True)
class TableTop:
    """The table or its cloth."""

    kind: str = "plain"
    bgr: Colour = (120.0, 135.0, 150.0)
    second_bgr: Colour = (215.0, 220.0, 225.0)
    pattern_mm: float = 40.0
    roughness: float = 0.0  # speckle of a weave or of wood pores

    def __post_init__(self) -> None:
        _one_of(self.kind, TABLE_KINDS)


@dataclass(frozen=True)
class Lamp:
    """A lamp over the table: with `uneven` 1 it is a near bulb, with 0 it lights everything alike."""

    position_mm: tuple[float, float, float] = (0.0, 0.0, 2200.0)
    bgr: Colour = (255.0, 255.0, 255.0)
    power: float = 0.6
    size_mm: float = 600.0  # a large lamp has soft shadows
    uneven: float = 0.0
    shadows: float = 1.0


@dataclass(frozen=True)
class Shade:
    """The shadow of somebody or something outside the picture: an outline on the table."""

    outline_mm: tuple[PointMm, ...]
    strength: float = 0.5
    softness_mm: float = 0.0


@dataclass(frozen=True)
class Glare:
    """The mirror image of a lamp on the glossy boards; `strength` 1 bleaches what is under it."""

    centre_mm: PointMm
    radius_mm: float = 60.0
    strength: float = 1.0
    bgr: Colour = (255.0, 255.0, 255.0)
    softness: float = 1.0  # 1 fades from its middle, 0 ends as sharply as the lamp
    ripple_mm: float = 0.0  # how far a film that is not quite flat bends the image


@dataclass(frozen=True)
class Lights:
    """All light: `level` scales it, `cast_bgr` colours it, `ambient` comes from everywhere."""

    level: float = 1.0
    cast_bgr: Colour = (255.0, 255.0, 255.0)
    ambient: float = 0.4
    lamps: tuple[Lamp, ...] = (Lamp(),)
    shades: tuple[Shade, ...] = ()
    glares: tuple[Glare, ...] = ()
    sheen: float = 0.0  # a slight gloss of the room on the boards
    film: int = 0  # another number: the boards' film lies otherwise, as after a touch, and gloss with it


@dataclass(frozen=True)
class Sensor:
    """What the camera makes of the light."""

    noise: float = 0.0  # about the standard deviation in grey levels in mid grey
    blotches: float = 0.0  # coarse colour noise that smoothing in a camera leaves, as a share of the noise
    blur_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    vignette: float = 0.0
    sharpening: float = 0.0  # what most cameras do to look crisp: 1 doubles every edge
    jpeg_quality: int | None = None


@dataclass(frozen=True)
class Scene:
    """A table at a moment. `seed` decides grain and handwriting, `moment` only the sensor's noise."""

    boards: tuple[PlacedBoard, ...] = ()
    dice: tuple[Die, ...] = ()
    things: tuple[Thing, ...] = ()
    pieces: tuple[Piece, ...] = ()
    hands: tuple[Hand, ...] = ()
    camera: Camera = field(default_factory=Camera)
    table: TableTop = field(default_factory=TableTop)
    lights: Lights = field(default_factory=Lights)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0
    moment: int = 0


def by_hand(region: str, kind: str, pen: str = "black", *, care: float = 0.5, seed: int = 0) -> Mark:
    """A mark as somebody would draw it; `care` 1 is neat, 0 is in a hurry with an old pen."""
    rng, haste = chance("by hand", region, kind, pen, seed), 1 - care
    return Mark(
        region,
        kind,
        pen,
        width_mm=float(rng.uniform(0.45, 1.15)),
        wobble=float(rng.uniform(0.2, 0.4 + 0.6 * haste)),
        gaps=float(rng.uniform(0, 0.12) * haste),
        overshoot_mm=float(rng.uniform(-1.5, 2.0 * haste)),
        uneven=float(rng.uniform(0.2, 0.7)),
        dryness=float(rng.uniform(0.0, 0.2 + 0.7 * haste)),
        seed=seed,
    )


def in_section(placed: PlacedBoard, board: BoardLayout, region: str) -> PointMm:
    """The table point at the middle of a board's region: where to put a die."""
    middle = np.mean(board.regions[region], axis=0, keepdims=True)
    x, y = on_table(placed, board, middle)[0]
    return float(x), float(y)


def put_on(
    placed: PlacedBoard,
    board: BoardLayout,
    region: str,
    kind: str,
    *,
    off_mm: PointMm = (0.0, 0.0),
    turn_deg: float = 0.0,
    face: str = "up",
    material: str = "matte",
    base_mm: float = 0.0,
) -> Piece:
    """A piece on a board's region, `off_mm` from its middle as the board has it, turned against the board."""
    middle = np.mean(board.regions[region], axis=0, keepdims=True) + off_mm
    x, y = on_table(placed, board, middle)[0]
    turned, at = placed.rotation_deg + turn_deg, (board.id, region)
    return Piece(kind, (float(x), float(y)), turned, face, material, base_mm, at)


def on_table(placed: PlacedBoard, board: BoardLayout, points_mm: Array) -> Array:
    """Table points (n × 2) of points on a board."""
    turn = np.radians(placed.rotation_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(
        (np.asarray(points_mm, float) - (board.width_mm / 2, board.height_mm / 2)) @ rotation.T + placed.centre_mm
    )


def _one_of(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise ValueError(f"'{name}' is none of {', '.join(known)}")
