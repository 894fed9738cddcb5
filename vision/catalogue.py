"""The loose pieces of a kit: what each looks like, and which of them may lie where.

The part `pieces` of a kit's `layout.json`, read and checked. Lengths are millimetres.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from vision.checked import BadLayout, file_name, is_number, numbers, value_of

UP: Final = "up"
BACK: Final = "back"
OPEN: Final = "open"
"""The face of a piece that its board shows in print, so that it looks the same whether the piece lies there or not."""

CARD: Final = "card"
"""The shape of a playing card of an ordinary pack: read by its indices, and printed by nobody here."""
SHAPES = ("cylinder", "disc", "tile", "figure", CARD)
ROUND = ("cylinder", "disc")
LYING_MM = 5.0
"""What is no taller lies flat: a slanted view hardly shifts it."""
MOST_KINDS, MOST_FACES, MOST_TOGETHER = 400, 4, 12
CODES = 100
"""How many codes there are; each is a marker of the dictionary 5x5_100."""
LARGEST_PIECE_MM = 200.0
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_ID = re.compile(r"[^\s*]{1,60}")

Box = tuple[float, float, float, float]
Bgr = tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """How a piece looks by its own make, learned from a picture of it: the logarithm of the light that it sends back,
    against white paper (B, G, R), with how much that varies."""

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class PieceKind:
    """A sort of piece. `faces` are places in the kit's picture of pieces: x, y, width, height."""

    id: str
    set: str
    shape: str
    size_mm: tuple[float, float, float]
    colour_bgr: Bgr | None = None
    code: int | None = None
    faces: Mapping[str, Box] = field(default_factory=dict)
    look: Look | None = None

    @property
    def lies(self) -> bool:
        """Whether it lies flat, and does not stand."""
        return self.size_mm[2] <= LYING_MM

    @property
    def told_by_face(self) -> bool:
        """Whether what counts is which of its faces is up, and not that it is there."""
        return not {*self.faces} <= {UP, BACK}

    @property
    def shown(self) -> tuple[str, ...]:
        """The faces that may be up, those first that somebody lays: not the one in print, nor its back."""
        return tuple(sorted(self.faces, key=lambda face: face in (OPEN, BACK))) or (UP,)

    def told(self, face: str) -> str:
        """What a reader says of it."""
        return face if self.told_by_face else self.id


@dataclass(frozen=True)
class PiecePlace:
    """What may lie in a region: pieces of these sets, at most so many at once."""

    holds: tuple[str, ...]
    most: int = 1


@dataclass(frozen=True)
class Catalogue:
    """All loose pieces of a kit; `places` by board and region."""

    image: str = ""
    kinds: Mapping[str, PieceKind] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, PiecePlace]] = field(default_factory=dict)

    def held(self, board: str, region: str) -> tuple[PieceKind, ...]:
        """The pieces that may lie in a region."""
        place = self.places.get(board, {}).get(region)
        return () if place is None else tuple(kind for kind in self.kinds.values() if kind.set in place.holds)

    def most(self, board: str, region: str) -> int:
        """How many of them at once."""
        return self.places[board][region].most


def parse_catalogue(raw: Any) -> Catalogue:
    """The pieces that JSON values tell; none at all is fine too. Raises BadLayout."""
    if not raw:
        return Catalogue()
    where = "pieces"
    image = file_name(value_of(raw, "image", str, where), where)
    kinds = value_of(raw, "kinds", dict, where)
    if len(kinds) > MOST_KINDS:
        raise BadLayout(f"{where}: there are more than {MOST_KINDS} kinds")
    places = value_of(raw, "places", dict, where, {})
    parsed = {kind: _kind(kind, value) for kind, value in kinds.items()}
    sets = {kind.set for kind in parsed.values()}
    return Catalogue(image, parsed, {board: _places(board, value, sets) for board, value in places.items()})


def look_json(look: Look) -> dict[str, Any]:
    """The JSON form that a kind keeps as its `look`."""
    return {
        "mean": [round(n, 4) for n in look.mean],
        "covariance": [[round(n, 5) for n in row] for row in look.covariance],
    }


def _kind(kind: str, raw: Any) -> PieceKind:
    where = f"piece {kind[:40]}"
    if not _ID.fullmatch(kind):
        raise BadLayout(f"{where}: an id has no spaces and at most 60 letters")
    shape = value_of(raw, "shape", str, where)
    if shape not in SHAPES:
        raise BadLayout(f"{where}: shape must be one of {', '.join(SHAPES)}")
    width, depth, height = numbers(raw.get("size_mm"), 3, f"{where} size_mm", LARGEST_PIECE_MM)
    if min(width, depth) < 1 or height < 0:
        raise BadLayout(f"{where} size_mm: must be at least 1 mm wide and deep")
    faces = value_of(raw, "faces", dict, where, {})
    if len(faces) > MOST_FACES:
        raise BadLayout(f"{where}: has more than {MOST_FACES} faces")
    look = raw.get("look")
    return PieceKind(
        kind,
        value_of(raw, "set", str, where),
        shape,
        (width, depth, height),
        _colour(raw.get("colour"), where),
        _code(raw.get("code"), where),
        {face: _face(box, f"{where} face {face[:40]}") for face, box in faces.items()},
        None if look is None else parse_look(look, f"{where} look"),
    )


def _colour(raw: Any, where: str) -> Bgr | None:
    if raw is None:
        return None
    if not isinstance(raw, str) or not _COLOUR.fullmatch(raw):
        raise BadLayout(f"{where}: colour must be written as #rrggbb")
    red, green, blue = (float(int(raw[at : at + 2], 16)) for at in (1, 3, 5))
    return blue, green, red


def _code(raw: Any, where: str) -> int | None:
    if raw is None:
        return None
    if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw < CODES:
        raise BadLayout(f"{where}: code must be a number from 0 to {CODES - 1}")
    return raw


def _face(raw: Any, where: str) -> Box:
    x, y, width, height = numbers(raw, 4, where)
    if min(x, y) < 0 or min(width, height) < 1:
        raise BadLayout(f"{where}: must lie within the picture")
    return x, y, width, height


def parse_look(raw: Any, where: str) -> Look:
    """Raises BadLayout."""
    mean = numbers(value_of(raw, "mean", list, where), 3, f"{where} mean", 20.0)
    rows = value_of(raw, "covariance", list, where)
    if len(rows) != 3:
        raise BadLayout(f"{where} covariance: must be three rows")
    covariance = tuple(numbers(row, 3, f"{where} covariance", 20.0) for row in rows)
    if not _is_covariance(covariance):
        raise BadLayout(f"{where} covariance: is none")
    return Look(mean, covariance)


def _is_covariance(rows: tuple[tuple[float, ...], ...]) -> bool:
    """Whether a matrix is symmetric, and all its leading minors are positive."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (b, c, f) == (d, g, h) and a > 0 and a * e - b * d > 0 and whole > 0


def _places(board: str, raw: Any, sets: set[str]) -> dict[str, PiecePlace]:
    if not isinstance(raw, dict):
        raise BadLayout(f"pieces places {board[:40]}: must be an object")
    return {region: _place(value, f"pieces place {board[:40]} {region[:40]}", sets) for region, value in raw.items()}


def _place(raw: Any, where: str, sets: set[str]) -> PiecePlace:
    holds, most = value_of(raw, "holds", list, where), value_of(raw, "most", int, where, 1)
    for name in holds:
        if not isinstance(name, str) or name not in sets:
            raise BadLayout(f"{where}: no piece is of the set {str(name)[:40]}")
    if not is_number(most) or not 1 <= most <= MOST_TOGETHER:
        raise BadLayout(f"{where}: most must be 1 to {MOST_TOGETHER}")
    return PiecePlace(tuple(holds), most)
