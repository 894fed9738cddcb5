"""Tables of an evening under named conditions, for the accuracy matrix. Not what the networks learned from:
those tables are drawn by `tools/`, wider and wilder than these."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tests.bench.pieces import pieces_on
from vision.layout import Layout
from vision.render import (
    Camera,
    Die,
    Glare,
    Hand,
    Lamp,
    Lights,
    PlacedBoard,
    Scene,
    Sensor,
    Shade,
    TableTop,
    Thing,
    by_hand,
    in_section,
)
from vision.render.scene import PENS

SPOTS_MM = ((-300.0, -165.0), (300.0, -165.0), (-300.0, 165.0), (300.0, 165.0))
DICE_BGR = (
    ((235.0, 238.0, 240.0), (25.0, 25.0, 25.0)),
    ((30.0, 30.0, 32.0), (235.0, 235.0, 235.0)),
    ((40.0, 40.0, 190.0), (240.0, 240.0, 240.0)),
    ((150.0, 60.0, 30.0), (240.0, 240.0, 240.0)),
)

Change = Callable[[Scene, np.random.Generator], Scene]


@dataclass(frozen=True)
class Condition:
    """Something that makes a table harder to read; `always` holds for the clean picture too."""

    name: str
    always: tuple[Change, ...] = ()
    later: tuple[Change, ...] = ()


def table(condition: Condition, layout: Layout, seed: int) -> tuple[Scene, Scene]:
    """The clean table and the table in play."""
    rng = np.random.default_rng([seed, len(condition.name)])
    clean = _quiet_table(_cities(rng), rng, seed)
    for change in condition.always:
        clean = change(clean, rng)
    played = replace(
        clean,
        boards=tuple(_drawn_on(board, layout, rng) for board in clean.boards),
        dice=_dice(clean, layout, rng),
        moment=1,
    )
    for change in condition.later:
        played = change(played, rng)
    return clean, played


def table_of_pieces(condition: Condition, layout: Layout, seed: int) -> tuple[Scene, Scene]:
    """The same for a game with loose pieces."""
    rng = np.random.default_rng([seed, len(condition.name)])
    clean = _quiet_table(_sheets(layout, rng), rng, seed)
    for change in condition.always:
        clean = change(clean, rng)
    played = replace(clean, pieces=pieces_on(clean.boards, layout, rng), moment=1)
    for change in condition.later:
        played = change(played, rng)
    return clean, played


def _sheets(layout: Layout, rng: np.random.Generator) -> tuple[PlacedBoard, ...]:
    """The two large sheets side by side, the small ones above and below; or one large sheet and five small ones."""
    large, small = (
        [board for board in layout.boards if (board.width_mm > 300) == is_large] for is_large in (True, False)
    )
    if len(large) == 1:
        spots = [(large[0], (-130.0, -70.0))]
        around = ((310.0, -190.0), (330.0, -40.0), (330.0, 70.0), (-280.0, 215.0), (10.0, 215.0))
        spots += zip(small, around, strict=False)
    else:
        spots = list(zip(large, ((-225.0, 0.0), (310.0, 0.0)), strict=True))
        spots += zip(small, ((-350.0, -275.0), (-60.0, -275.0), (-60.0, 275.0), (-350.0, 275.0)), strict=True)
    return tuple(
        PlacedBoard(board.id, (x + rng.normal(0, 2), y + rng.normal(0, 2)), float(rng.normal(180 * (y < 0), 1.0)))
        for board, (x, y) in spots
    )


def _cities(rng: np.random.Generator) -> tuple[PlacedBoard, ...]:
    boards = tuple(
        PlacedBoard(
            f"city-{n + 1}", (x + rng.normal(0, 5), y + rng.normal(0, 4)), float(rng.normal(0 if y < 0 else 180, 4))
        )
        for n, (x, y) in enumerate(SPOTS_MM)
    )
    return (*boards, PlacedBoard("hq", (0.0, 0.0), float(rng.uniform(-25, 25))))


def _quiet_table(boards: tuple[PlacedBoard, ...], rng: np.random.Generator, seed: int) -> Scene:
    lamp = Lamp((float(rng.normal(0, 300)), float(rng.normal(0, 300)), 2100.0), uneven=float(rng.uniform(0.1, 0.5)))
    return Scene(
        boards,
        camera=Camera(
            tilt_deg=float(rng.uniform(0, 6)), turn_deg=float(rng.uniform(-180, 180)), k1=float(rng.normal(0, 0.01))
        ),
        table=TableTop("wood", (90.0, 125.0, 165.0), (70.0, 105.0, 150.0), 40.0, 0.1),
        lights=Lights(level=float(rng.uniform(0.85, 1.05)), lamps=(lamp,), ambient=0.35),
        sensor=Sensor(noise=2.0, blur_px=0.6, vignette=0.2, sharpening=0.6, jpeg_quality=92),
        seed=seed,
    )


def _drawn_on(placed: PlacedBoard, layout: Layout, rng: np.random.Generator) -> PlacedBoard:
    if placed.board_id == "hq":
        return placed
    # One player draws on a board, with one pen.
    pen, width_mm, dryness = str(rng.choice(PENS)), float(rng.uniform(0.5, 1.3)), float(rng.uniform(0, 0.35))
    body = float(rng.uniform())
    kinds, usual, share = ("cross", "scribble", "fill"), int(rng.integers(3)), float(rng.uniform(0.1, 0.5))
    marks = []
    for region in layout.board(placed.board_id).regions:
        square = region[1].isdigit()
        if rng.random() > (share if square else 0.2):
            continue
        if square or region.startswith("drone"):
            kind = kinds[usual if rng.random() < 0.8 else int(rng.integers(3))]
        else:
            kind = "circle" if rng.random() < 0.5 else "cross"
        mark = by_hand(region, kind, pen, care=float(rng.uniform(0.4, 0.8)), seed=int(rng.integers(1 << 30)))
        width, dry = width_mm * float(rng.uniform(0.85, 1.15)), float(np.clip(dryness + rng.normal(0, 0.05), 0, 1))
        marks.append(replace(mark, width_mm=width, dryness=dry, body=body))
    return replace(placed, marks=tuple(marks))


def _dice(scene: Scene, layout: Layout, rng: np.random.Generator) -> tuple[Die, ...]:
    hq, board = next(b for b in scene.boards if b.board_id == "hq"), layout.board("hq")
    body, pips = DICE_BGR[int(rng.integers(len(DICE_BGR)))]
    dice = []
    for section in rng.choice(6, 3, replace=False) + 1:
        x, y = in_section(hq, board, f"section.{section}")
        place = (x + float(rng.normal(0, 4)), y + float(rng.normal(0, 4)))
        dice.append(Die(int(rng.integers(1, 7)), place, float(rng.uniform(0, 90)), body_bgr=body, pip_bgr=pips))
    for side in (-1, 1):
        place = (float(rng.uniform(-100, 100)), side * float(rng.uniform(150, 230)))
        dice.append(Die(int(rng.integers(1, 7)), place, float(rng.uniform(0, 90)), body_bgr=body, pip_bgr=pips))
    return tuple(dice)


# --- what may make it harder --------------------------------------------------------------------


def _dim(scene: Scene, rng: np.random.Generator) -> Scene:
    lights = replace(scene.lights, level=scene.lights.level * float(rng.uniform(0.15, 0.3)))
    sensor = replace(scene.sensor, noise=float(rng.uniform(2.5, 4.5)), blotches=float(rng.uniform(0.2, 0.6)))
    return replace(scene, lights=lights, sensor=sensor)


def _warm(scene: Scene, rng: np.random.Generator) -> Scene:
    return replace(scene, lights=replace(scene.lights, cast_bgr=(float(rng.uniform(130, 170)), 215.0, 255.0)))


def _shadow(scene: Scene, rng: np.random.Generator) -> Scene:
    shades = []
    for _ in range(2):
        x, y, angle = rng.uniform(-400, 400), rng.uniform(-200, 200), rng.uniform(0, np.pi)
        way, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        width, corners = float(rng.uniform(30, 140)), ((-600, -1), (600, -1), (600, 1), (-600, 1))
        outline = [np.array([x, y]) + a * way + b * width * across for a, b in corners]
        soft = float(rng.choice([0.5, 3.0, 15.0]))
        shades.append(Shade(tuple((float(p), float(q)) for p, q in outline), float(rng.uniform(0.3, 0.6)), soft))
    return replace(scene, lights=replace(scene.lights, shades=tuple(shades)))


def _glare(scene: Scene, rng: np.random.Generator) -> Scene:
    glares = tuple(
        Glare(
            (float(rng.uniform(-420, 420)), float(rng.uniform(-230, 230))),
            float(rng.uniform(20, 50)),
            float(rng.uniform(0.3, 1)),
            softness=float(rng.choice([0.2, 1.0])),
            ripple_mm=float(rng.uniform(0, 30)),
        )
        for _ in range(2)
    )
    return replace(scene, lights=replace(scene.lights, glares=glares, sheen=0.2))


def _touched(scene: Scene, rng: np.random.Generator) -> Scene:
    """Boards that were drawn on do not mirror the lamp quite as before."""
    return replace(scene, lights=replace(scene.lights, film=1))


def _tilt(degrees: float) -> Change:
    def tilted(scene: Scene, rng: np.random.Generator) -> Scene:
        return replace(scene, camera=replace(scene.camera, tilt_deg=degrees, distance_mm=1065.0 * (1 + degrees / 90)))

    return tilted


def _hand(scene: Scene, rng: np.random.Generator) -> Scene:
    hand = Hand(
        (float(rng.uniform(-400, 400)), float(rng.uniform(-200, 200))),
        float(rng.choice([-90, 90, 0, 180]) + rng.normal(0, 20)),
        writing=bool(rng.random() < 0.5),
        left=bool(rng.random() < 0.2),
    )
    return replace(scene, hands=(hand,))


def _faint(scene: Scene, rng: np.random.Generator) -> Scene:
    """Pens that are nearly dry and skip, whose ink is nearly used up, or both."""
    boards = []
    for board in scene.boards:
        faint, pale = float(rng.uniform(0.4, 0.8)), float(rng.choice([0, 0.5, 1]))
        marks = tuple(replace(mark, dryness=faint * (1 - pale), pale=faint * pale) for mark in board.marks)
        boards.append(replace(board, marks=marks))
    return replace(scene, boards=tuple(boards))


def _ghosts(scene: Scene, rng: np.random.Generator, most: float = 0.12) -> Scene:
    """Badly wiped marks of an earlier game on a sixth of the free regions."""
    boards = []
    for placed in scene.boards:
        taken = {mark.region for mark in placed.marks}
        wiped = []
        for region in taken and _regions_of_a_city():
            if region not in taken and rng.random() < 1 / 6:
                mark = by_hand(
                    region,
                    str(rng.choice(["cross", "fill", "scribble"])),
                    str(rng.choice(PENS)),
                    seed=int(rng.integers(1 << 30)),
                )
                wiped.append(replace(mark, ghost=float(rng.uniform(0.05, most))))
        boards.append(replace(placed, marks=(*wiped, *placed.marks)))
    return replace(scene, boards=tuple(boards))


def _wiped(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same after a cloth was used with some care."""
    return _ghosts(scene, rng, most=0.1)


def _small(scene: Scene, rng: np.random.Generator) -> Scene:
    return replace(
        scene, camera=replace(scene.camera, size_px=(1280, 720), focal_px=scene.camera.focal_px * 1280 / 2304)
    )


def _patterned(scene: Scene, rng: np.random.Generator) -> Scene:
    kind = str(rng.choice(["checked", "striped"]))
    b, g, r = (float(c) for c in rng.uniform(40, 220, 3))
    return replace(scene, table=TableTop(kind, (b, g, r), (230.0, 230.0, 230.0), float(rng.uniform(15, 45)), 0.15))


def _clutter(scene: Scene, rng: np.random.Generator) -> Scene:
    things = tuple(
        Thing(kind, (float(rng.uniform(-90, 90)), side * float(rng.uniform(160, 260))), float(rng.uniform(0, 360)))
        for kind, side in (("pen", -1), ("token", 1), ("disc", -1), ("cube", 1))
    )
    return replace(scene, things=things)


def _other_light(scene: Scene, rng: np.random.Generator) -> Scene:
    """The light is no longer that of the clean picture."""
    lights = replace(scene.lights, level=scene.lights.level * float(rng.uniform(0.75, 1.2)))
    return replace(scene, lights=lights)


def _shaky(scene: Scene, rng: np.random.Generator) -> Scene:
    sensor = replace(
        scene.sensor, motion_px=float(rng.uniform(1, 2.5)), motion_deg=float(rng.uniform(0, 180)), jpeg_quality=80
    )
    return replace(scene, sensor=sensor)


def _some(often: float, *changes: Change) -> Change:
    """Each of several, or not."""

    def changed(scene: Scene, rng: np.random.Generator) -> Scene:
        for change in changes:
            if rng.random() < often:
                scene = change(scene, rng)
        return scene

    return changed


def _regions_of_a_city() -> tuple[str, ...]:
    return tuple(f"r{row}c{column}" for row in range(1, 9) for column in range(1, 13))


CONDITIONS = (
    Condition("good light"),
    Condition("typical evening", (_some(0.3, _warm, _patterned),), (_other_light, _clutter, _some(0.3, _wiped))),
    Condition("dim", (_dim,)),
    Condition("warm", (_warm,)),
    Condition("hard shadow", later=(_shadow,)),
    Condition("glare", (_glare,), (_touched,)),
    Condition("tilt 15", (_tilt(15),)),
    Condition("tilt 25", (_tilt(25),)),
    Condition("tilt 35", (_tilt(35),)),
    Condition("hand", later=(_hand,)),
    Condition("faint pen", later=(_faint,)),
    Condition("ghosts", later=(_ghosts,)),
    Condition("small image", (_small,)),
    Condition("patterned table", (_patterned,)),
    Condition(
        "mixed hard",
        (_some(0.5, _dim, _warm, _patterned, _tilt(22)),),
        (_other_light, _clutter, _some(0.5, _shadow, _hand, _faint, _ghosts, _shaky)),
    ),
)
