"""What is printed for an edition: boards and loose pieces."""

from collections.abc import Callable, Mapping
from dataclasses import replace
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
from vision.kit.outlines import Printed, draw_outlines
from vision.kit.sheet import Sheet
from vision.layout import BoardLayout, Layout

SMALL = 0.7
"""Brings the tunnel from A2 to A3."""
NOTES = (
    "Glue the pages with pieces on card: pieces are easier to grip when they are 2 mm thick.",
    "Roll the wraps of the cans, or stick the lids on corks, 16 mm wide and 28 mm high.",
    "Everybody needs a screen: a folded sheet of card. The sheet of the seat lies in front of it.",
)


def kit_of(profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Kit:
    """The kit of a resolved profile, or of boards that somebody owns and measured."""
    faces, layout = piece_sheet(profile), kit_layout(profile, measured)
    title = f"Graffiti: {profile['name']} (source: {profile['source']})"
    atlas = Atlas(IMAGE, faces.size_mm, partial(draw_pieces, profile=profile, faces=faces))
    draw = partial(_draw_board, profile=profile)
    if measured is not None:
        return Kit(layout, partial(_draw_owned, measured=measured, ours=draw), title, owned=True, atlas=atlas)
    return Kit(layout, draw, title, NOTES, loose_pages(profile, faces), atlas=atlas, small=SMALL)


def kit_layout(profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Layout:
    ours = (
        tunnel_layout(profile, 0),
        actions_layout(profile, 1),
        *(seat_layout(seat, seat + 2) for seat in range(len(SEATS))),
    )
    owned = measured or {}
    boards = tuple(_as_measured(board, owned[board.kind]) if board.kind in owned else board for board in ours)
    pieces = pieces_json(piece_sheet(profile), boards, profile)
    return Layout(profile["name"], boards, game="graffiti", pieces=pieces)


def _as_measured(board: BoardLayout, measured: Mapping[str, Any]) -> BoardLayout:
    """The same board with the places of an owner's copy."""
    markers = dict(zip(board.markers, measured["markers"], strict=True))
    size = {"width_mm": measured["width_mm"], "height_mm": measured["height_mm"]}
    return replace(board, **size, regions=measured["regions"], markers=markers)


def _draw_owned(
    sheet: Sheet, board: BoardLayout, measured: Mapping[str, Any], ours: Callable[[Sheet, BoardLayout], None]
) -> None:
    """Outlines to compare with what the owner has; a sheet that nobody measured is ours."""
    if board.kind in measured:
        draw_outlines(sheet, board, {region: Printed(region.rpartition(".")[2], region) for region in board.regions})
    else:
        ours(sheet, board)


def _draw_board(sheet: Sheet, board: BoardLayout, profile: Mapping[str, Any]) -> None:
    match board.kind:
        case "tunnel":
            draw_tunnel(sheet, board, profile)
        case "actions":
            draw_actions(sheet, board, profile)
        case _:
            draw_seat(sheet, board)
