"""Markers on the corners of a board: how large they are, which they are, and where they are printed."""

from vision.kit.sheet import SizeMm, rectangle
from vision.layout import Polygon

MARKER_MM = 25.0
"""The side of the black square."""
EDGE_MM = 5.0
"""White around a marker, so that it is found on a dark table too."""
CORNERS = ("top left", "top right", "bottom right", "bottom left")
MOST_BOARDS = 12
"""There are fifty markers of this kind, and a board has four."""


def markers_of(number: int) -> range:
    """The markers of a kit's board by its number, from 0; clockwise from the top left."""
    return range(4 * number, 4 * number + 4)


def corner_markers(number: int, size_mm: SizeMm) -> dict[int, Polygon]:
    """The same with their places on our own print."""
    far_x, far_y = (side - EDGE_MM - MARKER_MM for side in size_mm)
    corners = ((EDGE_MM, EDGE_MM), (far_x, EDGE_MM), (far_x, far_y), (EDGE_MM, far_y))
    places = (rectangle(x, y, MARKER_MM, MARKER_MM) for x, y in corners)
    return dict(zip(markers_of(number), places, strict=True))
