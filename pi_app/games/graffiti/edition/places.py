"""Where everything is on the boards, as plain values: all follows from the profile, and what is more gets more room."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pi_app.games.graffiti.edition.words import CANS, SEATS
from vision.kit.corners import EDGE_MM, MARKER_MM, corner_markers
from vision.kit.sheet import SizeMm, rectangle
from vision.layout import BoardLayout, Point, Polygon

TUNNEL_MM, ACTIONS_MM, SEAT_MM = (594.0, 420.0), (420.0, 297.0), (210.0, 99.0)
"""A2, A3, and a third of A4."""
CORNER_MM = MARKER_MM + 2 * EDGE_MM
"""What a marker takes of a corner, with white around it."""

PART_MM, TAG_MM, TILE_MM = (26.0, 44.0), 18.0, 22.0
"""A part of a graffiti; the disc and the tile."""
TAG_DOWN_MM = 33.0
"""How far below the top of a part the middle of its tag is."""
RING_MM, CANS_MM = 21.0, (54.0, 28.0)
"""The ring that a can stands in, and a space of two: tops lean outwards, away from the camera, and must not meet."""
WELL_MM = (66.0, 46.0)
"""Six cans."""
PLACE_MM, SPOT_MM = 24.0, 20.0
"""For a tile, and for a disc or a marker."""
GAP_MM = 4.0
SPENT, USED = 6, 2

TRACK_ACROSS, TRACK_DOWN = 16, 9
TRACK_DEEP_MM, TRACK_GAP_MM = (20.0, 22.0), 1.5
"""How far the fields at the sides, and those above and below, reach into the board; and what is between two."""
SIDE_MM, WALL_TOP_MM, PLATFORM_MM = 27.0, 40.0, (93.0, 161.0)
"""From the edge of the tunnel to the first section, to the upper parts, and to both ends of the upper platform."""

PERMITS_TOP_MM, BONUS_TOP_MM, PAINT_TOP_MM = 10.0, 78.0, 146.0
PANEL_LEFT_MM, GROUP_GAP_MM = 44.0, 10.0
"""From the edge to the first group of a panel: a sign before it says what it is about. And between two groups."""

TILE, PIECES = "tile", "pieces"
"""Readers: one tile by its code or face, and whatever stands or lies in a place."""

Regions = dict[str, Polygon]


# --- tunnel -----------------------------------------------------------------------------------


def tunnel_layout(profile: Mapping[str, Any], number: int) -> BoardLayout:
    """Walls above and below, the sections side by side; cans, number and block between; the track around."""
    sections, graffiti = profile["tunnel"]["sections"], profile["graffiti"]
    widest = max(len(graffiti[letter]) for walls in sections for letter in walls)
    width = max(TUNNEL_MM[0], 2 * SIDE_MM + len(sections) * (widest * PART_MM[0] + GAP_MM))
    height = TUNNEL_MM[1]
    step = (width - 2 * SIDE_MM) / len(sections)
    regions: Regions = {}
    for index, walls in enumerate(sections):
        middle = SIDE_MM + (index + 0.5) * step
        for letter, top in zip(walls, (WALL_TOP_MM, height - WALL_TOP_MM - PART_MM[1]), strict=True):
            regions |= _parts(letter, len(graffiti[letter]), middle, top)
        regions |= _section(index + 1, len(profile["tunnel"]["spaces"]), middle, height)
    regions |= _track((width, height))
    readers = {region: TILE if region.startswith(("part.", "block.")) else PIECES for region in regions}
    return _board("tunnel", "tunnel", (width, height), regions, readers, number)


def _parts(letter: str, count: int, middle: float, top: float) -> Iterator[tuple[str, Polygon]]:
    """Side by side: together they are one picture. A part is read above the circle of its tag."""
    width = PART_MM[0]
    for n in range(count):
        x = middle + (n - count / 2) * width
        yield f"part.{letter}{n + 1}", rectangle(x, top, width, TAG_DOWN_MM - SPOT_MM / 2 - 1)
        yield f"tag.{letter}{n + 1}", _square((x + width / 2, top + TAG_DOWN_MM), SPOT_MM)


def part_outline(region: Polygon) -> Polygon:
    """The whole place of a part, of which the region is only what is read."""
    return rectangle(*region[0], *PART_MM)


def _section(section: int, spaces: int, middle: float, height: float) -> Iterator[tuple[str, Polygon]]:
    """The first half of the can spaces on the upper platform, the others on the lower one; the block between."""
    above = (spaces + 1) // 2
    for rows, first, centre in (
        (above, 1, sum(PLATFORM_MM) / 2),
        (spaces - above, above + 1, height - sum(PLATFORM_MM) / 2),
    ):
        for n in range(rows):
            y = centre + (n - rows / 2) * (CANS_MM[1] + GAP_MM) + GAP_MM / 2
            yield f"can.{section}.{first + n}", rectangle(middle - CANS_MM[0] / 2, y, *CANS_MM)
    yield f"block.{section}", _square((middle, height / 2), PLACE_MM)


def _track(size: SizeMm) -> Iterator[tuple[str, Polygon]]:
    """Clockwise from the top left, between the markers."""
    width, height = size
    across, down = (width - 2 * CORNER_MM) / TRACK_ACROSS, (height - 2 * CORNER_MM) / TRACK_DOWN
    deep_x, deep_y = TRACK_DEEP_MM
    corners: list[tuple[Point, SizeMm]] = []
    corners += [((CORNER_MM + n * across, EDGE_MM), (across, deep_y)) for n in range(TRACK_ACROSS)]
    corners += [((width - EDGE_MM - deep_x, CORNER_MM + n * down), (deep_x, down)) for n in range(TRACK_DOWN)]
    back = range(TRACK_ACROSS - 1, -1, -1)
    corners += [((CORNER_MM + n * across, height - EDGE_MM - deep_y), (across, deep_y)) for n in back]
    corners += [((EDGE_MM, CORNER_MM + n * down), (deep_x, down)) for n in range(TRACK_DOWN - 1, -1, -1)]
    for n, ((x, y), (wide, high)) in enumerate(corners):
        cut_x, cut_y = (TRACK_GAP_MM, 0.0) if high == deep_y else (0.0, TRACK_GAP_MM)
        yield f"track.{n}", rectangle(x + cut_x / 2, y + cut_y / 2, wide - cut_x, high - cut_y)


# --- actions ----------------------------------------------------------------------------------


def actions_layout(profile: Mapping[str, Any], number: int) -> BoardLayout:
    """Permits, bonus tiles and paint, one below the other; where a can stands tells what is taken."""
    permits, bonus, paint = (
        dict(_permits(profile["permits"])),
        dict(_bonus(profile["bonus"])),
        dict(_paint(profile["paint"])),
    )
    regions = {**permits, **bonus, **paint}
    beside_markers = max(x for place in (*permits.values(), *paint.values()) for x, _ in place)
    right = max(beside_markers + CORNER_MM, *(x + EDGE_MM for place in bonus.values() for x, _ in place))
    bottom = max(y for place in regions.values() for _, y in place) + EDGE_MM
    size = max(ACTIONS_MM[0], right), max(ACTIONS_MM[1], bottom)
    unread = ("permit.pile", "bonus.used", "paint.")
    readers = {
        region: PIECES if region.startswith("can.") else TILE for region in regions if not region.startswith(unread)
    }
    return _board("actions", "actions", size, regions, readers, number)


def _permits(permits: Mapping[str, Any]) -> Iterator[tuple[str, Polygon]]:
    """The open places stand with the can space that takes them; then those that none takes, and the discards."""
    x, y, placed = PANEL_LEFT_MM, PERMITS_TOP_MM, set[str]()
    for space in permits["spaces"]:
        names = [f"permit.{slot}" for slot in space["slots"]] + ["permit.pile"] * space["pile"]
        names = [name for name in names if name not in placed]
        placed.update(names)
        yield from _row(names, x + CANS_MM[0] / 2, y)
        yield f"can.permit.{space['id']}", rectangle(x, y + PLACE_MM + GAP_MM, *CANS_MM)
        x += CANS_MM[0] + GROUP_GAP_MM
    others = (f"permit.{slot}" for slot in range(1, permits["slots"] + 1))
    for name in (*(other for other in others if other not in placed), "permit.discard"):
        yield name, rectangle(x + GAP_MM, y, PLACE_MM, PLACE_MM)
        x += PLACE_MM + GAP_MM


def _bonus(bonus: Mapping[str, Any]) -> Iterator[tuple[str, Polygon]]:
    x, y = PANEL_LEFT_MM, BONUS_TOP_MM
    for slot in (*range(1, bonus["slots"] + 1), "police"):
        if slot != "police" or bonus["police_space"]:
            yield f"can.bonus.{slot}", rectangle(x, y + PLACE_MM + GAP_MM, *CANS_MM)
        yield f"bonus.{slot}", _square((x + CANS_MM[0] / 2, y + PLACE_MM / 2), PLACE_MM)
        x += CANS_MM[0] + GROUP_GAP_MM
    yield "bonus.used", rectangle(x + GAP_MM, y, PLACE_MM, PLACE_MM)


def _paint(paint: Mapping[str, Any]) -> Iterator[tuple[str, Polygon]]:
    """Kinds that never fill up have a well each beside their stack; below, can spaces under theirs."""
    placed: set[str] = set()
    x, y = PANEL_LEFT_MM, PAINT_TOP_MM
    for region, (kind, _) in wells(paint).items():
        if kind not in placed:
            placed.add(kind)
            yield f"paint.{kind}", _square((x + PLACE_MM / 2, y + WELL_MM[1] / 2), PLACE_MM)
            x += PLACE_MM + GAP_MM
        yield region, rectangle(x, y, *WELL_MM)
        x += WELL_MM[0] + GROUP_GAP_MM
    x, y = PANEL_LEFT_MM, PAINT_TOP_MM + WELL_MM[1] + GAP_MM + 3
    for kinds, spaces in limited_spaces(paint):
        width = max(CANS_MM[0], len(kinds) * (PLACE_MM + 1))
        names = [f"paint.{kind}" for kind in kinds if kind not in placed]
        placed.update(kinds)
        yield from _row(names, x + width / 2, y)
        for n, space in enumerate(spaces):
            down = PLACE_MM + GAP_MM / 2 + n * (CANS_MM[1] + GAP_MM / 2)
            yield f"can.paint.{space}", rectangle(x + (width - CANS_MM[0]) / 2, y + down, *CANS_MM)
        x += width + GROUP_GAP_MM


def wells(paint: Mapping[str, Any]) -> dict[str, tuple[str, int]]:
    """The regions of spaces that never fill up, one for each kind that they give: that kind, and the cans it asks."""
    return {
        f"can.paint.{space['id']}.{kind}" if len(space["kinds"]) > 1 else f"can.paint.{space['id']}": (
            kind,
            space["cans"],
        )
        for space in paint["spaces"]
        if space["unlimited"]
        for kind in space["kinds"]
    }


def limited_spaces(paint: Mapping[str, Any]) -> list[tuple[tuple[str, ...], list[str]]]:
    """The can spaces that fill up, by the kinds that they give."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for space in paint["spaces"]:
        if not space["unlimited"]:
            groups.setdefault(tuple(space["kinds"]), []).append(space["id"])
    return list(groups.items())


# --- seats ------------------------------------------------------------------------------------


def seat_layout(seat: int, number: int) -> BoardLayout:
    """Of a seat, from 0: cans above, spent paint across the middle, what is used or held below."""
    middle, half = SEAT_MM[0] / 2, SEAT_MM[1] / 2
    step = PLACE_MM + GAP_MM
    regions: Regions = {}
    for n in range(CANS):
        regions[f"stock.{n + 1}"] = _square((middle + (n - (CANS - 1) / 2) * 27, EDGE_MM + 12), PLACE_MM)
    for n in range(SPENT):
        regions[f"spent.{n + 1}"] = _square((EDGE_MM + PLACE_MM / 2 + 2 + n * step, half), PLACE_MM)
    regions["marker"] = _square((SEAT_MM[0] - EDGE_MM - PLACE_MM / 2 - 2, half), PLACE_MM)
    below = (*(f"used.{n + 1}" for n in range(USED)), "police", "token", "pass")
    for n, name in enumerate(below):
        x = middle + (n - (len(below) - 1) / 2) * 27
        regions[name] = _square((x, SEAT_MM[1] - EDGE_MM - PLACE_MM / 2), PLACE_MM)
    pieces = ("stock.", "pass", "marker")
    readers = {region: PIECES if region.startswith(pieces) else TILE for region in regions}
    return _board(f"seat-{seat + 1}", "seat", SEAT_MM, regions, readers, number)


def seat_colour(board: BoardLayout) -> str:
    return SEATS[int(board.id.removeprefix("seat-")) - 1]


# --- small helpers ----------------------------------------------------------------------------


def _board(
    board_id: str, kind: str, size: SizeMm, regions: Mapping[str, Polygon], readers: Mapping[str, str], number: int
) -> BoardLayout:
    markers = corner_markers(number, size)
    return BoardLayout(board_id, kind, *size, f"{board_id}.png", regions, markers, readers)


def _square(middle: Point, side: float) -> Polygon:
    return rectangle(middle[0] - side / 2, middle[1] - side / 2, side, side)


def _row(names: Sequence[str], middle: float, top: float) -> Iterator[tuple[str, Polygon]]:
    """Places for tiles side by side around a middle."""
    step = PLACE_MM + GAP_MM / 2
    for n, name in enumerate(names):
        yield name, _square((middle + (n - (len(names) - 1) / 2) * step, top + PLACE_MM / 2), PLACE_MM)
