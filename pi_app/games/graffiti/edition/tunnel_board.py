"""The tunnel, drawn from its layout: walls above and below, platforms, rails between them, and the track around."""

from collections.abc import Mapping
from typing import Any

from pi_app.games.graffiti.edition.boards import FAINT, draw_cans_space, draw_corners, draw_place
from pi_app.games.graffiti.edition.faces import draw_die, draw_part
from pi_app.games.graffiti.edition.icons import draw_block, draw_can, draw_star
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS
from pi_app.games.graffiti.edition.places import PART_MM, PLATFORM_MM, SIDE_MM, TRACK_DEEP_MM
from vision.kit.corners import EDGE_MM
from vision.kit.curves import rounded, smooth
from vision.kit.sheet import DARK, PAPER, SOFT, Colour, Sheet, middle_of, polar, rectangle
from vision.layout import BoardLayout

FLOOR: Colour = (240, 238, 234)
BRICK: Colour = (233, 196, 178)
JOINT: Colour = (246, 226, 216)
BALLAST: Colour = (226, 223, 218)
SLEEPER: Colour = (212, 202, 188)
RAIL: Colour = (120, 122, 132)
EDGE_LINE: Colour = (255, 200, 40)
SIGN_MM = 19.0
BRICK_MM = (15.0, 6.2)


def draw_tunnel(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    width, height = board.width_mm, board.height_mm
    sections = profile["tunnel"]["sections"]
    step = (width - 2 * SIDE_MM) / len(sections)
    sheet.polygon(rectangle(0, 0, width, height), fill=FLOOR, line=None)
    top, long = EDGE_MM + TRACK_DEEP_MM[1] + 4, width - 2 * SIDE_MM
    high, rails = PLATFORM_MM[0] - top, PLATFORM_MM[1]
    _draw_rails(sheet, (SIDE_MM, rails), (long, height - 2 * rails))
    for y in (top, height - top - high):
        _draw_wall(sheet, (SIDE_MM, y), (long, high))
    _draw_splashes(sheet, long, height)
    for n in range(1, len(sections)):
        _draw_pillars(sheet, SIDE_MM + n * step, height)
    _draw_track(sheet, board)
    for index, walls in enumerate(sections):
        _draw_section(sheet, board, profile, index + 1)
        for letter in walls:
            parts = profile["graffiti"][letter]
            for number in range(1, len(parts) + 1):
                with sheet.inset(board.regions[f"part.{letter}{number}"][0], PART_MM) as place:
                    draw_part(place, (letter, number), parts, finished=False)
    draw_corners(sheet, board)


def _draw_wall(sheet: Sheet, at: tuple[float, float], size: tuple[float, float]) -> None:
    """Bricks."""
    wide, high = BRICK_MM
    with sheet.inset(at, size) as wall:
        wall.polygon(rectangle(0, 0, *size), fill=BRICK, line=None)
        for row in range(int(size[1] / high) + 1):
            wall.line((0, row * high), (size[0], row * high), 0.6, JOINT)
            for col in range(int(size[0] / wide) + 1):
                x = (col + 0.5 * (row % 2)) * wide
                wall.line((x, row * high), (x, (row + 1) * high), 0.6, JOINT)
    sheet.polygon(rectangle(*at, *size), line=SOFT, width_mm=0.8)


def _draw_rails(sheet: Sheet, at: tuple[float, float], size: tuple[float, float]) -> None:
    (left, top), (width, height) = at, size
    sheet.polygon(rectangle(*at, *size), fill=BALLAST, line=None)
    count = int(width / 12)
    for n in range(count):
        x = left + (n + 0.5) * width / count - 2.5
        sheet.polygon(rectangle(x, top + 7, 5, height - 14), fill=SLEEPER, line=None)
    for y in (top + 0.26 * height, top + 0.74 * height):
        sheet.polygon(rectangle(left, y - 1.6, width, 3.2), fill=RAIL, line=None)
        sheet.line((left, y - 0.5), (left + width, y - 0.5), 0.7, PAPER)
    for y in (top, top + height):
        sheet.polygon(rectangle(left, y - 1.5, width, 3), fill=EDGE_LINE, line=None)


def _draw_splashes(sheet: Sheet, long: float, height: float) -> None:
    """Paint on the platforms, too pale to be taken for a piece."""
    looks = list(PAINT_LOOKS.values())
    count = int(long / 22)
    for n in range(count):
        across, down = (n * 7 % count + 0.5) / count, (0.18, 0.8, 0.46, 0.9, 0.1)[n % 5]
        begin, end = PLATFORM_MM
        y = begin + 4 + down * (end - begin - 8)
        at = (SIDE_MM + across * long, y if n % 2 else height - y)
        size = 3.0 + 2.4 * (n * 5 % 3)
        edge = [polar(at, size * (1.0 if k % 2 else 0.68 + 0.05 * (k * n % 5)), 360 * k / 18) for k in range(18)]
        colour = looks[n % len(looks)].tint
        sheet.polygon(smooth(edge), fill=colour, line=None)
        for k in range(3):
            sheet.circle(polar(at, size * (1.25 + 0.25 * k), 70 * n + 130 * k), 0.7 + 0.2 * k, fill=colour, line=None)


def _draw_pillars(sheet: Sheet, x: float, height: float) -> None:
    """Between two sections: on both platforms, and a line across the rails."""
    begin, end = PLATFORM_MM
    for y in (begin + 6, height - end + 8):
        sheet.polygon(rounded(x - 3, y, 6, end - begin - 14, 3), fill=RAIL, line=None)
        sheet.polygon(rounded(x - 1.6, y + 1.4, 1.4, end - begin - 17, 0.7), fill=FAINT, line=None)
    for n in range(int((height - 2 * end - 8) / 8)):
        y = end + 4 + 8 * n
        sheet.line((x, y + 2), (x, y + 6), 1.0, PAPER)


def _draw_section(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any], section: int) -> None:
    for n, cans in enumerate(profile["tunnel"]["spaces"], 1):
        outline = board.regions[f"can.{section}.{n}"]
        y = middle_of(outline)[1]
        draw_cans_space(sheet, outline, cans)
        _draw_sign(sheet, (outline[0][0] - 3 - SIGN_MM / 2, y), section)
        for can in range(cans):
            draw_can(sheet, (outline[1][0] + 6 + 7 * can, y), 12.0, DARK)
    block = board.regions[f"block.{section}"]
    draw_place(sheet, block, draw_block, line=DARK)


def _draw_sign(sheet: Sheet, at: tuple[float, float], section: int) -> None:
    """As on a station's wall: the number of the section as a die."""
    x, y = at
    sheet.polygon(rounded(x - SIGN_MM / 2, y - SIGN_MM / 2, SIGN_MM, SIGN_MM, 3), fill=(27, 108, 168), line=None)
    draw_die(sheet, at, SIGN_MM - 4, section)


def _draw_track(sheet: Sheet, board: BoardLayout) -> None:
    for region, outline in board.regions.items():
        if not region.startswith("track."):
            continue
        number = int(region.removeprefix("track."))
        (left, top), _, (right, bottom), _ = outline
        # Grey, as no marker is: a yellow one would hardly be seen on yellow.
        fill = (214, 214, 218) if number % 10 == 0 else (238, 238, 240) if number % 5 == 0 else PAPER
        sheet.polygon(rounded(left, top, right - left, bottom - top, 2.5), fill=fill, line=SOFT, width_mm=0.4)
        if number:
            sheet.text(middle_of(outline), str(number), 7.0, (150, 146, 140))
        else:
            draw_star(sheet, middle_of(outline), 13.0, SOFT)
