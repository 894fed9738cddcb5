"""Loose pieces to be cut out, row by row on as many pages as they need; what has two faces is folded over."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from vision.kit.kit import MARGIN_MM, PAPERS_MM, Page
from vision.kit.sheet import SOFT, Colour, Sheet, SizeMm, rectangle
from vision.layout import Point

TITLE_MM, GAP_MM = 10.0, 1.0
ROOM_MM = tuple(min(paper[axis] for paper in PAPERS_MM.values()) - 2 * MARGIN_MM for axis in (0, 1))
"""What both papers have, so that the pages of both are alike."""
CUT: Colour = (170, 170, 176)


@dataclass(frozen=True)
class Cutout:
    """`draw` draws one face at the top left of a sheet; `back` the other one, which lies to its right."""

    name: str
    size_mm: SizeMm
    draw: Callable[[Sheet], None]
    count: int = 1
    back: Callable[[Sheet], None] | None = None
    round: bool = False

    @property
    def flat_mm(self) -> SizeMm:
        """What it takes on the paper."""
        return (self.size_mm[0] * (1 if self.back is None else 2), self.size_mm[1])


def cut_out_pages(title: str, pieces: Sequence[Cutout]) -> list[Page]:
    """Pages with every piece as often as it is needed."""
    pages: list[list[tuple[Point, Cutout]]] = []
    for at, piece in _placed([one for one in pieces for _ in range(one.count)]):
        if at == (0.0, 0.0):
            pages.append([])
        pages[-1].append((at, piece))
    titles = [title if len(pages) == 1 else f"{title} ({n} of {len(pages)})" for n in range(1, len(pages) + 1)]
    return [partial(_draw_page, title=title, placed=placed) for title, placed in zip(titles, pages, strict=True)]


def _placed(pieces: Sequence[Cutout]) -> Iterator[tuple[Point, Cutout]]:
    """Each with its place below the title; a new page begins at its top left."""
    x = y = tallest = 0.0
    for piece in pieces:
        width, height = piece.flat_mm
        if x and x + width > ROOM_MM[0]:
            x, y, tallest = 0.0, y + tallest + GAP_MM, 0.0
        if y + height > ROOM_MM[1] - TITLE_MM:
            x = y = tallest = 0.0
        yield (x, y), piece
        x, tallest = x + width + GAP_MM, max(tallest, height)


def _draw_page(sheet: Sheet, paper_mm: SizeMm, title: str, placed: Sequence[tuple[Point, Cutout]]) -> None:
    sheet.text((paper_mm[0] / 2, MARGIN_MM + TITLE_MM / 2 - 1), title, 5.0, SOFT)
    used = max(x + piece.flat_mm[0] for (x, _), piece in placed)
    left, top = (paper_mm[0] - used) / 2, MARGIN_MM + TITLE_MM
    for (x, y), piece in placed:
        _draw_cutout(sheet, (left + x, top + y), piece)


def _draw_cutout(sheet: Sheet, at: Point, piece: Cutout) -> None:
    (x, y), (width, height) = at, piece.size_mm
    for n, draw in enumerate((piece.draw, piece.back)):
        if draw is not None:
            with sheet.inset((x + n * width, y), piece.size_mm) as face:
                face.again(f"{piece.name} {n}", piece.size_mm, draw)
    if piece.round:
        sheet.circle((x + width / 2, y + height / 2), width / 2, line=CUT, width_mm=0.15)
    else:
        sheet.polygon(rectangle(x, y, *piece.flat_mm), line=CUT, width_mm=0.15)
    if piece.back is not None:
        for end in (y, y + height):
            sheet.line((x + width, end - 1.2), (x + width, end + 1.2), 0.25, SOFT)
