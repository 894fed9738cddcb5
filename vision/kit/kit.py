"""What is printed for one game: where everything is, how each board looks, and what else belongs to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.kit.sheet import Sheet, SizeMm
from vision.layout import BoardLayout, Layout

if TYPE_CHECKING:
    from PIL.Image import Image

LAYOUT = "layout.json"
PAPERS_MM = {"kit.pdf": (297.0, 210.0), "kit-letter.pdf": (279.4, 215.9)}
"""Landscape. Every sheet should fit both papers, with room for the margin that printers need."""

MARGIN_MM = 5.0
"""What a printer may cut off."""

Page = Callable[[Sheet, SizeMm], None]
"""Draws on a sheet of paper of that size."""


@dataclass(frozen=True)
class Atlas:
    """Every printed face of loose pieces in one picture; the layout's `pieces` say where each is."""

    image: str
    size_mm: SizeMm
    artwork: Callable[[Sheet], None]

    def draw(self) -> "Image":
        from vision.kit.png import PngSheet  # noqa: PLC0415 - as below

        sheet = PngSheet(*self.size_mm)
        self.artwork(sheet)
        return sheet.image


@dataclass(frozen=True)
class Kit:
    layout: Layout
    artwork: Callable[[Sheet, BoardLayout], None]
    """Draws what is on a board besides its markers, at the top left of the sheet."""
    title: str = ""
    """Which edition it is, for its cover."""
    notes: Sequence[str] = ()
    """What its cover says besides how to print."""
    pages: Sequence[Page] = ()
    """What is printed besides the boards."""
    owned: bool = False
    """Somebody owns the boards and measured them: what is drawn is to be compared with them."""
    atlas: Atlas | None = None
    small: float | None = None
    """How large everything is in a second set of pages, for a small table or a low camera. What is seen is the same."""

    @property
    def files(self) -> tuple[str, ...]:
        """Everything that it consists of when it is written."""
        atlas = () if self.atlas is None else (self.atlas.image,)
        return (*(board.image for board in self.layout.boards), *atlas, LAYOUT, *self.prints)

    @property
    def prints(self) -> dict[str, tuple[SizeMm, float]]:
        """The files to print: on which paper, and how large."""
        prints = {name: (paper_mm, 1.0) for name, paper_mm in PAPERS_MM.items()}
        if self.small is not None:
            prints |= {name.replace("kit", "kit-small"): (paper_mm, self.small) for name, paper_mm in PAPERS_MM.items()}
        return prints

    def draw_on(self, sheet: Sheet, board: BoardLayout) -> None:
        """A board with its markers."""
        self.artwork(sheet, board)
        for marker, polygon in board.markers.items():
            sheet.marker(marker, polygon)

    def draw(self, board: BoardLayout) -> "Image":
        """A board as a picture, at the resolution of the print."""
        from vision.kit.png import PngSheet  # noqa: PLC0415 - who only asks where things are need not wait for OpenCV

        sheet = PngSheet(board.width_mm, board.height_mm)
        self.draw_on(sheet, board)
        return sheet.image
