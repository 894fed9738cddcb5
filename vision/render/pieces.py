"""The pieces of a kit as solids: what lies flat is laid on the boards before the light falls, what stands is a body."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.catalogue import CARD, ROUND, Catalogue, PieceKind
from vision.kit.curves import rounded
from vision.render.camera import Camera, position_mm, project, px_per_mm
from vision.render.cards import CORNER_MM, card_face
from vision.render.light import GAMMA, Blocker, linear, surface_light
from vision.render.noise import Array, chance, smooth_noise
from vision.render.scene import Lights, Piece
from vision.render.solids import Canvas, Prism, fill

SIDES = 32  # of a round piece
EDGE_SHADE = 0.55  # what is left of the light on the thin edge of what lies flat
CONTACT_SHADE, CONTACT_MM = 0.35, 1.2  # the dark rim that it leaves around itself
GLOSS = {"matte": 0.0, "glossy": 0.35, "wood": 0.05}
GRAIN = 0.12  # how much lighter and darker wood is along its fibres
WHITE, BLACK = 0.82, 0.02  # print never is wholly white or black
NO_PRINT = (150.0, 150.0, 150.0)


@dataclass(frozen=True, eq=False)
class Faces:
    """The printed faces of a kit's pieces; `atlas_bgr` is their picture, `scale` its pixels per mm."""

    catalogue: Catalogue
    atlas_bgr: Array | None
    scale: float

    def lies(self, piece: Piece) -> bool:
        return self.catalogue.kinds[piece.kind].lies

    def blocker(self, piece: Piece) -> Blocker:
        """What a standing piece takes of the light."""
        return _prism(piece, self.catalogue.kinds[piece.kind]).blocker()

    def albedo(self, piece: Piece, fineness: float) -> Array:
        """The face that lies up, in linear light, at about so many pixels per mm; its colour where none is printed."""
        kind = self.catalogue.kinds[piece.kind]
        size = max(2, round(kind.size_mm[0] * fineness)), max(2, round(kind.size_mm[1] * fineness))
        curve = (BLACK + (WHITE - BLACK) * (np.arange(256) / 255) ** GAMMA).astype(np.float32)
        if kind.shape == CARD:
            return np.asarray(cv2.LUT(card_face(kind.id, fineness), curve))
        box = kind.faces.get(piece.face)
        if box is None or self.atlas_bgr is None:
            return np.full((size[1], size[0], 3), linear(kind.colour_bgr or NO_PRINT), np.float32)
        x, y, width, height = (round(side * self.scale) for side in box)
        printed = self.atlas_bgr[y : y + height, x : x + width]
        return np.asarray(cv2.resize(cv2.LUT(printed, curve), size, interpolation=cv2.INTER_AREA))


def lay_pieces(printed: Array, camera: Camera, pieces: Iterable[Piece], faces: Faces) -> None:
    """Lays flat pieces on the table in even light, the lower ones first."""
    canvas = Canvas(printed, np.zeros(printed.shape[:2], np.uint8))
    for piece in sorted(pieces, key=lambda piece: piece.base_mm):
        kind = faces.catalogue.kinds[piece.kind]
        prism = _prism(piece, kind)
        _shade_around(printed, camera, prism)
        edge = linear(kind.colour_bgr or NO_PRINT) * np.float32(EDGE_SHADE)
        for side in _sides(prism, camera):
            fill(canvas, project(camera, side), edge)
        _lay_face(canvas, camera, piece, prism, faces, np.ones(3, np.float32))


def paint_piece(canvas: Canvas, camera: Camera, lights: Lights, piece: Piece, faces: Faces) -> None:
    """Paints a standing piece over what is there: the sides that face the camera, then its top."""
    kind = faces.catalogue.kinds[piece.kind]
    prism, gloss = _prism(piece, kind), GLOSS[piece.material]
    base, eye = linear(kind.colour_bgr or NO_PRINT), position_mm(camera)
    for side in _sides(prism, camera):
        outward = _outward(side)
        light = base * surface_light(lights, side[0], outward) + _mirrored(
            lights, side.mean(axis=0), outward, eye, gloss
        )
        fill(canvas, project(camera, side), light)
    top, up = prism.points(prism.top_mm).mean(axis=0), np.array([0.0, 0.0, 1.0])
    light, shine = surface_light(lights, top, up), _mirrored(lights, top, up, eye, gloss)
    _lay_face(canvas, camera, piece, prism, faces, light, shine)


def _prism(piece: Piece, kind: PieceKind) -> Prism:
    width, depth, height = kind.size_mm
    if kind.shape in ROUND:
        angles = np.arange(SIDES) * (2 * np.pi / SIDES)
        outline = np.column_stack([np.cos(angles) * width / 2, np.sin(angles) * depth / 2])
    elif kind.shape == CARD:
        outline = np.array(rounded(-width / 2, -depth / 2, width, depth, CORNER_MM))
    else:
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, depth / 2)
    turn = np.radians(piece.rotation_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = outline @ rotation.T + piece.centre_mm
    corners = tuple((float(x), float(y)) for x, y in points)
    return Prism(corners, piece.base_mm, piece.base_mm + height, kind.colour_bgr or NO_PRINT)


def _sides(prism: Prism, camera: Camera) -> list[Array]:
    """The sides (4 × 3) that the camera sees."""
    low, high, eye = prism.points(prism.bottom_mm), prism.points(prism.top_mm), position_mm(camera)
    count = len(low)
    sides = [np.array([low[i], low[(i + 1) % count], high[(i + 1) % count], high[i]]) for i in range(count)]
    return [side for side in sides if _outward(side) @ (eye - side[0]) > 0]


def _outward(side: Array) -> Array:
    along = side[1] - side[0]
    return np.array([along[1], -along[0], 0.0]) / max(float(np.hypot(along[0], along[1])), 1e-6)


def _mirrored(lights: Lights, point_mm: Array, normal: Array, eye_mm: Array, gloss: float) -> Array:
    """How much of the lamps a polished surface mirrors towards the camera."""
    total = np.zeros(3, np.float32)
    if not gloss:
        return total
    seen = (eye_mm - point_mm) / np.linalg.norm(eye_mm - point_mm)
    for lamp in lights.lamps:
        toward = np.array(lamp.position_mm) - point_mm
        half_way = toward / np.linalg.norm(toward) + seen
        half_way /= np.linalg.norm(half_way)
        total += gloss * lamp.power * max(float(normal @ half_way), 0.0) ** 40 * linear(lamp.bgr)
    return total


def _lay_face(
    canvas: Canvas, camera: Camera, piece: Piece, prism: Prism, faces: Faces, light: Array, shine: Array | None = None
) -> None:
    """Puts the face that lies up on the top of a piece."""
    corners = _face_corners(piece, faces.catalogue.kinds[piece.kind], prism.top_mm)
    outline_px, corners_px = project(camera, prism.points(prism.top_mm)), project(camera, corners)
    height, width = canvas.covered.shape
    left, top = np.floor(outline_px.min(axis=0) - 1).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil(outline_px.max(axis=0) + 2).clip(0, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return
    face = faces.albedo(piece, 1.3 * px_per_mm(camera, corners[0]))
    if piece.material == "wood":
        grain = smooth_noise(face.shape[:2], (12, 2), chance("grain", piece.kind, piece.centre_mm))
        face = face * (1 + GRAIN * grain[..., None])
    rows, columns = face.shape[:2]
    from_px = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
    to_px = (corners_px - (left, top)).astype(np.float32)
    warp = cv2.getPerspectiveTransform(from_px, to_px)
    seen = cv2.warpPerspective(
        face, warp, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    fill(canvas, outline_px, np.asarray(seen) * light + (0 if shine is None else shine))


def _face_corners(piece: Piece, kind: PieceKind, z_mm: float) -> Array:
    half_x, half_y = kind.size_mm[0] / 2, kind.size_mm[1] / 2
    turn = np.radians(piece.rotation_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)])
    return np.column_stack([square @ rotation.T + piece.centre_mm, np.full(4, z_mm)])


def _shade_around(printed: Array, camera: Camera, prism: Prism) -> None:
    """Darkens what a flat piece nearly touches."""
    outline = project(camera, prism.points(prism.bottom_mm))
    sigma = CONTACT_MM * px_per_mm(camera, prism.points(0.0)[0])
    height, width = printed.shape[:2]
    left, top = np.floor(outline.min(axis=0) - 3 * sigma).clip(0, (width, height)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0) + 3 * sigma).clip(0, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillPoly(mask, [np.round(outline - (left, top)).astype(np.int32).reshape(-1, 1, 2)], (1.0,))
    printed[top:bottom, left:right] *= 1 - CONTACT_SHADE * np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma))[..., None]
