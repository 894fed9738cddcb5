"""A sheet to lay one of each piece on, so that a camera learns how an owner's own pieces look."""

import math
from collections.abc import Sequence
from pathlib import Path

from vision.catalogue import CARD, Catalogue, PieceKind
from vision.kit.corners import EDGE_MM, MARKER_MM, MOST_BOARDS, corner_markers
from vision.kit.kit import PAPERS_MM, Kit
from vision.kit.pdf import Pdf
from vision.kit.sheet import SOFT, Sheet, SizeMm, middle_of, rectangle
from vision.layout import BoardLayout, Layout, Polygon

SAMPLES = "samples"
SIZE_MM: SizeMm = (265.0, 195.0)
"""Has room on both papers."""
FRAME_MM, LABEL_MM = 3.0, 7.0
"""Between the line around a place and where a piece is looked for, and the height of its name below."""


def told_by_make(catalogue: Catalogue) -> tuple[PieceKind, ...]:
    """The pieces that nothing printed tells: only how they are made, which is as their owner has them."""
    kinds = catalogue.kinds.values()
    return tuple(kind for kind in kinds if kind.code is None and not kind.told_by_face and kind.shape != CARD)


def sample_sheet(kinds: Sequence[PieceKind]) -> Kit:
    """One board with a white place for each of these pieces, called as they are."""
    places = dict(zip((kind.id for kind in kinds), _places(len(kinds)), strict=True))
    markers = corner_markers(MOST_BOARDS - 1, SIZE_MM)  # those of a board that hardly any kit has
    board = BoardLayout(SAMPLES, SAMPLES, *SIZE_MM, f"{SAMPLES}.png", places, markers)
    return Kit(Layout(SAMPLES, (board,)), _draw)


def write_samples(kit: Kit, path: Path, paper: str = "kit.pdf") -> None:
    """The sheet on one page to print, on the paper of that file of a kit. Raises OSError."""
    paper_mm = PAPERS_MM[paper]
    pdf = Pdf(path, paper_mm, f"All City: {SAMPLES}")
    at = (paper_mm[0] - SIZE_MM[0]) / 2, (paper_mm[1] - SIZE_MM[1]) / 2
    with pdf.page() as page, page.inset(at, SIZE_MM) as sheet:
        kit.draw_on(sheet, kit.layout.boards[0])
    pdf.save()


def _places(count: int) -> list[Polygon]:
    """In rows between the markers."""
    left, top = MARKER_MM + 2 * EDGE_MM, EDGE_MM
    width, height = SIZE_MM[0] - 2 * left, SIZE_MM[1] - 2 * top
    across = max(1, math.ceil(math.sqrt(count * width / height)))
    step_x, step_y = width / across, height / max(1, math.ceil(count / across))
    return [
        rectangle(
            left + n % across * step_x + FRAME_MM,
            top + n // across * step_y + FRAME_MM,
            step_x - 2 * FRAME_MM,
            step_y - 2 * FRAME_MM - LABEL_MM,
        )
        for n in range(count)
    ]


def _draw(sheet: Sheet, board: BoardLayout) -> None:
    for piece, place in board.regions.items():
        (left, top), _, (right, bottom), _ = place
        around = (left - FRAME_MM / 2, top - FRAME_MM / 2, right - left + FRAME_MM, bottom - top + FRAME_MM)
        sheet.polygon(rectangle(*around), line=SOFT, width_mm=0.3)
        sheet.text((middle_of(place)[0], bottom + FRAME_MM / 2 + LABEL_MM / 2), piece, 4.6)
