"""Profiles: the mall and the numbers of an edition as data, in files as in game files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Edition, Problem
from pi_app.games.spree.edition.check import check_profile
from pi_app.games.spree.edition.kit import kit_of

HOUSE = Path(__file__).parent / "profiles" / "house.toml"
TEMPLATE = HOUSE.with_name("own-mall-template.toml")
"""How to draw the mall of a copy that somebody owns."""


class SpreeEdition(Edition):
    """Spree!'s profiles under the contract of editions."""

    supplied: Mapping[str, Path] = {"house": HOUSE, "own-mall-template": TEMPLATE}

    def check(self, profile: Any) -> list[Problem]:
        return check_profile(profile)

    kit = staticmethod(kit_of)
