"""What is printed for an edition: boards and loose pieces."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pi_app.games.graffiti.edition.actions_board import draw_actions
from pi_app.games.graffiti.edition.faces import draw_pieces
from pi_app.games.graffiti.edition.loose import loose_pages
from pi_app.games.graffiti.edition.pieces import IMAGE, piece_sheet, pieces_json
from pi_app.games.graffiti.edition.places import actions_layout, seat_layout, tunnel_layout
from pi_app.games.graffiti.edition.seat_board import draw_seat
from pi_app.games.graffiti.edition.tunnel_board import draw_tunnel
from pi_app.games.graffiti.edition.words import SEATS
from vision.kit.kit import Atlas, Kit
from vision.kit.sheet import Sheet
from vision.layout import BoardLayout, Layout

NOTES = (
    "Glue the pages with pieces on card: they are easier to grip, and to see, when they are 2 mm thick.",
    "Roll the wraps of the cans, or stick the lids on corks or pegs that are 16 mm wide and 28 mm high.",
    "Everybody needs a screen: a folded sheet of card. The sheet of the seat lies in front of it.",
)


def kit_of(profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Kit:
    """The kit of a resolved profile."""
    faces, layout = piece_sheet(profile), kit_layout(profile)
    title = f"Graffiti: {profile['name']} (source: {profile['source']})"
    atlas = Atlas(IMAGE, faces.size_mm, partial(draw_pieces, profile=profile, faces=faces))
    pages = loose_pages(profile, faces)
    return Kit(layout, partial(_draw_board, profile=profile), title, NOTES, pages, atlas=atlas)


def kit_layout(profile: Mapping[str, Any]) -> Layout:
    seats = [seat_layout(seat, seat + 2) for seat in range(len(SEATS))]
    boards = (tunnel_layout(profile, 0), actions_layout(profile, 1), *seats)
    pieces = pieces_json(piece_sheet(profile), boards)
    return Layout(profile["name"], boards, game="graffiti", pieces=pieces)


def _draw_board(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    match board.kind:
        case "tunnel":
            draw_tunnel(sheet, board, profile)
        case "actions":
            draw_actions(sheet, board, profile)
        case _:
            draw_seat(sheet, board)
