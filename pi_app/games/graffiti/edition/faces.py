"""The faces of loose pieces: a code for the camera, signs and pictures for people."""

from collections.abc import Mapping
from typing import Any

from pi_app.games.graffiti.edition.icons import BONUS_ICONS, FIGURES, draw_permit, draw_sign, draw_star
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, SEAT_LOOKS, TAG_LOOKS, TILE_COLOURS, Look
from pi_app.games.graffiti.edition.murals import draw_mural
from pi_app.games.graffiti.edition.pieces import Piece, PieceSheet
from pi_app.games.graffiti.edition.places import PART_MM, TAG_DOWN_MM, TAG_MM
from vision.die import PIPS
from vision.kit.curves import rounded
from vision.kit.sheet import DARK, PAPER, SOFT, Colour, Sheet, SizeMm, rectangle
from vision.layout import Point

TILE_CODE_MM, TAG_CODE_MM, MARKER_CODE_MM = 14.0, 10.0, 11.0
STRIP_MM = 5.2
"""Above the code of a tile, for people."""
QUIET_MM = 1.4
"""White around a code."""


def draw_pieces(sheet: Sheet, profile: Mapping[str, Any], faces: PieceSheet) -> None:
    """All faces where the picture of all pieces has them."""
    for piece in faces.pieces:
        for face in piece.faces:
            x, y, width, height = faces.faces[piece.id, face]
            with sheet.inset((x, y), (width, height)) as part:
                draw_face(part, profile, piece, face, faces.codes.get(piece.id))


def draw_face(sheet: Sheet, profile: Mapping[str, Any], piece: Piece, face: str, code: int | None) -> None:
    """A face at the top left of a sheet of its size."""
    width, height, _ = piece.size_mm
    name = piece.id.partition(".")[2]
    match piece.set:
        case "paint":
            _draw_paint(sheet, name)
        case "permit" | "bonus":
            _draw_tile(sheet, piece.set, name, face, (width, height))
        case "tag" | "marker":
            _draw_owned(sheet, piece.shape, TAG_LOOKS[name], width)
        case "can" | "score":
            look = SEAT_LOOKS[name or piece.id]
            sheet.circle((width / 2, height / 2), width / 2, fill=look.colour, line=None)
            draw_sign(sheet, look, (width / 2, height / 2), width * 0.45, look.ink, None)
        case "police" | "token" | "block":
            sheet.polygon(rectangle(0, 0, width, height), fill=piece.colour, line=None)
            FIGURES[piece.id](sheet, (width / 2, STRIP_MM / 2 + 0.1), STRIP_MM - 0.6, PAPER, piece.colour)
        case _:
            letter, number = name[0], int(name[1:])
            special = piece.id.startswith("special.")
            parts = profile["special" if special else "graffiti"][letter]
            draw_part(sheet, (letter, number), parts, face == "finished", special)
    if code is not None and face == "up":
        _draw_code(sheet, code, piece)


def _draw_code(sheet: Sheet, code: int, piece: Piece) -> None:
    width, height, _ = piece.size_mm
    side = {"tag": TAG_CODE_MM, "marker": MARKER_CODE_MM}.get(piece.set, TILE_CODE_MM)
    top = (height - side) / 2 if piece.set in ("tag", "marker") else height - side - QUIET_MM
    plate = rectangle((width - side) / 2 - QUIET_MM, top - QUIET_MM, side + 2 * QUIET_MM, side + 2 * QUIET_MM)
    sheet.polygon(plate, fill=PAPER, line=None)
    sheet.code(code, rectangle((width - side) / 2, top, side, side))


def _draw_paint(sheet: Sheet, kind: str) -> None:
    """Two colours share a tile: each has its half and its sign."""
    side, step = 22.0, 22.0 / len(kind)
    for n, colour in enumerate(kind):
        look = PAINT_LOOKS[colour]
        sheet.polygon(rectangle(n * step, 0, step, side), fill=look.colour, line=None)
        draw_sign(sheet, look, ((n + 0.5) * step, STRIP_MM / 2), STRIP_MM - 1.4, look.ink, None)


def _draw_tile(sheet: Sheet, kind: str, name: str, face: str, size: SizeMm) -> None:
    width, height = size
    colour = TILE_COLOURS[kind]
    if face == "back":
        sheet.polygon(rectangle(0, 0, *size), fill=colour, line=None)
        sheet.polygon(rounded(1.4, 1.4, width - 2.8, height - 2.8, 2), line=PAPER, width_mm=0.6)
        icon = draw_permit if kind == "permit" else draw_star
        icon(sheet, (width / 2, height / 2), 12.0, PAPER, colour)
        return
    sheet.polygon(rectangle(0, 0, *size), fill=colour, line=None)
    at = (width / 2, STRIP_MM / 2 + 0.1)
    if kind == "permit":
        draw_die(sheet, (at[0] - 4.2, at[1]), STRIP_MM - 0.9, int(name))
        sheet.text((at[0] + 3.4, at[1]), name, STRIP_MM + 0.4, PAPER)
    else:
        BONUS_ICONS[name](sheet, at, STRIP_MM - 1.2, PAPER, colour)


def _draw_owned(sheet: Sheet, shape: str, look: Look, side: float) -> None:
    """A disc, or a square marker with cut corners, in the colour of a seat, with its sign on every side."""
    middle = (side / 2, side / 2)
    if shape == "disc":
        sheet.circle(middle, side / 2, fill=look.colour, line=None)
    else:
        sheet.polygon(rounded(0, 0, side, side, 2.4), fill=look.colour, line=None)
    for x, y in ((side / 2, 1.45), (side - 1.45, side / 2), (side / 2, side - 1.45), (1.45, side / 2)):
        draw_sign(sheet, look, (x, y), 1.7, look.ink, None)


def draw_die(sheet: Sheet, at: Point, side: float, value: int, line: Colour = DARK) -> None:
    """A printed die face."""
    sheet.polygon(
        rounded(at[0] - side / 2, at[1] - side / 2, side, side, side * 0.18),
        fill=PAPER,
        line=line,
        width_mm=0.04 * side,
    )
    for across, down in PIPS.get(value, ()):
        sheet.circle((at[0] + 0.28 * side * across, at[1] + 0.28 * side * down), side * 0.1, fill=DARK, line=None)


# --- parts of graffiti ------------------------------------------------------------------------


def draw_part(
    sheet: Sheet, part: tuple[str, int], parts: list[Mapping[str, Any]], finished: bool, special: bool = False
) -> None:
    """Its piece of the picture; before it is painted also what it asks for and what it is worth."""
    (letter, number), (width, height) = part, PART_MM
    whole = (len(parts) * width, height)
    with sheet.inset((0, 0), PART_MM) as window, window.inset(((1 - number) * width, 0), whole) as wall:
        draw_mural(wall, letter, whole[0], finished, special, ((number - 1) * width, number * width))
    sheet.circle((width / 2, TAG_DOWN_MM), TAG_MM / 2 + 0.6, fill=(252, 252, 252), line=SOFT, width_mm=0.3)
    if finished:
        sheet.polygon(rounded(1, 1, 7.4, 4.6, 1.2), fill=PAPER, line=None)
        sheet.text((4.7, 3.3), f"{letter}{number}", 3.6)
        return
    _draw_label(sheet, f"{letter}{number}", special)
    _draw_worth(sheet, parts[number - 1]["points"])
    _draw_cost(sheet, parts[number - 1]["cost"])
    sheet.polygon(rectangle(0, 0, width, height), line=SOFT, width_mm=0.25)


def _draw_label(sheet: Sheet, words: str, special: bool) -> None:
    sheet.polygon(rounded(1.2, 1.2, 11, 8, 1.6), fill=DARK, line=None)
    sheet.text((6.7, 5.4), words, 6.4, (255, 200, 40) if special else PAPER)


def _draw_worth(sheet: Sheet, points: int) -> None:
    draw_star(sheet, (20, 5.6), 12.0, (255, 200, 40))
    sheet.text((20, 5.9), str(points), 5.2)


def _draw_cost(sheet: Sheet, cost: str) -> None:
    """A sign for each colour: in one row up to four, else in two."""
    rows = [cost] if len(cost) <= 4 else [cost[:3], cost[3:]]
    high = 9.0 if len(rows) == 1 else 11.0
    top = 11.4
    wide = 6.0 * max(map(len, rows)) + 1.2
    sheet.polygon(rounded((PART_MM[0] - wide) / 2, top, wide, high, 2), fill=PAPER, line=DARK, width_mm=0.3)
    for row, colours in enumerate(rows):
        for n, colour in enumerate(colours):
            x = PART_MM[0] / 2 + (n - (len(colours) - 1) / 2) * 6.0
            y = top + high * (row + 0.5) / len(rows)
            look = PAINT_LOOKS[colour]
            draw_sign(sheet, look, (x, y), 5.0 if len(rows) == 1 else 4.4, look.colour)
