"""What is printed for an edition: boards and loose pieces."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pi_app.games.graffiti.edition.pieces import IMAGE, PieceSheet, piece_sheet, pieces_json
from pi_app.games.graffiti.edition.places import actions_layout, seat_layout, tunnel_layout
from pi_app.games.graffiti.edition.words import SEATS
from vision.kit.kit import Atlas, Kit
from vision.kit.sheet import Sheet, rectangle
from vision.layout import BoardLayout, Layout


def kit_of(profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Kit:
    """The kit of a resolved profile."""
    faces, layout = piece_sheet(profile), kit_layout(profile)
    title = f"Graffiti: {profile['name']} (source: {profile['source']})"
    atlas = Atlas(IMAGE, faces.size_mm, partial(_draw_pieces, faces=faces))
    return Kit(layout, _draw_board, title, atlas=atlas)


def kit_layout(profile: Mapping[str, Any]) -> Layout:
    seats = [seat_layout(seat, seat + 2) for seat in range(len(SEATS))]
    boards = (tunnel_layout(profile, 0), actions_layout(profile, 1), *seats)
    pieces = pieces_json(piece_sheet(profile), boards)
    return Layout(profile["name"], boards, game="graffiti", pieces=pieces)


def _draw_board(sheet: Sheet, board: BoardLayout) -> None:
    for region, outline in board.regions.items():
        sheet.polygon(outline)
        sheet.text((outline[0][0] + 1, outline[0][1] + 3), region, 2.4, centred=False)


def _draw_pieces(sheet: Sheet, faces: PieceSheet) -> None:
    for piece in faces.pieces:
        for face in piece.faces:
            x, y, width, height = faces.faces[piece.id, face]
            sheet.polygon(rectangle(x, y, width, height), fill=piece.colour)
            if piece.coded and face == "up":
                side = 14.0 if width > 20 else 10.0
                white = rectangle(x + (width - side) / 2 - 1, y + (height - side) / 2 - 1, side + 2, side + 2)
                sheet.polygon(white, fill=(255, 255, 255), line=None)
                sheet.code(faces.codes[piece.id], rectangle(white[0][0] + 1, white[0][1] + 1, side, side))
