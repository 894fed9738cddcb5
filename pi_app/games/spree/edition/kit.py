"""What is printed for an edition: the mall, the till, a strip for every cart, thieves and cars.

| board | regions | read as |
|---|---|---|
| `mall` | every square but the fountain by its name, `C1` | pieces: `thief.red`, `lying.red`, `car.red` |
| `till` | `played`, `stop.1` to `stop.5`, `discards` | cards |
| | `dice` | dice |
| `cart-1` to `cart-8` | `place.1` to `place.10`, which count as one: `cart` | cards |

A thief is a token with two faces, each with a code of its own, so that lying is the other face. Cards are called `QH`,
and `joker`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pi_app.games.spree.edition.mall_art import draw_mall
from pi_app.games.spree.edition.piece_art import CAR_MM, THIEF_MM, draw_car, draw_thief
from pi_app.games.spree.edition.signs import COLOURS
from pi_app.games.spree.edition.till_art import draw_strip, draw_till
from pi_app.games.spree.edition.words import CART, JOKER_KIND, MALL, SEATS, STOPS, TILL, cart_strip
from pi_app.games.spree.rules.cards import NAMES
from pi_app.games.spree.rules.mall import FOUNTAIN, Mall, mall_of
from vision.kit.corners import corner_markers
from vision.kit.cutouts import Cutout, cut_out_pages
from vision.kit.kit import Atlas, Kit
from vision.kit.sheet import Colour, Sheet, SizeMm, rectangle
from vision.layout import CARDS, DICE, PIECES, BoardLayout, Layout, Polygon

SQUARE_MM, MARGIN_MM = 35.0, 34.5
TILL_MM, STRIP_MM = (240.0, 170.0), (268.0, 95.0)
CARD_MM, INDEX_MM = (63.0, 88.0, 0.3), 15.0
"""A playing card, and what one that is overlapped leaves to be seen: its index."""
TILL_CARDS_MM, PLAYED_MM, STOP_MM, DISCARDS_MM = 48.0, 6.0, (38.0, 16.0), 170.0
"""On the till: how far down cards lie, and how far across; the stops, and how far each lies from the one before."""
DICE_MM = (34.0, 4.0, 172.0, 40.0)
STRIP_LEFT_MM, STRIP_TOP_MM = 35.0, 3.5
THICK_MM = 3.0
"""Of a piece, glued on card."""
MOST_ON_A_SQUARE, MOST_PLAYED = 6, 2
IMAGE, GAP_MM = "pieces.png", 4.0
CARD = "card"
"""The shape of an ordinary playing card, and the set of all of them."""


@dataclass(frozen=True)
class Piece:
    id: str
    set: str
    size_mm: tuple[float, float, float]
    code: int
    at_mm: tuple[float, float]
    """In the picture of all pieces."""

    @property
    def colour(self) -> Colour:
        return COLOURS[self.id.partition(".")[2]]


def kit_of(profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Kit:
    mall, pieces = mall_of(tuple(profile["map"])), _pieces()
    boards = (
        _mall_board(mall, 0),
        _till_board(1),
        *(_strip_board(seat, seat + 2) for seat in range(len(SEATS))),
    )
    layout = Layout(profile["name"], boards, game="spree", pieces=_pieces_json(pieces, boards))
    size = max(p.at_mm[0] + p.size_mm[0] for p in pieces) + GAP_MM, max(p.at_mm[1] for p in pieces) + 20
    title = f"Spree!: {profile['name']} (source: {profile['source']})"
    notes = ("Use ordinary playing cards; a large index is read best.", "Glue the pieces on card, 3 mm thick.")
    return Kit(
        layout,
        partial(_draw, mall=mall, name=profile["name"]),
        title,
        notes,
        cut_out_pages("Thieves, standing and lying: fold, glue, cut out; cars: cut out", _cutouts(pieces)),
        atlas=Atlas(IMAGE, size, partial(_draw_pieces, pieces=pieces)),
    )


# --- boards -----------------------------------------------------------------------------------


def _mall_board(mall: Mall, number: int) -> BoardLayout:
    size = (mall.columns * SQUARE_MM + 2 * MARGIN_MM, mall.rows * SQUARE_MM + 2 * MARGIN_MM)
    regions = {mall.names[s]: square_outline(mall, s) for s, kind in enumerate(mall.kinds) if kind != FOUNTAIN}
    return _board(MALL, MALL, size, regions, dict.fromkeys(regions, PIECES), number)


def square_outline(mall: Mall, square: int) -> Polygon:
    row, column = divmod(square, mall.columns)
    return rectangle(MARGIN_MM + column * SQUARE_MM, MARGIN_MM + row * SQUARE_MM, SQUARE_MM, SQUARE_MM)


def _till_board(number: int) -> BoardLayout:
    first, step = STOP_MM
    regions = {"played": _open_part(PLAYED_MM, first - PLAYED_MM)}
    regions |= {f"stop.{n}": _open_part(first + (n - 1) * step, step) for n in range(1, STOPS + 1)}
    regions |= {"discards": _open_part(DISCARDS_MM, CARD_MM[0]), "dice": rectangle(*DICE_MM)}
    readers = {region: DICE if region == "dice" else CARDS for region in regions}
    return _board(TILL, TILL, TILL_MM, regions, readers, number)


def _open_part(left: float, width: float) -> Polygon:
    """What stays open of a card on the till."""
    return rectangle(left, TILL_CARDS_MM, width, CARD_MM[1])


def _strip_board(seat: int, number: int) -> BoardLayout:
    lefts = [STRIP_LEFT_MM + n * INDEX_MM for n in range(CART)]
    regions = {f"place.{n}": rectangle(left, STRIP_TOP_MM, INDEX_MM, CARD_MM[1]) for n, left in enumerate(lefts, 1)}
    return _board(cart_strip(seat), "cart", STRIP_MM, regions, dict.fromkeys(regions, CARDS), number)


def _board(
    name: str, kind: str, size: SizeMm, regions: Mapping[str, Polygon], readers: Mapping[str, str], number: int
) -> BoardLayout:
    return BoardLayout(name, kind, *size, f"{name}.png", regions, corner_markers(number, size), readers)


def _draw(sheet: Sheet, board: BoardLayout, mall: Mall, name: str) -> None:
    if board.kind == MALL:
        draw_mall(sheet, mall, (MARGIN_MM, MARGIN_MM), SQUARE_MM, (board.width_mm, board.height_mm), name)
    elif board.kind == TILL:
        draw_till(sheet, board, CARD_MM[:2])
    else:
        draw_strip(sheet, board, SEATS[int(board.id.removeprefix("cart-")) - 1], CARD_MM[:2])


# --- pieces -----------------------------------------------------------------------------------


def _pieces() -> list[Piece]:
    pieces, code = [], 0
    for row, (name, kind, size) in enumerate(
        (("thief", "thief", THIEF_MM), ("lying", "thief", THIEF_MM), ("car", "car", CAR_MM))
    ):
        for column, colour in enumerate(SEATS):
            at = (GAP_MM + column * (CAR_MM[0] + GAP_MM), GAP_MM + row * (THIEF_MM[1] + GAP_MM))
            pieces.append(Piece(f"{name}.{colour}", kind, (*size, THICK_MM), code, at))
            code += 1
    return pieces


def _pieces_json(pieces: list[Piece], boards: tuple[BoardLayout, ...]) -> dict[str, Any]:
    kinds = {
        piece.id: {
            "set": piece.set,
            "shape": "tile",
            "size_mm": list(piece.size_mm),
            "colour": "#{:02x}{:02x}{:02x}".format(*piece.colour),
            "code": piece.code,
            "faces": {"up": [*piece.at_mm, *piece.size_mm[:2]]},
        }
        for piece in pieces
    }
    cards = [*NAMES[:-1], JOKER_KIND]
    kinds |= {card: {"set": CARD, "shape": CARD, "size_mm": list(CARD_MM)} for card in cards}
    places = {board.id: {region: _holds(board, region) for region in board.piece_regions} for board in boards}
    return {"image": IMAGE, "kinds": kinds, "places": places}


def _holds(board: BoardLayout, region: str) -> dict[str, Any]:
    if board.kind == MALL:
        return {"holds": ["thief", "car"], "most": MOST_ON_A_SQUARE}
    return {"holds": [CARD], "most": MOST_PLAYED if region == "played" else 1}


def _draw_pieces(sheet: Sheet, pieces: list[Piece]) -> None:
    for piece in pieces:
        with sheet.inset(piece.at_mm, piece.size_mm[:2]) as part:
            _draw_piece(part, piece)


def _draw_piece(sheet: Sheet, piece: Piece) -> None:
    name, colour = piece.id.split(".")
    if name == "car":
        draw_car(sheet, colour, piece.code)
    else:
        draw_thief(sheet, colour, piece.code, lying=name == "lying")


def _cutouts(pieces: list[Piece]) -> list[Cutout]:
    by_id = {piece.id: piece for piece in pieces}
    thieves = [
        Cutout(
            f"thief {colour}",
            THIEF_MM,
            partial(_draw_piece, piece=by_id[f"thief.{colour}"]),
            back=partial(_draw_piece, piece=by_id[f"lying.{colour}"]),
        )
        for colour in SEATS
    ]
    cars = [Cutout(f"car {c}", CAR_MM, partial(_draw_piece, piece=by_id[f"car.{c}"])) for c in SEATS]
    return [*thieves, *cars]
