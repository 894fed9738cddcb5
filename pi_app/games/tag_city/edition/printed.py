"""What is printed in every region of the boards, for sheets to check measurements by."""

from collections.abc import Iterator, Mapping
from typing import Any

from pi_app.games.tag_city.edition.artwork import district_looks
from pi_app.games.tag_city.rules.shapes import column_letter
from vision.kit.outlines import Printed
from vision.kit.sheet import PAPER, Colour


def printed_city(city: Mapping[str, Any]) -> dict[str, Printed]:
    """What belongs to a district has its colour, so that a slip in the map shows too.

    A square has nothing printed and says what people call it.
    """
    names = {letter: entry["name"] for letter, entry in city["districts"].items()}
    tints = {letter: look.tint for letter, look in district_looks(names).items()}
    letters = [column_letter(col) for col in range(city["cols"])]
    printed = {
        f"r{row}c{col}": Printed(f"{letter}{row}", f"r{row}c{col}", tints.get(district, PAPER))
        for row, districts in enumerate(city["cells"], 1)
        for col, (letter, district) in enumerate(zip(letters, districts, strict=True), 1)
    }
    for n, pair in enumerate(city["row_values"], 1):
        printed |= _values(f"row.{n}", f"row.{n}", *pair)
    for letter, pair in zip(letters, city["col_values"], strict=True):
        printed |= _values(f"col.{letter}", f"col.{letter}", *pair)
    for letter, entry in city["districts"].items():
        printed |= _values(f"district.{entry['name']}", entry["name"], entry["high"], entry["low"], tints[letter])
    for name, costs in (("drone", city["drone"]), ("bubble", city["bubbles"])):
        printed |= {f"{name}.{n}": Printed(str(cost), f"{name}.{n}") for n, cost in enumerate(costs, 1)}
    return printed


def printed_hq(hq: Mapping[str, Any]) -> dict[str, Printed]:
    sections = {f"section.{n}": shape for n, shape in enumerate(hq["sections"], 1)}
    values = {f"value.{face}": face for face in hq["values"]}
    return {region: Printed(value, region) for region, value in (sections | values).items()}


def _values(feature: str, name: str, high: int, low: int, ground: Colour = PAPER) -> Iterator[tuple[str, Printed]]:
    for rank, value in (("high", high), ("low", low)):
        yield f"{feature}.{rank}", Printed(str(value), f"{name}.{rank}", ground)
