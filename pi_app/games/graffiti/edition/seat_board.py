"""The sheet in front of a seat, drawn from its layout."""

from collections.abc import Mapping

from pi_app.games.graffiti.edition.boards import FAINT, PALE, draw_corners, draw_place, draw_spot
from pi_app.games.graffiti.edition.icons import (
    Icon,
    draw_can,
    draw_drop,
    draw_pass,
    draw_pin,
    draw_police,
    draw_sign,
    draw_star,
    draw_token,
)
from pi_app.games.graffiti.edition.looks import SEAT_LOOKS
from pi_app.games.graffiti.edition.places import CORNER_MM, RING_MM, seat_colour
from vision.kit.curves import rounded
from vision.kit.sheet import Sheet, middle_of, rectangle
from vision.layout import BoardLayout

PLACES: Mapping[str, Icon] = {
    "spent": draw_drop,
    "used": draw_star,
    "police": draw_police,
    "token": draw_token,
    "pass": draw_pass,
    "marker": draw_pin,
}


def draw_seat(sheet: Sheet, board: BoardLayout) -> None:
    look = SEAT_LOOKS[seat_colour(board)]
    width, height = board.width_mm, board.height_mm
    sheet.polygon(rectangle(0, 0, width, height), fill=look.tint, line=None)
    band = rounded(3, CORNER_MM + 0.5, width - 6, height - 2 * CORNER_MM - 1, 4)
    sheet.polygon(band, fill=look.colour, line=None)
    for region, outline in board.regions.items():
        name = region.partition(".")[0]
        if name == "stock":
            sheet.circle(middle_of(outline), RING_MM / 2, fill=PALE, line=look.colour, width_mm=1.0)
            draw_can(sheet, middle_of(outline), 11.0, FAINT, PALE)
        else:
            (draw_spot if name in ("pass", "marker") else draw_place)(sheet, outline, PLACES[name], look.colour)
    draw_corners(sheet, board)
    for polygon in board.markers.values():
        x, y = middle_of(polygon)
        inward = CORNER_MM / 2 + 2.2 if x < width / 2 else -CORNER_MM / 2 - 2.2
        for n in (-1, 0, 1):
            draw_sign(sheet, look, (x + inward, y + 7 * n), 2.8, look.colour, None)
