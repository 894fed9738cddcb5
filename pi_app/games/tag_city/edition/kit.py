"""What is printed for an edition: our own boards and tokens, or sheets to check measured boards by."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pi_app.games.tag_city.edition.city_board import draw_city
from pi_app.games.tag_city.edition.hq_board import draw_hq
from pi_app.games.tag_city.edition.places import Measured, kit_layout
from pi_app.games.tag_city.edition.printed import printed_city, printed_hq
from pi_app.games.tag_city.edition.tokens import draw_tokens
from vision.kit.kit import Kit
from vision.kit.outlines import draw_outlines
from vision.kit.sheet import Sheet
from vision.layout import BoardLayout

NOTES = (
    "Laminate the boards, or slip them into clear sleeves, to write on them with dry-erase pens.",
    "Cut out the shape tokens and lay them on the HQ; with HQ side B choose six of the large ones.",
)


def kit_of(profile: Mapping[str, Any], measured: Measured | None = None) -> Kit:
    """The kit of a resolved profile, or of boards that somebody owns and measured."""
    layout, title = kit_layout(profile, measured), f"Tag City: {profile['name']} (source: {profile['source']})"
    if measured is not None:
        return Kit(layout, partial(_draw_measured, profile=profile), title, owned=True)
    pages = [partial(draw_tokens, profile=profile)]
    return Kit(layout, partial(_draw_board, profile=profile), title, NOTES, pages)


def _draw_board(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    draw = draw_city if board.kind == "city" else draw_hq
    draw(sheet, board, profile)


def _draw_measured(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    printed = printed_city(profile["city"]) if board.kind == "city" else printed_hq(profile["hq"])
    draw_outlines(sheet, board, printed)
