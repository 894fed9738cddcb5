"""Writes a kit: boards, layout and pages to print."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vision.kit.boards import draw_board
from vision.kit.pages import measured_pages, pages
from vision.kit.places import CITY_BOARDS, Measured, kit_layout
from vision.kit.schematic import draw_schematic
from vision.layout import Layout, layout_json

PAPERS_MM = {"kit.pdf": (297.0, 210.0), "kit-letter.pdf": (279.4, 215.9)}
"""Landscape. Every sheet fits both papers, with room for the margin that printers need."""
FILES = (*(f"city-{n + 1}.png" for n in range(CITY_BOARDS)), "hq.png", "layout.json", *PAPERS_MM)
"""Everything that a kit consists of."""


def write_kit(
    profile: Mapping[str, Any],
    folder: Path,
    progress: Callable[[str], None] = lambda name: None,
    measured: Measured | None = None,
) -> Layout:
    """Writes boards, layout and printable pages of a checked profile (one city side) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    layout = kit_layout(profile, folder, measured)
    draw = draw_board if measured is None else draw_schematic
    pictures = {}
    for board in layout.boards:
        picture = draw(board, profile)
        picture.save(folder / board.image, dpi=(300, 300), optimize=True)
        pictures[board.id] = picture
        progress(board.image)
    (folder / "layout.json").write_text(json.dumps(layout_json(layout), indent=1) + "\n", encoding="utf-8")
    progress("layout.json")
    bound = pages if measured is None else measured_pages
    for name, paper_mm in PAPERS_MM.items():
        first, *others = bound(layout, profile, pictures, paper_mm)
        first.save(
            folder / name, save_all=True, append_images=others, resolution=300.0, quality=92, subsampling=0,
            title=f"All City: {profile['name']}",
        )  # fmt: skip
        progress(name)
    return layout
