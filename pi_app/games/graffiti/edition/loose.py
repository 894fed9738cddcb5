"""The loose pieces as pages to cut out, as many of each as the game needs."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from pi_app.games.graffiti.edition.faces import draw_face
from pi_app.games.graffiti.edition.icons import draw_can, draw_sign
from pi_app.games.graffiti.edition.looks import SEAT_LOOKS, Look
from pi_app.games.graffiti.edition.pieces import CAN_MM, Piece, PieceSheet
from pi_app.games.graffiti.edition.words import CANS
from vision.kit.curves import rounded
from vision.kit.cutouts import Cutout, cut_out_pages
from vision.kit.kit import Page
from vision.kit.sheet import PAPER, Sheet, rectangle

LAP_MM = (14.0, 14.0)
"""The marker of who has passed the end of the track."""
FLAP_MM = 5.0
"""Of a can's wrap, to be glued under its other end."""
WRAP_MM = (math.ceil(math.pi * CAN_MM[0]) + FLAP_MM, CAN_MM[2])


def loose_pages(profile: Mapping[str, Any], faces: PieceSheet) -> list[Page]:
    """Sorted as people lay them out."""
    cutouts = {piece.id: _cutout(profile, piece, faces.codes.get(piece.id)) for piece in faces.pieces}
    sets: dict[str, list[Cutout]] = {}
    for piece in faces.pieces:
        name = piece.id.partition(".")[0] if piece.set.startswith("part.") else piece.set
        sets.setdefault(name, []).append(cutouts[piece.id])
    laps = [Cutout(f"lap {seat}", LAP_MM, partial(_draw_lap, look=look)) for seat, look in SEAT_LOOKS.items()]
    wraps = [Cutout(f"wrap {seat}", WRAP_MM, partial(_draw_wrap, look=look), CANS) for seat, look in SEAT_LOOKS.items()]
    figures = [*sets["marker"], *sets["police"], *sets["token"], *sets["block"]]
    return [
        *cut_out_pages("Graffiti: fold along the marks, glue, cut out", sets["part"]),
        *cut_out_pages("Special graffiti, for the variant: fold along the marks, glue, cut out", sets["special"]),
        *cut_out_pages("Paint: cut out", sets["paint"]),
        *cut_out_pages("Permits: fold along the marks, glue, cut out", sets["permit"]),
        *cut_out_pages("Bonus: fold along the marks, glue, cut out", sets["bonus"]),
        *cut_out_pages("Tags, markers, figures: cut out", [*sets["tag"], *figures, *laps, *sets["score"]]),
        *cut_out_pages("Cans: roll the wraps, glue the lids on top", [*wraps, *sets["can"]]),
    ]


def _cutout(profile: Mapping[str, Any], piece: Piece, code: int | None) -> Cutout:
    front, *back = (partial(draw_face, profile=profile, piece=piece, face=face, code=code) for face in piece.faces)
    width, height, _ = piece.size_mm
    flat = piece.shape == "tile"
    return Cutout(piece.id, (width, height), front, piece.count, back[0] if back else None, round=not flat)


def _draw_lap(sheet: Sheet, look: Look) -> None:
    width, height = LAP_MM
    sheet.polygon(rounded(0, 0, width, height, 2), fill=look.colour, line=None)
    sheet.text((width / 2, height / 2), "+50", 6.0, look.ink)


def _draw_wrap(sheet: Sheet, look: Look) -> None:
    """The body of a can, from its front to its back; the flap stays white."""
    around, high = WRAP_MM[0] - FLAP_MM, WRAP_MM[1]
    sheet.polygon(rectangle(0, 0, around, high), fill=look.colour, line=None)
    for y in (2.4, high - 3.6):
        sheet.polygon(rectangle(0, y, around, 1.2), fill=look.ink, line=None)
    for n in (0.25, 0.75):
        sheet.circle((n * around, high / 2), 8.0, fill=PAPER, line=None)
        draw_sign(sheet, look, (n * around, high / 2), 9.0, look.colour)
    draw_can(sheet, (around / 2, high / 2), 8.0, look.ink, look.colour)
