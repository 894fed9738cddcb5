"""The board of actions, drawn from its layout: permits, bonus tiles and paint, each group with its space for cans."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from pi_app.games.graffiti.edition.boards import FAINT, PALE, draw_cans_space, draw_corners, draw_place
from pi_app.games.graffiti.edition.icons import (
    Icon,
    draw_can,
    draw_drop,
    draw_permit,
    draw_police,
    draw_sign,
    draw_star,
    draw_token,
)
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, TILE_COLOURS
from pi_app.games.graffiti.edition.places import CORNER_MM, GAP_MM, PANEL_LEFT_MM, limited_spaces, wells
from vision.kit.corners import EDGE_MM
from vision.kit.curves import oval, path, rounded
from vision.kit.sheet import DARK, PAPER, SOFT, Colour, Sheet, middle_of, rectangle
from vision.layout import BoardLayout, Point, Polygon

GROUND: Colour = (240, 238, 234)
PERMIT_TINT, BONUS_TINT, PAINT_TINT = (214, 230, 243), (252, 222, 236), (255, 240, 205)
PERMIT_INK, BONUS_INK = TILE_COLOURS["permit"], TILE_COLOURS["bonus"]
PAINT_INK: Colour = (245, 150, 32)
PAD_MM = 4.0


def draw_actions(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    sheet.polygon(rectangle(0, 0, board.width_mm, board.height_mm), fill=GROUND, line=None)
    panels: tuple[tuple[str, Colour, Colour, Icon], ...] = (
        ("permit", PERMIT_TINT, PERMIT_INK, draw_permit),
        ("bonus", BONUS_TINT, BONUS_INK, draw_star),
        ("paint", PAINT_TINT, PAINT_INK, draw_drop),
    )
    for name, tint, strong, icon in panels:
        places = [place for region, place in board.regions.items() if region.startswith((f"{name}.", f"can.{name}."))]
        left, top, _, bottom = _around(places)
        edge = board.width_mm - (EDGE_MM if name == "bonus" else CORNER_MM) - PAD_MM
        panel = rounded(left - PAD_MM, top - PAD_MM, edge - left + PAD_MM, bottom - top + 2 * PAD_MM, 5)
        sheet.polygon(panel, fill=tint, line=None)
        _draw_heading(sheet, (PANEL_LEFT_MM / 2 - 1, max(top + 42, (top + bottom) / 2)), icon, strong)
    _draw_permits(sheet, board.regions, profile["permits"])
    _draw_bonus(sheet, board.regions, profile["bonus"])
    _draw_paint(sheet, board.regions, profile["paint"])
    draw_corners(sheet, board)


def _draw_heading(sheet: Sheet, at: Point, icon: Icon, colour: Colour) -> None:
    sheet.circle(at, 14, fill=colour, line=PAPER, width_mm=1.2)
    icon(sheet, at, 17, PAPER, colour)


def _draw_permits(sheet: Sheet, regions: Mapping[str, Polygon], permits: Mapping[str, Any]) -> None:
    for space in permits["spaces"]:
        cans = regions[f"can.permit.{space['id']}"]
        taken = [regions[f"permit.{slot}"] for slot in space["slots"]]
        taken += [regions["permit.pile"]] * space["pile"]
        _draw_group(sheet, [cans, *taken])
        draw_cans_space(sheet, cans, 1, PERMIT_INK)
        if space["first"]:
            draw_token(sheet, (cans[1][0] - 7, cans[0][1] - 16), 11, PERMIT_INK)
    for slot in range(1, permits["slots"] + 1):
        draw_place(sheet, regions[f"permit.{slot}"], draw_permit, PERMIT_INK)
    draw_place(sheet, regions["permit.pile"], None, PERMIT_INK)
    for n in (2, 1, 0):
        (x, y), *_ = regions["permit.pile"]
        sheet.polygon(rounded(x + 5 + 1.4 * n, y + 5 - 1.4 * n, 14, 14, 2), fill=PERMIT_TINT, line=PERMIT_INK)
    _draw_discard(sheet, regions["permit.discard"], PERMIT_INK)


def _draw_bonus(sheet: Sheet, regions: Mapping[str, Polygon], bonus: Mapping[str, Any]) -> None:
    for slot in (*range(1, bonus["slots"] + 1), "police"):
        place, cans = regions[f"bonus.{slot}"], regions.get(f"can.bonus.{slot}")
        _draw_group(sheet, [place] if cans is None else [place, cans])
        draw_place(sheet, place, draw_police if slot == "police" else draw_star, BONUS_INK)
        if cans is not None:
            draw_cans_space(sheet, cans, 1, BONUS_INK)
    _draw_discard(sheet, regions["bonus.used"], BONUS_INK)


def _draw_paint(sheet: Sheet, regions: Mapping[str, Polygon], paint: Mapping[str, Any]) -> None:
    cans = {space["id"]: space["cans"] for space in paint["spaces"]}
    for name, (kind, asked) in wells(paint).items():
        _draw_group(sheet, [regions[name], regions[f"paint.{kind}"]])
        _draw_well(sheet, regions[name], kind, asked)
    for kinds, spaces in limited_spaces(paint):
        group = [regions[f"can.paint.{space}"] for space in spaces]
        _draw_group(sheet, [*group, *(regions[f"paint.{kind}"] for kind in kinds)])
        for space, outline in zip(spaces, group, strict=True):
            draw_cans_space(sheet, outline, cans[space])
    for region, outline in regions.items():
        if region.startswith("paint."):
            _draw_stack(sheet, outline, region.removeprefix("paint."))


def _draw_group(sheet: Sheet, places: Iterable[Polygon]) -> None:
    """A white card under what belongs together."""
    left, top, right, bottom = _around(places)
    card = rounded(left - 2, top - 2, right - left + 4, bottom - top + 4, 5)
    sheet.polygon(card, fill=PAPER, line=None)


def _draw_stack(sheet: Sheet, outline: Polygon, kind: str) -> None:
    """Where the tiles of a kind lie: its colours, paler than the tiles, and its signs."""
    (left, top), (right, _), *_ = outline
    side, step = right - left, (right - left) / len(kind)
    with sheet.inset((left, top), (side, side)) as place:
        for n, colour in enumerate(kind):
            look = PAINT_LOOKS[colour]
            place.polygon(rectangle(n * step, 0, step, side), fill=look.tint, line=None)
            draw_sign(place, look, ((n + 0.5) * step, side / 2), 13.0 if len(kind) == 1 else 8.5, look.colour)
    sheet.polygon(outline, line=DARK, width_mm=0.6)


def _draw_well(sheet: Sheet, outline: Polygon, kind: str, cans: int) -> None:
    """Never full: six places to stand, and more if need be."""
    (left, top), _, (right, bottom), _ = outline
    look = PAINT_LOOKS[kind]
    sheet.polygon(rounded(left, top, right - left, bottom - top, 6), fill=PALE, line=look.colour, width_mm=1.0)
    for n in range(6):
        at = (left + (right - left) * (n % 3 + 0.5) / 3, top + (bottom - top) * (n // 3 + 0.5) / 2)
        sheet.circle(at, 9.6, fill=None, line=FAINT, width_mm=0.5)
    x, y = middle_of(outline)
    loop = ((-5, 0), (-2.6, -2), (0, 0), (2.6, 2), (5, 0), (2.6, -2), (0, 0), (-2.6, 2), (-5, 0))
    sheet.polygon(oval((x, y), 7, 3.8), fill=PALE, line=None)
    for begin, end in pairwise(path([(x + dx, y + dy) for dx, dy in loop])):
        sheet.line(begin, end, 0.9, SOFT)
    if cans > 1:
        for n in range(cans):
            draw_can(sheet, (left + 5 + 4 * n, bottom - 5), 7.0, SOFT)


def _draw_discard(sheet: Sheet, outline: Polygon, colour: Colour) -> None:
    """For what was used."""
    draw_place(sheet, outline, None, colour)
    (left, top), _, (right, bottom), _ = outline
    inset = GAP_MM + 3
    for a, b in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
        dx, dy = (inset if a[0] < b[0] else -inset), (inset if a[1] < b[1] else -inset)
        sheet.line((a[0] + dx, a[1] + dy), (b[0] - dx, b[1] - dy), 1.6, FAINT)


def _around(places: Iterable[Polygon]) -> tuple[float, float, float, float]:
    points = [point for place in places for point in place]
    return (
        min(x for x, _ in points),
        min(y for _, y in points),
        max(x for x, _ in points),
        max(y for _, y in points),
    )
