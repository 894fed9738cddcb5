"""The house edition as if somebody owned and measured it: the template's own example."""

import copy
import tomllib
from typing import Any

from pi_app.games.tag_city.edition.profile import HOUSE
from tests.profiles import altered, read_profile

TEMPLATE = HOUSE.with_name("retail-template.toml")


def example_text() -> str:
    """The commented-out example of the template, with the comment signs taken out."""
    lines = TEMPLATE.read_text(encoding="utf-8").splitlines()
    return "\n".join(line[2:] for line in lines[lines.index("# [geometry.city]") :])


EXAMPLE: dict[str, Any] = tomllib.loads(example_text())["geometry"]


def geometry(*path_and_value: Any) -> dict[str, Any]:
    """A copy of the example, in which one thing may be changed or taken out."""
    return altered(EXAMPLE, *path_and_value) if path_and_value else copy.deepcopy(EXAMPLE)


def measured_house(*path_and_value: Any) -> dict[str, Any]:
    """The house edition with the example, in which one thing may be changed."""
    return {**read_profile(HOUSE), "geometry": geometry(*path_and_value)}
