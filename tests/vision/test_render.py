"""The renderer against itself: the truth it tells is in the pixels, and each knob does its own thing only."""

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.die import PIPS
from vision.layout import BoardLayout, Layout, Polygon
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
    Shot,
    TableTop,
    Thing,
    by_hand,
    in_section,
    load_pictures,
    pen_point,
    render,
)
from vision.render.camera import project_flat, table_points
from vision.render.dice import die_axes
from vision.render.noise import Array
from vision.render.scene import MARK_KINDS, PENS, TABLE_KINDS, THING_KINDS, on_table

CELLS: dict[str, Polygon] = {
    f"r{row}c{column}": tuple(
        (20.0 + 20 * column + x, 10.0 + 20 * row + y) for x, y in ((0, 0), (16, 0), (16, 16), (0, 16))
    )
    for row in range(1, 3)
    for column in range(1, 4)
}
MARKERS: dict[int, Polygon] = {
    number: ((x, y), (x + 10.0, y), (x + 10.0, y + 10.0), (x, y + 10.0))
    for number, (x, y) in enumerate(((4.0, 4.0), (106.0, 4.0), (106.0, 66.0), (4.0, 66.0)))
}
BOARD = BoardLayout("city-1", "city", 120.0, 80.0, "city-1.png", CELLS, MARKERS)
LAYOUT = Layout("tiny", (BOARD,), Path())
CAMERA = Camera(size_px=(400, 300), distance_mm=500.0, focal_px=1000.0)
PLACED = PlacedBoard("city-1")
SCENE = Scene((PLACED,), camera=CAMERA)


def _picture() -> Array:
    """White, with black markers and a pale print in the cells."""
    picture = np.full((320, 480, 3), 255, np.uint8)
    for polygons, bgr in ((MARKERS.values(), (0, 0, 0)), (CELLS.values(), (180, 220, 240))):
        for polygon in polygons:
            (left, top), _, (right, bottom), _ = (np.array(polygon) * 4).astype(int)
            picture[top:bottom, left:right] = bgr
    return picture


PICTURES = {"city-1": _picture()}


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(LAYOUT, PICTURES)


def _with_marks(*marks: Mark) -> Scene:
    return replace(SCENE, boards=(replace(PLACED, marks=marks),))


def _inside(shot: Shot, region: str, channel: int | None = None) -> float:
    """The mean grey level of a region, by the truth's polygon."""
    mask = np.zeros(shot.frame_bgr.shape[:2], np.uint8)
    polygon = np.array(shot.truth.boards["city-1"].regions[region].polygon_px)
    cv2.fillPoly(mask, [np.round(polygon).astype(np.int32).reshape(-1, 1, 2)], (1,))
    mean = shot.frame_bgr[mask > 0].mean(axis=0)
    return float(mean.mean() if channel is None else mean[channel])


def _same(first: Shot, second: Shot) -> bool:
    return bool(np.array_equal(first.frame_bgr, second.frame_bgr))


FULL = Scene(
    boards=(
        PlacedBoard("city-1", (5, -4), 12, (by_hand("r1c1", "scribble", "blue"), by_hand("r2c3", "circle", "red"))),
    ),
    dice=(Die(5, (40, 40), 20), Die(3, (-50, 45), 50, body_bgr=(30, 30, 160), opacity=0.8)),
    things=tuple(Thing(kind, (-60.0 + 22 * number, -55.0), 15.0 * number) for number, kind in enumerate(THING_KINDS)),
    hands=(Hand((10, 20)), Hand((-40, 0), 150, writing=True)),
    camera=replace(CAMERA, tilt_deg=20, turn_deg=30, roll_deg=5, k1=-0.08, k2=0.01),
    table=TableTop("wood", roughness=0.1),
    lights=Lights(
        level=0.8,
        cast_bgr=(220, 240, 255),
        lamps=(Lamp((-300, -200, 800), uneven=0.7, size_mm=80), Lamp((400, 0, 900), (200, 255, 200), 0.3)),
        shades=(Shade(((-100, 0), (0, 0), (0, 100)), 0.4, 5),),
        glares=(Glare((20, 10), 20),),
        sheen=0.4,
    ),
    sensor=Sensor(noise=3, blur_px=0.7, motion_px=3, motion_deg=30, vignette=0.2, jpeg_quality=80),
    seed=3,
)


def test_the_same_scene_gives_the_same_frame_whatever_was_drawn_before(renderer: Renderer) -> None:
    first = render(FULL, LAYOUT, PICTURES)
    renderer.render(SCENE)
    for change in (replace(FULL, hands=()), replace(FULL, boards=(PLACED,)), replace(FULL, seed=4), FULL):
        again = renderer.render(change)
    assert _same(first, again)
    assert first.truth == again.truth
    assert first.frame_bgr.shape == (300, 400, 3)
    assert first.frame_bgr.dtype == np.uint8


def test_a_frame_that_was_given_out_stays_as_it_is(renderer: Renderer) -> None:
    shot = renderer.render(SCENE)
    kept = shot.frame_bgr.copy()
    shot.frame_bgr[:] = 0
    assert np.array_equal(renderer.render(SCENE).frame_bgr, kept)


def test_the_seed_decides_the_handwriting_and_the_moment_only_the_noise(renderer: Renderer) -> None:
    scene = _with_marks(by_hand("r1c2", "scribble"))
    assert not _same(renderer.render(scene), renderer.render(replace(scene, seed=1)))
    assert _same(renderer.render(scene), renderer.render(replace(scene, moment=1)))
    noisy = replace(scene, sensor=Sensor(noise=4))
    assert not _same(renderer.render(noisy), renderer.render(replace(noisy, moment=1)))


@pytest.mark.parametrize("kind", MARK_KINDS)
@pytest.mark.parametrize("pen", PENS)
def test_a_mark_darkens_its_region_and_no_other(renderer: Renderer, kind: str, pen: str) -> None:
    clean, marked = renderer.render(SCENE), renderer.render(_with_marks(Mark("r1c2", kind, pen)))
    for region in CELLS:
        darker = _inside(clean, region) - _inside(marked, region)
        assert darker > 3 if region == "r1c2" else abs(darker) < 0.5
    assert marked.truth.boards["city-1"].regions["r1c2"].kinds == (kind,)
    assert marked.truth.boards["city-1"].regions["r1c1"].kinds == ()


@pytest.mark.parametrize(("pen", "kept_channel"), [("blue", 0), ("green", 1), ("red", 2)])
def test_coloured_ink_lets_its_own_colour_pass(renderer: Renderer, pen: str, kept_channel: int) -> None:
    clean, marked = renderer.render(SCENE), renderer.render(_with_marks(Mark("r1c2", "fill", pen)))
    lost = [_inside(clean, "r1c2", channel) - _inside(marked, "r1c2", channel) for channel in range(3)]
    assert min(lost) == lost[kept_channel]
    assert lost[kept_channel] < max(lost) / 2


def test_the_knobs_of_a_mark(renderer: Renderer) -> None:
    plain = Mark("r1c2", "cross")
    shot = renderer.render(_with_marks(plain))
    lines = {"width_mm": 2.0, "wobble": 0.6, "gaps": 0.4, "overshoot_mm": 2.0}
    ink = {"uneven": 0.6, "dryness": 0.6, "pale": 0.6, "body": 0.6, "ghost": 0.1, "pen": "red"}
    for knob, value in {**lines, **ink, "progress": 0.5, "kind": "circle"}.items():
        changed = replace(plain, **{knob: value})  # type: ignore[arg-type]
        assert not _same(shot, renderer.render(_with_marks(changed))), knob
    shaky = replace(plain, wobble=0.5)
    assert not _same(renderer.render(_with_marks(shaky)), renderer.render(_with_marks(replace(shaky, seed=1))))


def test_ink_with_a_body_covers_print_that_a_stain_would_only_darken() -> None:
    black = next(iter(MARKERS.values()))
    layout = replace(LAYOUT, boards=(replace(BOARD, regions={**CELLS, "bubble": black}),))
    on_black = Renderer(layout, PICTURES)
    before = on_black.render(SCENE)
    stain, paint = (
        _inside(on_black.render(_with_marks(Mark("bubble", "fill", "red", body=body))), "bubble", 2)
        - _inside(before, "bubble", 2)
        for body in (0.0, 1.0)
    )
    assert stain <= 0
    assert paint > 50


def test_pale_ink_is_faint(renderer: Renderer) -> None:
    clean = renderer.render(SCENE)
    full, pale = (renderer.render(_with_marks(Mark("r1c2", "fill", pale=share))) for share in (0.0, 0.8))
    lost = _inside(clean, "r1c2") - _inside(pale, "r1c2")
    assert 0 < lost < (_inside(clean, "r1c2") - _inside(full, "r1c2")) / 2


def test_overshooting_ink_reaches_the_neighbour_and_dry_and_wiped_ink_is_faint(renderer: Renderer) -> None:
    clean, far = renderer.render(SCENE), renderer.render(_with_marks(Mark("r1c2", "scribble", overshoot_mm=6.0)))
    assert _inside(clean, "r1c1") - _inside(far, "r1c1") > 1
    full, dry, ghost = (
        _inside(clean, "r1c2") - _inside(renderer.render(_with_marks(mark)), "r1c2")
        for mark in (Mark("r1c2", "fill"), Mark("r1c2", "fill", dryness=0.8), Mark("r1c2", "fill", ghost=0.1))
    )
    assert 0 < ghost < dry < full / 2
    wiped = renderer.render(_with_marks(Mark("r1c2", "fill", ghost=0.1))).truth.boards["city-1"].regions["r1c2"]
    assert wiped.kinds == ()
    assert len(wiped.marks) == 1


@pytest.mark.parametrize("kind", MARK_KINDS)
def test_ink_only_grows_while_a_mark_is_drawn(renderer: Renderer, kind: str) -> None:
    mark = replace(by_hand("r2c2", kind, care=0.2), gaps=0.1)
    frames = [
        renderer.render(_with_marks(replace(mark, progress=share))).frame_bgr.astype(int)
        for share in (0.0, 0.3, 0.6, 0.9, 1.0)
    ]
    assert np.array_equal(frames[0], renderer.render(SCENE).frame_bgr)
    assert all((later <= earlier + 1).all() for earlier, later in pairwise(frames))
    assert len({int(frame.sum()) for frame in frames}) == len(frames)


def test_the_pen_point_is_where_the_line_ends() -> None:
    placed = replace(PLACED, centre_mm=(10, 5), rotation_deg=30)
    mark = Mark("r1c2", "cross", progress=0.25)
    scene = replace(SCENE, boards=(replace(placed, marks=(mark,)),))
    before = replace(SCENE, boards=(placed,))
    ink = render(before, LAYOUT, PICTURES).frame_bgr.astype(int) - render(scene, LAYOUT, PICTURES).frame_bgr
    point = np.array(pen_point(mark, placed, BOARD, scene.seed))
    (x, y), *_ = project_flat(CAMERA, point[None])
    assert ink[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].max() > 30
    beyond = project_flat(CAMERA, np.array([pen_point(replace(mark, progress=0.4), placed, BOARD, scene.seed)]))[0]
    assert ink[round(beyond[1]), round(beyond[0])].max() <= 1


@pytest.mark.parametrize(
    "camera",
    [
        CAMERA,
        replace(CAMERA, tilt_deg=35, turn_deg=40),
        replace(CAMERA, roll_deg=170, aim_mm=(8, -3)),
        replace(CAMERA, k1=-0.3, k2=0.1),
    ],
)
def test_the_truth_tells_where_board_and_markers_are(camera: Camera) -> None:
    placed = PlacedBoard("city-1", (6, 3), 25)
    shot = render(Scene((placed,), camera=camera), LAYOUT, PICTURES)
    corners = np.array(shot.truth.boards["city-1"].corners_px, np.float32)
    inner = np.array([[10, 10], [110, 10], [110, 70], [10, 70]], np.float32)
    outer = np.array([[0, 0], [120, 0], [120, 80], [0, 80]], np.float32)
    homography = cv2.getPerspectiveTransform(outer, corners)
    for x, y in cv2.perspectiveTransform(inner[None], homography)[0]:
        assert shot.frame_bgr[round(y), round(x)].max() < 80
    middle = corners.mean(axis=0)
    for corner in corners:
        x, y = corner + (middle - corner) / np.linalg.norm(middle - corner) * 4
        assert shot.frame_bgr[round(float(y)), round(float(x))].min() > 190
        x, y = corner - (middle - corner) / np.linalg.norm(middle - corner) * 3
        if 0 <= y < 299 and 0 <= x < 399:
            assert shot.frame_bgr[round(float(y)), round(float(x))].min() < 150


@pytest.mark.parametrize("rotation", [0.0, 25.0])
def test_print_is_where_the_truth_says_to_a_tenth_of_a_pixel(rotation: float) -> None:
    camera = replace(CAMERA, focal_px=1013.0)
    placed = PlacedBoard("city-1", (1.3, -0.7), rotation)
    frame = render(Scene((placed,), camera=camera), LAYOUT, PICTURES).frame_bgr.astype(float).mean(axis=2)
    for polygon in MARKERS.values():
        (x, y), *_ = project_flat(camera, on_table(placed, BOARD, np.array(polygon)).mean(axis=0, keepdims=True))
        assert frame[round(y), round(x)] < 60
        left, top = round(x) - 16, round(y) - 16
        ink = np.maximum(225 - frame[top : top + 33, left : left + 33], 0)
        rows, columns = np.indices(ink.shape)
        near = np.hypot(columns + left - x, rows + top - y) < 15.5
        found = [float((axis * ink * near).sum() / (ink * near).sum()) for axis in (columns, rows)]
        assert np.allclose((found[0] + left, found[1] + top), (x, y), atol=0.1)


def test_pixels_look_where_points_project() -> None:
    camera = replace(CAMERA, tilt_deg=30, turn_deg=70, roll_deg=-20, k1=-0.2, k2=0.05)
    seen = table_points(camera)
    for x, y in ((0, 0), (399, 0), (200, 150), (37, 288)):
        assert np.allclose(project_flat(camera, seen[y, x][None]), [[x, y]], atol=0.02)


@pytest.mark.parametrize("value", PIPS)
@pytest.mark.parametrize("rotation", [0.0, 33.0])
def test_a_die_is_where_the_truth_says_and_shows_its_pips(renderer: Renderer, value: int, rotation: float) -> None:
    scene = replace(SCENE, boards=(), dice=(Die(value, (15, -10), rotation, roundness=0.2, gloss=0.0),))
    shot = renderer.render(scene)
    die = shot.truth.dice[0]
    changed = (renderer.render(replace(scene, dice=())).frame_bgr != shot.frame_bgr).any(axis=2)
    rows, columns = np.nonzero(changed & (shot.frame_bgr.min(axis=2) > 190))
    assert np.allclose((columns.mean(), rows.mean()), die.centre_px, atol=1.5)
    face = np.array(die.top_face_px, np.float32)
    side = 120
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    flat = cv2.warpPerspective(shot.frame_bgr, cv2.getPerspectiveTransform(face, square), (side, side))
    dark = (flat[8:-8, 8:-8].max(axis=2) < 110).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    assert sum(area > 60 for area in stats[1:, cv2.CC_STAT_AREA]) == value


@pytest.mark.parametrize("value", PIPS)
def test_dice_are_not_mirrored(value: int) -> None:
    # Seen from the corner where they meet, 1, 2 and 3 run counterclockwise, whatever lies on top.
    three, two, one = die_axes(Die(value, (0, 0), 40))
    assert np.linalg.det([three, two, one]) == pytest.approx(1)
    toward = {1: one, 6: -one, 2: two, 5: -two, 3: three, 4: -three}
    assert np.allclose(toward[value], (0, 0, 1))


def test_a_slanted_die_shows_a_side_and_throws_a_shadow(renderer: Renderer) -> None:
    scene = replace(SCENE, boards=(), camera=replace(CAMERA, tilt_deg=35), dice=(Die(1, (0, 0), gloss=0.0),))
    shot = renderer.render(scene)
    centre_x, centre_y = shot.truth.dice[0].centre_px
    below = shot.frame_bgr[round(centre_y + 21), round(centre_x) - 12].mean()
    top = shot.frame_bgr[round(centre_y) + 8, round(centre_x) - 12].mean()
    assert below < top - 15
    lamp = replace(scene, lights=Lights(lamps=(Lamp((-800, 0, 600), size_mm=20),)))
    bright, dark = (
        renderer.render(lamp).frame_bgr[round(centre_y) + 15, round(centre_x) + x].mean() for x in (-60, 34)
    )
    assert dark < bright - 20


def test_hands_dice_and_things_occlude_what_is_under_them(renderer: Renderer) -> None:
    under = in_section(PLACED, BOARD, "r1c1")
    for scene in (
        replace(SCENE, hands=(Hand((under[0], under[1] - 90)),)),
        replace(SCENE, dice=(Die(4, under),)),
        replace(SCENE, things=(Thing("phone", under),)),
    ):
        regions = renderer.render(scene).truth.boards["city-1"].regions
        assert regions["r1c1"].occluded
    assert not any(region.occluded for region in renderer.render(SCENE).truth.boards["city-1"].regions.values())
    far = renderer.render(replace(SCENE, dice=(Die(4, under),))).truth.boards["city-1"].regions["r2c3"]
    assert far.visible == 1.0
    covered = replace(SCENE, dice=(Die(2, (0, 0)), Die(2, (-55, -30))), hands=(Hand((0, -90), from_deg=90),))
    assert [die.visible > 0.9 for die in renderer.render(covered).truth.dice] == [False, True]


def test_what_is_outside_the_frame_is_not_visible(renderer: Renderer) -> None:
    half_out = replace(SCENE, boards=(replace(PLACED, centre_mm=(80, 0)), replace(PLACED, centre_mm=(900, 0))))
    assert all(region.visible == 0 for region in renderer.render(half_out).truth.boards["city-1"].regions.values())
    regions = renderer.render(replace(half_out, boards=half_out.boards[:1])).truth.boards["city-1"].regions
    assert regions["r1c1"].visible == 1
    assert regions["r1c3"].visible < 0.6


def test_glare_hides_ink_and_is_told(renderer: Renderer) -> None:
    spot = Lights(glares=(Glare(in_section(PLACED, BOARD, "r1c2"), 30),))
    marked = _with_marks(Mark("r1c2", "fill"))
    shot = renderer.render(replace(marked, lights=spot))
    assert shot.truth.boards["city-1"].regions["r1c2"].blown > 0.5
    assert renderer.render(marked).truth.boards["city-1"].regions["r1c2"].blown == 0
    contrast = [
        _inside(renderer.render(replace(SCENE, lights=lights)), "r1c2")
        - _inside(renderer.render(replace(marked, lights=lights)), "r1c2")
        for lights in (Lights(), spot)
    ]
    assert contrast[1] < contrast[0] / 2


def test_another_film_bends_the_mirror_image_of_a_lamp_otherwise(renderer: Renderer) -> None:
    def lit(film: int, **knobs: float) -> Array:
        glare = Glare(in_section(PLACED, BOARD, "r1c2"), 30, 0.4, **knobs)  # type: ignore[arg-type]
        return renderer.render(replace(SCENE, lights=Lights(glares=(glare,), film=film))).frame_bgr

    assert (lit(0) == lit(1)).all()
    assert not (lit(0, ripple_mm=15.0) == lit(1, ripple_mm=15.0)).all()
    # A sharp edge: nearly all of it is either lit or not.
    assert len(np.unique(lit(0, softness=0.05))) < len(np.unique(lit(0)))


def test_blotches_are_coarse(renderer: Renderer) -> None:
    """What is left of the noise after averaging over some millimetres: hardly anything, unless there are blotches."""

    def left(blotches: float) -> float:
        noisy, calm = (
            renderer.render(replace(SCENE, sensor=Sensor(noise=noise, blotches=blotches))).frame_bgr.astype(float)
            for noise in (5.0, 0.0)
        )
        return float(cv2.blur(noisy - calm, (9, 9)).std())

    assert left(0.8) > 2 * left(0.0)


LIGHT_KNOBS = {
    "level": 0.5,
    "cast_bgr": (200.0, 230.0, 255.0),
    "ambient": 0.2,
    "lamps": (Lamp((200, 0, 500), uneven=0.8),),
    "shades": (Shade(((-20, -20), (20, -20), (20, 20), (-20, 20)), 0.5, 4),),
    "glares": (Glare((0, 0), 20),),
    "sheen": 0.5,
}
SENSOR_KNOBS = {"noise": 3.0, "blur_px": 1.0, "motion_px": 5.0, "vignette": 0.3, "sharpening": 1.0, "jpeg_quality": 50}
CAMERA_KNOBS = {
    "size_px": (200, 150),
    "aim_mm": (5.0, 0.0),
    "distance_mm": 600.0,
    "tilt_deg": 10.0,
    "roll_deg": 3.0,
    "focal_px": 900.0,
    "k1": -0.1,
    "k2": 0.5,
}
LAMP_KNOBS = {
    "position_mm": (300.0, 100.0, 700.0),
    "bgr": (255.0, 220.0, 200.0),
    "power": 0.3,
    "size_mm": 20.0,
    "uneven": 0.5,
    "shadows": 0.0,
}
DIE_KNOBS = {
    "value": 4,
    "rotation_deg": 20.0,
    "size_mm": 12.0,
    "body_bgr": (30.0, 30.0, 200.0),
    "pip_bgr": (200.0, 30.0, 30.0),
    "roundness": 0.9,
    "gloss": 0.0,
    "opacity": 0.6,
}
HAND_KNOBS = {
    "from_deg": 30.0,
    "writing": True,
    "left": True,
    "skin_bgr": (60.0, 80.0, 110.0),
    "spread": 1.0,
    "height_mm": 40.0,
}
BUSY = replace(SCENE, dice=(Die(3, (0, 0)),), hands=(Hand((40, -10)),))


@pytest.mark.parametrize(
    ("part", "knob", "value"),
    [
        *(("lights", *item) for item in LIGHT_KNOBS.items()),
        *(("sensor", *item) for item in SENSOR_KNOBS.items()),
        *(("camera", *item) for item in CAMERA_KNOBS.items()),
        *(("lamp", *item) for item in LAMP_KNOBS.items()),
        *(("dice", *item) for item in DIE_KNOBS.items()),
        *(("hands", *item) for item in HAND_KNOBS.items()),
    ],
)
def test_every_knob_changes_the_picture(renderer: Renderer, part: str, knob: str, value: object) -> None:
    if part == "lamp":
        lamp = replace(BUSY.lights.lamps[0], **{knob: value})  # type: ignore[arg-type]
        changed = replace(BUSY, lights=replace(BUSY.lights, lamps=(lamp,)))
    elif part in ("dice", "hands"):
        changed = replace(BUSY, **{part: (replace(getattr(BUSY, part)[0], **{knob: value}),)})  # type: ignore[arg-type]
    else:
        changed = replace(BUSY, **{part: replace(getattr(BUSY, part), **{knob: value})})
    assert not _same(renderer.render(BUSY), renderer.render(changed))


@pytest.mark.parametrize("knob", ["sleeve_bgr", "pen_bgr"])
def test_sleeves_and_pens_have_colours(renderer: Renderer, knob: str) -> None:
    hand = Hand((0, -120), writing=True)
    wide = replace(SCENE, camera=replace(CAMERA, distance_mm=1200), hands=(hand,))
    changed = replace(wide, hands=(replace(hand, **{knob: (20.0, 200.0, 20.0)}),))  # type: ignore[arg-type]
    assert not _same(renderer.render(wide), renderer.render(changed))


def test_no_knob_is_forgotten() -> None:
    alone = {"turn_deg", "motion_deg", "blotches", "film"}  # say how another knob does what it does
    for kind, knobs in ((Lights, LIGHT_KNOBS), (Sensor, SENSOR_KNOBS), (Camera, CAMERA_KNOBS), (Lamp, LAMP_KNOBS)):
        assert {field.name for field in fields(kind)} - alone == set(knobs)


def test_knobs_that_only_say_which_way_do_nothing_by_themselves(renderer: Renderer) -> None:
    plain = renderer.render(BUSY)
    assert _same(plain, renderer.render(replace(BUSY, sensor=Sensor(motion_deg=45))))
    assert _same(plain, renderer.render(replace(BUSY, camera=replace(CAMERA, turn_deg=45))))
    assert _same(plain, renderer.render(replace(BUSY, lights=Lights(shades=(Shade(((0, 0), (9, 0), (0, 9)), 0),)))))
    assert _same(plain, renderer.render(replace(BUSY, lights=Lights(glares=(Glare((0, 0), strength=0.0),)))))


def test_an_even_neutral_scene_is_even(renderer: Renderer) -> None:
    frame = renderer.render(replace(SCENE, boards=())).frame_bgr
    assert (frame == frame[0, 0]).all()
    assert np.abs(frame[0, 0].astype(int) - np.array(SCENE.table.bgr)).max() <= 1


@pytest.mark.parametrize("kind", [kind for kind in TABLE_KINDS if kind != "plain"])
def test_tables_have_a_pattern_that_lies_still(renderer: Renderer, kind: str) -> None:
    scene = replace(SCENE, boards=(), table=TableTop(kind, roughness=0.1))
    frame = renderer.render(scene).frame_bgr
    assert frame.std() > 3
    with_die = renderer.render(replace(scene, dice=(Die(1, (60, 40)),))).frame_bgr
    assert np.array_equal(frame[:100, :100], with_die[:100, :100])


@pytest.mark.parametrize("kind", THING_KINDS)
def test_things_are_seen_and_cover(renderer: Renderer, kind: str) -> None:
    shot = renderer.render(replace(SCENE, things=(Thing(kind, in_section(PLACED, BOARD, "r1c2"), 30),)))
    assert not _same(shot, renderer.render(SCENE))
    assert shot.truth.boards["city-1"].regions["r1c2"].visible < 0.97


def test_what_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="star"):
        Mark("r1c1", "star")
    with pytest.raises(ValueError, match="1 to 6"):
        Die(7, (0, 0))
    with pytest.raises(ValueError, match="marble"):
        TableTop("marble")
    with pytest.raises(ValueError, match="cat"):
        Thing("cat", (0, 0))
    with pytest.raises(OSError, match=r"city-1\.png"):
        load_pictures(replace(LAYOUT, folder=tmp_path))


def test_a_kit_folder_gives_its_pictures(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "city-1.png"), PICTURES["city-1"])
    assert np.array_equal(load_pictures(replace(LAYOUT, folder=tmp_path))["city-1"], PICTURES["city-1"])


def test_a_pen_too_thick_for_its_region_still_leaves_a_stroke(renderer: Renderer) -> None:
    before = renderer.render(SCENE)
    after = renderer.render(_with_marks(Mark("r1c1", "scribble", width_mm=9.0, overshoot_mm=-3.0)))
    assert _inside(after, "r1c1") < _inside(before, "r1c1") - 10


def test_sharpening_overshoots_at_edges_and_leaves_even_paper(renderer: Renderer) -> None:
    plain, crisp = renderer.render(SCENE), renderer.render(replace(SCENE, sensor=Sensor(sharpening=1.0)))
    left, top = np.array(plain.truth.boards["city-1"].regions["r1c1"].polygon_px).min(axis=0).astype(int)
    around, within = np.s_[top - 3 : top + 3, left + 4 : left + 12], np.s_[top + 10 : top + 14, left + 10 : left + 14]
    assert np.ptp(crisp.frame_bgr[around][..., 0].astype(int)) > np.ptp(plain.frame_bgr[around][..., 0].astype(int)) + 5
    assert np.abs(crisp.frame_bgr[within].astype(int) - plain.frame_bgr[within]).max() <= 1
