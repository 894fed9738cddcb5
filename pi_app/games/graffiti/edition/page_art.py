"""The same drawings for pages as for paper: walls before and after they are painted, and the signs of pieces.

`python -m pi_app.games.graffiti.edition.page_art` writes them anew; a test compares.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from pi_app.games.graffiti.edition.icons import (
    BONUS_ICONS,
    FIGURES,
    Icon,
    draw_can,
    draw_drop,
    draw_pass,
    draw_permit,
    draw_pin,
    draw_star,
    sign_outline,
)
from pi_app.games.graffiti.edition.looks import PAINT_LOOKS, TAG_LOOKS
from pi_app.games.graffiti.edition.motifs import HIGH_MM
from pi_app.games.graffiti.edition.murals import PICTURES, SPECIAL_PICTURES, draw_mural, mural, picture
from vision.kit.sheet import PAPER, Colour, Sheet
from vision.kit.svg import SvgSheet

SCREENS = Path(__file__).parent.parent / "screens"
INK: Colour = (0, 0, 0)
BY_PAGE: Mapping[Colour, str] = {INK: "currentColor", PAPER: "var(--hole, #fff)"}
WIDE = {*BONUS_ICONS}
ICONS: Mapping[str, Icon] = {
    **BONUS_ICONS,
    **FIGURES,
    "can": draw_can,
    "drop": draw_drop,
    "pass": draw_pass,
    "papers": draw_permit,
    "pin": draw_pin,
    "star": draw_star,
}


def files() -> dict[str, str]:
    """By their path in `screens/`."""
    return {**dict(_murals()), "signs.svg": _signs()}


def _murals() -> Iterator[tuple[str, str]]:
    for special, letters in ((False, PICTURES), (True, SPECIAL_PICTURES)):
        for letter in letters:
            for finished in (False, True):
                sheet, width = SvgSheet(), picture(letter, special).width_mm
                draw_mural(cast(Sheet, sheet), letter, width, finished, special, (0, width))
                name = mural(letter, special) + ("" if finished else "-open")
                box = f'viewBox="0 0 {width:g} {HIGH_MM:g}" width="{width:g}" height="{HIGH_MM:g}"'
                drawn = "".join(sheet.parts)
                yield f"murals/{name}.svg", f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{drawn}</svg>\n'


def _signs() -> str:
    """All that is drawn in one colour, each ten units high, to be used by its name."""
    symbols = []
    for name, icon in ICONS.items():
        sheet, wide = SvgSheet(BY_PAGE), 40 if name in WIDE else 12
        icon(cast(Sheet, sheet), (wide / 2, 6.0), 10.0, INK)
        symbols.append(f'<symbol id="{name}" viewBox="0 0 {wide} 12">{"".join(sheet.parts)}</symbol>')
    for sign in dict.fromkeys(look.sign for look in (*PAINT_LOOKS.values(), *TAG_LOOKS.values())):
        sheet = SvgSheet(BY_PAGE)
        sheet.polygon(sign_outline(sign, (6.0, 6.0), 10.0), fill=INK, line=None)
        symbols.append(f'<symbol id="{sign}" viewBox="0 0 12 12">{"".join(sheet.parts)}</symbol>')
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


def main() -> None:
    (SCREENS / "murals").mkdir(exist_ok=True)
    for name, drawn in files().items():
        (SCREENS / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
