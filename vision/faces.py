"""The printed faces of pieces: the kit's picture of them, and where each has its code."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np

from vision.catalogue import UP, Catalogue, PieceKind
from vision.layout import Layout
from vision.markers import Floats, Image, detect_codes
from vision.pictures import load_picture

PROFILE_MM = 0.5
OWN_COLOUR = 40.0  # how much print may differ from a piece's colour and still be it, in grey levels
USUAL_CODE = 0.6  # of a face's width, where no picture tells


@dataclass(frozen=True, eq=False)
class FacePicture:
    """Every face of a kit's pieces in one picture."""

    bgr: Image
    px_per_mm: float


@dataclass(frozen=True)
class CodePlace:
    """Where a face has its code: the middle of it, from the middle of the face, and its side."""

    off_mm: tuple[float, float]
    side_mm: float


def load_faces(layout: Layout) -> FacePicture | None:
    """The kit's picture of its pieces, if its folder has one. Raises BadPicture for one that cannot be read."""
    path = layout.folder / layout.catalogue.image
    if not layout.catalogue.image or not path.is_file():
        return None
    board = min(layout.boards, key=lambda board: board.width_mm * board.height_mm)
    printed = load_picture(layout.folder / board.image)
    # Both are printed equally fine.
    return FacePicture(load_picture(path), printed.shape[1] / board.width_mm)


class Faces:
    """The faces of a kit's pieces; without a picture of them, nobody knows how they look."""

    def __init__(self, catalogue: Catalogue, picture: FacePicture | None) -> None:
        self._catalogue, self._picture = catalogue, picture
        self._profiles: dict[str, Floats | None] = {}
        self._common: dict[tuple[str, ...], tuple[float, ...]] = {}

    def prepare(self) -> None:
        """Works out what is to be known of the faces, ahead of the first picture."""
        _ = self._codes
        for kind in self._catalogue.kinds.values():
            self.shows_colour(kind)

    def face(self, kind: PieceKind, name: str) -> Image | None:
        """A face as it is printed."""
        if self._picture is None or name not in kind.faces:
            return None
        x, y, width, height = (round(side * self._picture.px_per_mm) for side in kind.faces[name])
        face = self._picture.bgr[y : y + height, x : x + width]
        return face if face.size else None

    def shows_colour(self, kind: PieceKind) -> Floats | None:
        """How much of its up face shows its own colour, by distance from the middle in steps of PROFILE_MM: signs and
        codes do not. None where nobody knows."""
        if kind.id not in self._profiles:
            self._profiles[kind.id] = self._profile(kind)
        return self._profiles[kind.id]

    def common_profile(self, kinds: Sequence[PieceKind]) -> tuple[float, ...]:
        """The same for several kinds of one size: their mean, and the plain colour where one of them is not known."""
        key = tuple(kind.id for kind in kinds)
        if key not in self._common:
            printed = [profile for kind in kinds if (profile := self.shows_colour(kind)) is not None]
            mean = np.mean(printed, axis=0) if len(printed) == len(kinds) else np.ones(1)
            self._common[key] = tuple(mean.tolist())
        return self._common[key]

    def _profile(self, kind: PieceKind) -> Floats | None:
        face = self.face(kind, UP)
        if face is None or kind.colour_bgr is None or self._picture is None:
            return None
        height, width = face.shape[:2]
        y, x = np.mgrid[0:height, 0:width]
        away = np.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) / self._picture.px_per_mm
        steps = (away / PROFILE_MM).astype(int).ravel()
        own = (np.abs(face.astype(np.float64) - kind.colour_bgr).max(axis=2) < OWN_COLOUR).ravel()
        share = np.bincount(steps, own) / np.maximum(np.bincount(steps), 1)
        return np.asarray(share if share.max() > 0.2 else np.ones_like(share))

    def code(self, kind: PieceKind) -> CodePlace:
        """Where its face has its code."""
        return self._codes.get(kind.id) or CodePlace((0.0, 0.0), USUAL_CODE * min(kind.size_mm[:2]))

    @cached_property
    def _codes(self) -> dict[str, CodePlace]:
        places = {}
        for kind in self._catalogue.kinds.values():
            face = self.face(kind, UP)
            if kind.code is None or face is None or self._picture is None:
                continue
            # White around it: a code that fills its face could not be found otherwise.
            grey = cv2.copyMakeBorder(
                cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,)
            )
            for marker in detect_codes(cast(Image, grey)):
                if marker.id == kind.code:
                    middle = marker.quad_px.mean(axis=0) + 0.5 - 20 - np.array(face.shape[1::-1]) / 2
                    x, y = middle / self._picture.px_per_mm
                    places[kind.id] = CodePlace((float(x), float(y)), (marker.side_px + 1) / self._picture.px_per_mm)
        return places
