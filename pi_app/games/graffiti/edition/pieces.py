"""The loose pieces: what there is, how large, which code it bears, how often it is printed, and where it may lie."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pi_app.games.graffiti.edition.looks import NEUTRAL, PAINT_LOOKS, PLAIN, SEAT_LOOKS, TILE_COLOURS, hex_of
from pi_app.games.graffiti.edition.places import PART_MM, TAG_MM, TILE_MM, wells
from pi_app.games.graffiti.edition.words import BONUSES, CANS, PAINTS, SEATS
from vision.kit.sheet import Colour, SizeMm
from vision.layout import BoardLayout

CAN_MM, SCORE_MM, MARKER_MM = (16.0, 16.0, 28.0), 9.0, 18.0
THICK_MM = 2.0
TAGS, NEUTRAL_TAGS = 16, 12
IMAGE = "pieces.png"
SHEET_MM, GAP_MM = 300.0, 4.0
"""How wide the picture of all pieces is, and what is between two."""
MOST_CANS = 6
"""On a space that never fills up: so many are told apart."""

Box = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True)
class Piece:
    """`size_mm` is width, depth and height as it stands on the table."""

    id: str
    set: str
    shape: str
    size_mm: tuple[float, float, float]
    colour: Colour
    faces: tuple[str, ...] = ("up",)
    coded: bool = True
    count: int = 1


@dataclass(frozen=True)
class PieceSheet:
    """Where every face of every piece is in the picture of all, and which code is on it."""

    pieces: tuple[Piece, ...]
    codes: Mapping[str, int]
    faces: Mapping[tuple[str, str], Box]
    size_mm: SizeMm


def pieces_of(profile: Mapping[str, Any]) -> Iterator[Piece]:
    """In the order of their codes."""
    tile = (TILE_MM, TILE_MM, THICK_MM)
    for kind in PAINTS:
        yield Piece(
            f"paint.{kind}", "paint", "tile", tile, PAINT_LOOKS[kind[0]].colour, count=_of(profile, "paint", kind)
        )
    for face, count in profile["permits"]["faces"].items():
        yield Piece(f"permit.{face}", "permit", "tile", tile, TILE_COLOURS["permit"], ("up", "back"), count=count)
    for bonus in BONUSES:
        count = _of(profile, "bonus", bonus)
        yield Piece(f"bonus.{bonus}", "bonus", "tile", tile, TILE_COLOURS["bonus"], ("up", "back"), count=count)
    disc, square = (TAG_MM, TAG_MM, THICK_MM), (MARKER_MM, MARKER_MM, THICK_MM)
    for seat in SEATS:
        yield Piece(f"tag.{seat}", "tag", "disc", disc, SEAT_LOOKS[seat].colour, count=TAGS)
    yield Piece("tag.neutral", "tag", "disc", disc, NEUTRAL.colour, count=NEUTRAL_TAGS)
    for seat in SEATS:
        yield Piece(f"marker.{seat}", "marker", "tile", square, SEAT_LOOKS[seat].colour)
    for name in ("police", "token", "block"):
        yield Piece(name, name, "tile", tile, TILE_COLOURS[name])
    for seat in SEATS:
        yield Piece(seat, "can", "cylinder", CAN_MM, SEAT_LOOKS[seat].colour, coded=False, count=CANS)
        score = (SCORE_MM, SCORE_MM, THICK_MM)
        yield Piece(f"score.{seat}", "score", "disc", score, SEAT_LOOKS[seat].colour, coded=False)
    for name, table in (("part", "graffiti"), ("special", "special")):
        for letter, parts in profile[table].items():
            for number in range(1, len(parts) + 1):
                part = f"{letter}{number}"
                size = (*PART_MM, THICK_MM)
                # A special part lies in the place of the usual one.
                yield Piece(f"{name}.{part}", f"part.{part}", "tile", size, PLAIN, ("open", "finished"), coded=False)


def _of(profile: Mapping[str, Any], table: str, kind: str) -> int:
    count: int = profile[table]["tiles"][kind]
    return count


def piece_sheet(profile: Mapping[str, Any]) -> PieceSheet:
    """Row by row; the pieces of the same height lie together, as they come in that order."""
    pieces = tuple(pieces_of(profile))
    faces: dict[tuple[str, str], Box] = {}
    x = y = GAP_MM
    tallest = 0.0
    for piece in pieces:
        width, height, _ = piece.size_mm
        for face in piece.faces:
            if x + width + GAP_MM > SHEET_MM:
                x, y, tallest = GAP_MM, y + tallest + GAP_MM, 0.0
            faces[piece.id, face] = (x, y, width, height)
            x, tallest = x + width + GAP_MM, max(tallest, height)
    codes = {piece.id: number for number, piece in enumerate(piece for piece in pieces if piece.coded)}
    return PieceSheet(pieces, codes, faces, (SHEET_MM, y + tallest + GAP_MM))


def pieces_json(sheet: PieceSheet, boards: tuple[BoardLayout, ...], profile: Mapping[str, Any]) -> dict[str, Any]:
    """What readers and renderers need to know: the kit's `pieces`."""
    kinds = {
        piece.id: {
            "set": piece.set,
            "shape": piece.shape,
            "size_mm": list(piece.size_mm),
            "colour": hex_of(piece.colour),
            "code": sheet.codes.get(piece.id),
            "faces": {face: list(sheet.faces[piece.id, face]) for face in piece.faces},
        }
        for piece in sheet.pieces
    }
    large = wells(profile["paint"])
    places = {board.id: {region: _place(region, large) for region in board.readers} for board in boards}
    return {"image": IMAGE, "kinds": kinds, "places": places}


def _place(region: str, large: Container[str]) -> dict[str, Any]:
    """Which sets of pieces lie there, and how many pieces at most."""
    family, _, rest = region.partition(".")
    match family:
        case "can":
            return {"holds": ["can"], "most": MOST_CANS if region in large else 2}
        case "part":
            return {"holds": [region], "most": 1}
        case "track":
            return {"holds": ["score"], "most": len(SEATS)}
    held = {
        "tag": ["tag", "marker"],
        "stock": ["can"],
        "spent": ["paint"],
        "used": ["bonus"],
        "pass": ["marker"],
        "bonus": ["police"] if rest == "police" else ["bonus"],
    }
    return {"holds": held.get(family, [family]), "most": 1}
