"""Pages to print as a PDF file: lines and letters, no pixels, so that they are sharp on any printer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from font_fredoka_one import FredokaOne
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from vision.kit.sheet import DARK, Colour, Sheet, SizeMm, dark_cells
from vision.layout import Point, Polygon
from vision.markers import CELLS, code_cells, draw_marker

POINTS_PER_MM = 72 / 25.4
_ROUND = 1


class Pdf:
    """A file of pages of one size; written by `save`."""

    def __init__(self, path: Path, size_mm: SizeMm, title: str) -> None:
        self.size_mm = size_mm
        # Without the time of day in it, the same pages are the same file.
        size = size_mm[0] * POINTS_PER_MM, size_mm[1] * POINTS_PER_MM
        self._canvas = Canvas(str(path), size, invariant=1, initialFontName=_font().fontName)
        self._canvas.setTitle(title)
        self._canvas.setCreator("All City")

    @contextmanager
    def page(self) -> Iterator["PdfSheet"]:
        """The next page, to be drawn on."""
        self._canvas.translate(0, self.size_mm[1] * POINTS_PER_MM)
        self._canvas.scale(POINTS_PER_MM, -POINTS_PER_MM)
        self._canvas.setLineJoin(_ROUND)
        yield PdfSheet(self._canvas)
        self._canvas.showPage()

    def save(self) -> None:
        """Raises OSError."""
        self._canvas.save()


class PdfSheet:
    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    @contextmanager
    def inset(self, at: Point, size_mm: SizeMm, scale: float = 1.0, turned: bool = False) -> Iterator["PdfSheet"]:
        x, y = at
        self._canvas.saveState()
        if turned:
            self._canvas.transform(0, -scale, scale, 0, x, y + scale * size_mm[0])
        else:
            self._canvas.transform(scale, 0, 0, scale, x, y)
        edge = self._canvas.beginPath()
        edge.rect(0, 0, *size_mm)
        self._canvas.clipPath(edge, stroke=0, fill=0)
        yield self
        self._canvas.restoreState()

    def again(self, name: str, size_mm: SizeMm, draw: Callable[[Sheet], None]) -> None:
        form = name.encode().hex()  # names in these files have no spaces
        if not self._canvas.hasForm(form):
            self._canvas.beginForm(form, 0, 0, *size_mm)
            self._canvas.setLineJoin(_ROUND)
            draw(self)
            self._canvas.endForm()
        self._canvas.doForm(form)

    def polygon(
        self, points: Sequence[Point], fill: Colour | None = None, line: Colour | None = DARK, width_mm: float = 0.3
    ) -> None:
        self._paint([points], fill, line, width_mm)

    def line(self, a: Point, b: Point, width_mm: float = 0.3, colour: Colour = DARK) -> None:
        self._canvas.setLineWidth(width_mm)
        self._canvas.setStrokeColorRGB(*_shares(colour))
        self._canvas.line(*a, *b)

    def circle(
        self,
        at: Point,
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = DARK,
        width_mm: float = 0.4,
    ) -> None:
        self._colours(fill, line, width_mm)
        # Its line lies within it, as on the picture.
        inner_mm = radius_mm if line is None else radius_mm - width_mm / 2
        self._canvas.circle(*at, inner_mm, stroke=line is not None, fill=fill is not None)

    def text(self, at: Point, words: str, size_mm: float, colour: Colour = DARK, centred: bool = True) -> None:
        face = _font().face
        self._canvas.saveState()
        # Letters stand on their line, upright again.
        self._canvas.translate(at[0], at[1] + size_mm * (face.ascent + face.descent) / 2 / 1000)
        self._canvas.scale(1, -1)
        self._canvas.setFillColorRGB(*_shares(colour))
        self._canvas.setFont(_font().fontName, size_mm)
        (self._canvas.drawCentredString if centred else self._canvas.drawString)(0, 0, words)
        self._canvas.restoreState()

    def marker(self, marker: int, outline: Polygon) -> None:
        # As one shape: between two there would be a hairline.
        self._paint(list(dark_cells(draw_marker(marker, CELLS).tolist(), outline)), (0, 0, 0), None, 0.0)

    def code(self, code: int, outline: Polygon) -> None:
        self._paint(list(dark_cells(code_cells(code).tolist(), outline)), (0, 0, 0), None, 0.0)

    def _paint(
        self, polygons: Sequence[Sequence[Point]], fill: Colour | None, line: Colour | None, width_mm: float
    ) -> None:
        path = self._canvas.beginPath()
        for first, *others in polygons:
            path.moveTo(*first)
            for point in others:
                path.lineTo(*point)
            path.close()
        self._colours(fill, line, width_mm)
        self._canvas.drawPath(path, stroke=line is not None, fill=fill is not None)

    def _colours(self, fill: Colour | None, line: Colour | None, width_mm: float) -> None:
        if fill is not None:
            self._canvas.setFillColorRGB(*_shares(fill))
        if line is not None:
            self._canvas.setStrokeColorRGB(*_shares(line))
            self._canvas.setLineWidth(width_mm)


@cache
def _font() -> TTFont:
    font = TTFont("FredokaOne", FredokaOne)
    pdfmetrics.registerFont(font)
    return font


def _shares(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255
