"""Random tables to learn marks from: pens, wiped marks, lights, shadows, hands, cameras and prints of all kinds.

Wider than any real evening on purpose, and each picture is seen through the reader's own pipeline (boards located,
regions compared with a clean picture or with the print), so that its small errors are learned too.

    python -m tools.marks.tables KIT_FOLDER... --out FOLDER --tables 400 --seed 1
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.change import Change
from vision.layout import BoardLayout, Layout, load_layout
from vision.locate import find_boards
from vision.markers import Image
from vision.paper import sample_print
from vision.pyramid import Pyramid
from vision.regions import Regions
from vision.render import (
    Camera,
    Die,
    Glare,
    Hand,
    Lamp,
    Lights,
    Mark,
    PlacedBoard,
    Renderer,
    Scene,
    Sensor,
    Shade,
    TableTop,
    Thing,
    load_pictures,
)
from vision.render.scene import PENS, TABLE_KINDS, THING_KINDS
from vision.render.truth import RegionTruth
from vision.samples import maps_to, sample_board

UNKNOWN = 255
CLASSES = ("empty", "circle", "cross", "filled", "hidden")  # in the order of vision.marks
SIZES = ((1280, 720), (1280, 720), (1600, 900), (1920, 1080), (2304, 1296), (2304, 1296))
PRINT_PX_PER_MM = 6.0
WIDTH_MM = 1180.0  # of the table that a picture shows
SHARED_SPOTS = ((-300.0, -170.0), (300.0, -170.0), (-300.0, 170.0), (300.0, 170.0))


def random_table(rng: np.random.Generator, layout: Layout, seed: int) -> tuple[Scene, Scene]:
    """A table with marks, and the same table before the game."""
    camera = _camera(rng)
    dirty = rng.random()
    boards = []
    for board, spot in zip((b for b in layout.boards if b.kind == "city"), SHARED_SPOTS, strict=True):
        turn = (
            float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6)) if rng.random() < 0.3 else float(rng.normal(0, 8))
        )
        place = (spot[0] + float(rng.normal(0, 8)), spot[1] + float(rng.normal(0, 6)))
        boards.append(PlacedBoard(board.id, place, turn, _marks(rng, board, dirty)))
    boards.append(PlacedBoard("hq", (float(rng.normal(0, 10)), float(rng.normal(0, 10))), float(rng.normal(0, 20))))
    lights = _lights(rng)
    sensor = Sensor(
        noise=float(rng.choice([1, 1.5, 2.5, 4, 6]) * rng.uniform(0.6, 1.3)),
        blotches=float(rng.beta(1, 2)),
        blur_px=float(rng.uniform(0.3, 1.4)),
        motion_px=float(rng.uniform(0, 4)) if rng.random() < 0.2 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        vignette=float(rng.uniform(0, 0.5)),
        sharpening=float(rng.uniform(0, 1.5)) if rng.random() < 0.7 else 0.0,
        jpeg_quality=int(rng.integers(60, 97)),
    )
    top = TableTop(
        str(rng.choice(TABLE_KINDS)), _colour(rng), _colour(rng), float(rng.uniform(15, 80)), float(rng.uniform(0, 0.3))
    )
    table = Scene(tuple(boards), camera=camera, table=top, lights=lights, sensor=sensor, seed=seed)
    clean = replace(table, boards=tuple(replace(b, marks=()) for b in boards), moment=1)
    table = replace(
        table,
        hands=_hands(rng),
        dice=_dice(rng),
        things=_things(rng),
        lights=_later(rng, lights),
        sensor=replace(sensor, noise=sensor.noise * float(rng.uniform(0.8, 1.3))),
    )
    # Nothing stays exactly where it was: boards are nudged, and sometimes the camera.
    nudge_mm = float(rng.choice([0.3, 1.0, 8.0]))
    table = replace(table, boards=tuple(_nudged(rng, board, nudge_mm) for board in table.boards))
    if rng.random() < 0.15:
        table = replace(table, camera=replace(camera, aim_mm=(float(rng.normal(0, 6)), float(rng.normal(0, 6)))))
    return table, clean


def _nudged(rng: np.random.Generator, board: PlacedBoard, by_mm: float) -> PlacedBoard:
    x, y = board.centre_mm
    place = (x + float(rng.normal(0, by_mm)), y + float(rng.normal(0, by_mm)))
    return replace(board, centre_mm=place, rotation_deg=board.rotation_deg + float(rng.normal(0, 0.3 * by_mm)))


def repainted(rng: np.random.Generator, picture: Image, board: BoardLayout) -> Image:
    """The same board printed in other colours: other editions must be read too. Markers stay black and white."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.3, 3.5), 0, 255)
    hsv[..., 2] = np.clip(255 - (255 - hsv[..., 2]) * rng.uniform(0.7, 1.4) - rng.uniform(0, 45), 0, 255)
    painted = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR))
    if rng.random() < 0.5:
        grain = cv2.resize(rng.normal(0, 10, (60, 80, 3)).astype(np.float32), painted.shape[1::-1])
        painted = np.clip(painted + grain, 0, 255).astype(np.uint8)
    scale = picture.shape[1] / board.width_mm
    for quad in board.markers.values():
        (left, top), (right, bottom) = np.min(quad, axis=0) - 4, np.max(quad, axis=0) + 4
        box = slice(max(int(top * scale), 0), int(bottom * scale)), slice(max(int(left * scale), 0), int(right * scale))
        painted[box] = picture[box]
    return painted


def resized(rng: np.random.Generator, layout: Layout) -> Layout:
    """The kit with value boxes of another size than ours."""
    boards = []
    for board in layout.boards:
        factor = float(rng.uniform(0.8, 1.15))
        regions = {}
        for region, polygon in board.regions.items():
            corners = np.array(polygon)
            grown = corners if region[1].isdigit() else corners.mean(axis=0) + factor * (corners - corners.mean(axis=0))
            regions[region] = tuple((float(x), float(y)) for x, y in grown)
        boards.append(replace(board, regions=regions))
    return replace(layout, boards=tuple(boards))


def _camera(rng: np.random.Generator) -> Camera:
    size = SIZES[rng.integers(len(SIZES))]
    focal = float(size[0] * rng.uniform(0.7, 1.1))
    tilt = float(rng.choice([0, 8, 15, 25, 35]) * rng.uniform(0.6, 1))
    return Camera(
        size,
        (float(rng.normal(0, 15)), float(rng.normal(0, 15))),
        distance_mm=WIDTH_MM * (1 + 0.006 * tilt) * focal / size[0] * float(rng.uniform(0.95, 1.1)),
        tilt_deg=tilt,
        turn_deg=float(rng.uniform(-180, 180)),
        roll_deg=float(rng.normal(0, 4)),
        focal_px=focal,
        k1=float(rng.normal(0, 0.03)),
        k2=float(rng.normal(0, 0.01)),
    )


def _marks(rng: np.random.Generator, board: BoardLayout, dirty: float) -> tuple[Mark, ...]:
    """What one player drew: mostly with one pen, in one manner, over what was wiped before."""
    pen, style = str(rng.choice(PENS)), rng.dirichlet([0.6, 0.6, 0.6])
    width, unlike = float(rng.uniform(0.5, 2.6)), float(rng.choice([0.02, 0.06, 0.15]))
    dry = 0.9 * float(rng.beta(1, 2.5) if rng.random() < 0.7 else rng.uniform(0.4, 1))
    body, pale = float(rng.uniform()) * (rng.random() < 0.7), float(rng.uniform()) * (rng.random() < 0.5)
    # As many boards with the first few marks as with many: a game begins with none.
    share, careless = 0.8 * float(rng.uniform()) ** 2 + 0.01, float(rng.uniform(0.1, 1.0))
    ghosts = float(rng.uniform(0.0, 0.25)) * (dirty > 0.35)
    marks = []
    for region in board.regions:
        cell = region[1].isdigit()
        if rng.random() < ghosts:
            marks.append(
                replace(
                    _mark(
                        rng,
                        region,
                        str(rng.choice(["cross", "scribble", "fill", "fill", "circle"])),
                        str(rng.choice(PENS)),
                        float(rng.uniform(0.6, 3)),
                        0.5,
                        float(rng.uniform(0, 0.6)),
                    ),
                    body=float(rng.uniform()),
                    ghost=float(rng.choice([0.03, 0.06, 0.1, 0.15]) * rng.uniform(0.6, 1.2)),
                )
            )
        if rng.random() < (share if cell else min(share, 0.35)):
            kinds = (
                ("cross", "scribble", "fill") if cell or region.startswith("drone") else ("cross", "circle", "circle")
            )
            odds = style if cell else (0.5, 0.25, 0.25)
            kind = str(rng.choice(kinds, p=odds / np.sum(odds)))
            own = pen if rng.random() < 0.95 else str(rng.choice(PENS))
            own_width, own_dry = width * float(rng.uniform(0.8, 1.25)), dry + float(rng.normal(0, unlike))
            mark = _mark(rng, region, kind, own, own_width, careless, (1 - pale) * own_dry)
            marks.append(replace(mark, body=body, pale=float(np.clip(pale * own_dry, 0, 0.92))))
    order = rng.permutation(len(marks))
    return tuple(marks[i] for i in order)


def _mark(
    rng: np.random.Generator, region: str, kind: str, pen: str, width: float, careless: float, dry: float
) -> Mark:
    return Mark(
        region,
        kind,
        pen,
        width_mm=width,
        wobble=float(rng.uniform(0.1, 0.3 + 0.7 * careless)),
        gaps=float(rng.uniform(0, 0.15) * careless),
        overshoot_mm=float(rng.uniform(-2.5, 0.3 + 2.7 * careless)),
        uneven=float(rng.uniform(0, 0.8)),
        dryness=float(np.clip(dry, 0, 0.9)),
        seed=int(rng.integers(1 << 30)),
    )


def _lights(rng: np.random.Generator) -> Lights:
    lamps = []
    for _ in range(int(rng.integers(1, 4))):
        near = rng.random() < 0.4
        height = float(rng.uniform(400, 900)) if near else float(rng.uniform(1200, 2600))
        lamps.append(
            Lamp(
                (float(rng.normal(0, 600)), float(rng.normal(0, 500)), height),
                power=float(rng.uniform(0.2, 0.8)),
                size_mm=float(rng.choice([20, 80, 300, 800])),
                uneven=float(rng.uniform(0.3, 1)) if near else float(rng.uniform(0, 0.5)),
                bgr=_tint(rng, 0.25),
            )
        )
    glares = tuple(
        Glare(
            _near_a_board(rng, 70),
            float(rng.uniform(15, 110)),
            float(rng.beta(1, 1.5)),
            bgr=_tint(rng, 0.3),
            softness=float(rng.choice([0.1, 0.3, 1.0])),
            ripple_mm=float(rng.choice([0, 12, 30]) * rng.uniform(0.5, 1.5)),
        )
        for _ in range(int(rng.integers(1, 5)) * int(rng.random() < 0.6))
    )
    return Lights(
        level=float(np.exp(rng.uniform(np.log(0.12), np.log(1.5)))),
        cast_bgr=_tint(rng, 0.35),
        ambient=float(rng.uniform(0.1, 0.6)),
        lamps=tuple(lamps),
        glares=glares,
        shades=_shades(rng, 0.3),
        sheen=float(rng.uniform(0, 0.6)) * (rng.random() < 0.5),
    )


def _later(rng: np.random.Generator, lights: Lights) -> Lights:
    """The light during play: people lean over the table, the sun sets, the camera adjusts itself."""
    lights = replace(lights, film=int(rng.random() < 0.7), glares=tuple(_moved(rng, glare) for glare in lights.glares))
    if rng.random() < 0.3:
        return lights
    cast = tuple(float(np.clip(c * rng.uniform(0.9, 1.1), 0, 255)) for c in lights.cast_bgr)
    return replace(
        lights,
        level=lights.level * float(np.exp(rng.normal(0, 0.25))),
        cast_bgr=cast,
        shades=(*lights.shades, *_shades(rng, 0.6)),
    )


def _near_a_board(rng: np.random.Generator, by_mm: float) -> tuple[float, float]:
    x, y = SHARED_SPOTS[rng.integers(len(SHARED_SPOTS))]
    return x + float(rng.normal(0, by_mm)), y + float(rng.normal(0, by_mm))


def _moved(rng: np.random.Generator, glare: Glare) -> Glare:
    """A mirror image hardly ever stays where it was: the slightest turn of a board shifts it."""
    by_mm = float(rng.choice([0, 4, 20]))
    x, y = glare.centre_mm
    return replace(glare, centre_mm=(x + float(rng.normal(0, 1)) * by_mm, y + float(rng.normal(0, 1)) * by_mm))


def _shades(rng: np.random.Generator, often: float) -> tuple[Shade, ...]:
    shades = []
    while rng.random() < often:
        middle, size = rng.uniform(-500, 500, 2), rng.uniform(40, 350)
        angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 8)))
        outline = [(float(middle[0] + size * np.cos(a)), float(middle[1] + size * np.sin(a))) for a in angles]
        soft = float(rng.choice([0, 2, 8, 30]))
        shades.append(Shade(tuple(outline), float(rng.uniform(0.1, 0.7)), soft))
        often *= 0.7
    return tuple(shades)


def _hands(rng: np.random.Generator) -> tuple[Hand, ...]:
    hands = []
    while rng.random() < 0.35:
        tone = float(rng.uniform(0.3, 1.05))
        skin = (120.0 * tone, 150.0 * tone, 205.0 * tone)
        hands.append(
            Hand(
                (float(rng.uniform(-450, 450)), float(rng.uniform(-250, 250))),
                float(rng.uniform(0, 360)),
                writing=bool(rng.random() < 0.5),
                left=bool(rng.random() < 0.3),
                skin_bgr=skin,
                sleeve_bgr=_colour(rng),
                pen_bgr=_colour(rng),
                spread=float(rng.uniform(0, 1)),
                height_mm=float(rng.uniform(2, 40)),
            )
        )
    return tuple(hands)


def _dice(rng: np.random.Generator) -> tuple[Die, ...]:
    return tuple(
        Die(
            int(rng.integers(1, 7)),
            (float(rng.uniform(-520, 520)), float(rng.uniform(-280, 280))),
            float(rng.uniform(0, 90)),
            body_bgr=_colour(rng),
        )
        for _ in range(int(rng.integers(0, 6)))
    )


def _things(rng: np.random.Generator) -> tuple[Thing, ...]:
    return tuple(
        Thing(
            str(rng.choice(THING_KINDS)),
            (float(rng.uniform(-520, 520)), float(rng.uniform(-280, 280))),
            float(rng.uniform(0, 360)),
            _colour(rng),
        )
        for _ in range(int(rng.integers(0, 5)))
    )


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    b, g, r = rng.uniform(20, 240, 3)
    return float(b), float(g), float(r)


def _tint(rng: np.random.Generator, most: float) -> tuple[float, float, float]:
    b, g, r = 255 * (1 - np.abs(rng.normal(0, most / 2, 3)).clip(0, 0.6))
    return float(b), float(g), float(r)


@dataclass(frozen=True, eq=False)
class Sample:
    """A board of a random table as the reader sees it, and the truth about its regions."""

    change: Change
    truth: Mapping[str, RegionTruth]

    def taught(self, region: str) -> str | None:
        """What a network is to answer for a region, or None where nobody could say."""
        seen = self.truth[region]
        if 0.55 < seen.visible < 0.9:
            return None  # neither here nor there
        return "hidden" if seen.visible <= 0.55 or seen.blown > 0.6 else _label(seen.kinds)


def boards_of(layout: Layout, pictures: dict[str, Image], rng: np.random.Generator, seed: int) -> Iterator[Sample]:
    """The city boards of one random table."""
    layout = resized(rng, layout)
    prints = {
        board.id: repainted(rng, pictures[board.id], board) if rng.random() < 0.8 else pictures[board.id]
        for board in layout.boards
    }
    table, clean = random_table(rng, layout, seed)
    renderer = Renderer(layout, prints)
    before = renderer.render(clean)
    now = renderer.render(table)
    found, found_before = find_boards(now.frame_bgr, layout).boards, find_boards(before.frame_bgr, layout).boards
    for board in layout.boards:
        pose, pose_before = found.get(board.id), found_before.get(board.id)
        if board.kind != "city" or pose is None or pose.confidence < 0.5:
            continue
        regions = Regions(board)
        look = sample_board(Pyramid(now.frame_bgr), maps_to(pose, regions, table.camera.size_px))
        if pose_before is None or rng.random() < 0.35:
            reference = sample_print(prints[board.id], regions, pose.px_per_mm, look)
        else:
            reference = sample_board(Pyramid(before.frame_bgr), maps_to(pose_before, regions, table.camera.size_px))
        yield Sample(Change(look, reference, regions), now.truth.boards[board.id].regions)


def learned_from(samples: Iterable[Sample]) -> dict[str, np.ndarray]:
    """What the networks learn from, board by board: inputs and class of every region, and what the board is like."""
    boards: dict[str, list[np.ndarray]] = {"x": [], "y": [], "square": [], "near": []}
    for sample in samples:
        names = sample.change.regions.names
        taught = [sample.taught(region) for region in names]
        boards["x"].append(quantised(sample.change.inputs(np.ones(len(names), bool))))
        boards["y"].append(np.array([UNKNOWN if answer is None else CLASSES.index(answer) for answer in taught]))
        boards["square"].append(sample.change.regions.square)
        boards["near"].append(sample.change.regions.nearness.astype(np.float32))
    return {name: np.stack(parts) for name, parts in boards.items()}


def _label(kinds: tuple[str, ...]) -> str:
    if not kinds:
        return "empty"
    return {"circle": "circle", "cross": "cross"}.get(kinds[-1], "filled")


def _small_pictures(layout: Layout) -> dict[str, Image]:
    """The print as fine as the camera will need it: repainting at 300 dpi would take most of the time."""
    pictures = {}
    for board_id, picture in load_pictures(layout).items():
        board = layout.board(board_id)
        size = round(board.width_mm * PRINT_PX_PER_MM), round(board.height_mm * PRINT_PX_PER_MM)
        pictures[board_id] = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    return pictures


def quantised(inputs: np.ndarray) -> np.ndarray:
    """Inputs as bytes: a set of several hundred thousand must fit in memory."""
    return np.clip(inputs * 60 + 180, 0, 255).round().astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kits", nargs="+", type=Path, help="folders made by `allcity kit`")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)  # several of these run side by side
    kits = [(layout := load_layout(folder), _small_pictures(layout)) for folder in options.kits]
    for number in range(options.tables):
        seed = options.seed * 100_000 + number
        rng = np.random.default_rng(seed)
        layout, pictures = kits[rng.integers(len(kits))]
        samples = list(boards_of(layout, pictures, rng, seed))
        if samples:
            np.savez(options.out / f"{seed}.npz", **learned_from(samples))
        print(f"\r{number + 1}/{options.tables} tables", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
