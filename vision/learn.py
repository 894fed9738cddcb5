"""Learns how an owner's own pieces look, of whatever make, from one picture of them on a sheet."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.catalogue import Look, look_json
from vision.labels import CleanLook
from vision.layout import Layout
from vision.locate import find_boards
from vision.markers import GAMMA, Image
from vision.palette import FLOOR, LEARNED_SPREAD
from vision.pyramid import Pyramid
from vision.rectify import Lens
from vision.regions import LOW_MM, Regions
from vision.samples import maps_to, sample_board
from vision.spots import Spot

_UNLIKE_PAPER = 0.35  # of the logarithm of light: what differs less from white paper is paper
_EDGE_MM = 1  # where a piece ends, its colour mixes with the paper's
_FEWEST_MM2 = 20
_HUED, _MOSTLY = 0.4, 0.4  # how much colours differ in their light, and over how much of a thing that has a colour
_APART = 3.5  # standard deviations between two looks that are told apart by themselves
_LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)


@dataclass(frozen=True)
class LearnedPiece:
    """How a piece looks against white paper, and about how wide it is, seen from above."""

    look: Look
    width_mm: float


def learn_pieces(picture_bgr: Image, layout: Layout, lens: Lens | None = None) -> Mapping[str, LearnedPiece]:
    """The pieces on a white sheet, by the region that each stands in; regions that show nothing but paper are left out.

    The layout has one board, whose regions are white inside. Raises ValueError like `find_boards`.
    """
    found, learned = find_boards(picture_bgr, layout, lens), {}
    for board_id, pose in found.boards.items():
        regions = Regions(layout.board(board_id))
        low = sample_board(Pyramid(picture_bgr), maps_to(pose, regions, found.size_px)).low
        reflected = np.asarray(cv2.LUT(low.bgr, _LINEAR)) / CleanLook(low).white
        values = np.log(reflected + FLOOR)
        unlike = np.abs(values - np.log(1 + FLOOR)).max(axis=2) > _UNLIKE_PAPER
        for name, corners in regions.board.regions.items():
            piece = _learned(Spot.within(np.array(corners), unlike.shape), unlike, values)
            if piece is not None:
                learned[name] = piece
    return learned


def with_looks(layout: Layout, looks: Mapping[str, Look]) -> Layout:
    """The same kit with pieces that look as they were learned."""
    kinds = layout.pieces.get("kinds", {})
    known = {kind: {**kinds[kind], "look": look_json(look)} for kind, look in looks.items() if kind in kinds}
    return replace(layout, pieces={**layout.pieces, "kinds": {**kinds, **known}}) if known else layout


def are_alike(one: Look, other: Look) -> bool:
    """Whether a reader may take one for the other."""
    off = np.subtract(one.mean, other.mean)
    spread = (np.array(one.covariance) + np.array(other.covariance)) / 2 + LEARNED_SPREAD**2 * np.eye(3)
    return float(np.sqrt(off @ np.linalg.inv(spread) @ off)) < _APART


def colour_of(look: Look) -> str:
    """About how it looks in white light, as CSS writes it."""
    light = (np.exp(look.mean) - FLOOR).clip(0, 1) ** (1 / GAMMA)
    blue, green, red = (round(255 * float(part)) for part in light)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _learned(spot: Spot, unlike: Image, values: Image) -> LearnedPiece | None:
    """The largest thing within a region that is neither paper nor, if it has a colour, its own shadow."""
    here = unlike[spot.window] & spot.inside
    hued = here & (np.ptp(values[spot.window], axis=2) > _HUED)
    here = (hued if np.count_nonzero(hued) > _MOSTLY * np.count_nonzero(here) else here).astype(np.uint8)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(here, connectivity=4)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    whole = (parts == largest).astype(np.uint8)
    core = cv2.erode(whole, np.ones((2 * _EDGE_MM + 1,) * 2, np.uint8)) > 0
    pixels = np.asarray(values[spot.window][core], np.float64)
    if len(pixels) < _FEWEST_MM2:
        return None
    middle = np.median(pixels, axis=0)
    # Glints and deep shade are not what it usually looks like.
    usual = pixels[np.abs(pixels - middle).max(axis=1) <= np.quantile(np.abs(pixels - middle).max(axis=1), 0.9)]
    covariance = np.cov(usual.T) + 1e-4 * np.eye(3)
    spread = tuple(tuple(float(n) for n in row) for row in (covariance + covariance.T) / 2)
    width = float(np.sqrt(4 / np.pi * np.count_nonzero(whole))) * LOW_MM
    return LearnedPiece(Look(tuple(float(n) for n in usual.mean(axis=0)), spread), width)
