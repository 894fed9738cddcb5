"""The same drawings for pages as for paper: what shops sell, thieves and cars.

`python -m pi_app.games.spree.edition.page_art` writes them anew; a test compares.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from pi_app.games.spree.edition.goods import BOX_MM, GOODS, draw_goods
from pi_app.games.spree.edition.piece_art import CAR_MM, THIEF_MM, draw_car, draw_thief
from pi_app.games.spree.edition.words import SEATS
from vision.kit.sheet import Sheet, SizeMm
from vision.kit.svg import SvgSheet

SCREENS = Path(__file__).parent.parent / "screens"
NO_CODE = 0
"""On a page no camera looks for one."""


def files() -> dict[str, str]:
    """By their path in `screens/`."""
    symbols = "\n".join(_symbols())
    return {"kit.svg": f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'}


def _symbols() -> Iterator[str]:
    for rank in GOODS:
        sheet = SvgSheet()
        draw_goods(cast(Sheet, sheet), rank)
        yield _symbol(f"goods-{rank}", BOX_MM, sheet)
    for colour in SEATS:
        for name, lying in (("thief", False), ("lying", True)):
            sheet = SvgSheet()
            draw_thief(cast(Sheet, sheet), colour, NO_CODE, lying)
            yield _symbol(f"{name}-{colour}", THIEF_MM, sheet)
        sheet = SvgSheet()
        draw_car(cast(Sheet, sheet), colour, NO_CODE)
        yield _symbol(f"car-{colour}", CAR_MM, sheet)


def _symbol(name: str, size_mm: SizeMm, sheet: SvgSheet) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {size_mm[0]:g} {size_mm[1]:g}">{"".join(sheet.parts)}</symbol>'


def main() -> None:
    for name, drawn in files().items():
        (SCREENS / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
