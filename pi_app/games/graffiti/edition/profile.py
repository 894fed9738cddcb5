"""Profiles: the printed facts of an edition as data, in files as in game files.

`geometry`, where things are on the boards of a copy that somebody measured, is only an edition's: a game is played
without it.
"""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Edition, Problem
from pi_app.games.graffiti.edition.check import check_profile
from pi_app.games.graffiti.edition.geometry import NEEDED, OPTIONAL, measured_boards
from pi_app.games.graffiti.edition.kit import kit_of

HOUSE = Path(__file__).parent / "profiles" / "house.toml"
TEMPLATE = HOUSE.with_name("retail-template.toml")
"""Everything that an owner of the retail game has to enter, left blank."""


class GraffitiEdition(Edition):
    """Graffiti's profiles under the contract of editions."""

    supplied: Mapping[str, Path] = {"house": HOUSE, "retail-template": TEMPLATE}

    def check(self, profile: Any) -> list[Problem]:
        return check_profile(profile)

    kit = staticmethod(kit_of)
    measurable = (*NEEDED, *OPTIONAL)

    @staticmethod
    def measured(profile: Mapping[str, Any], side: str) -> dict[str, dict[str, Any]] | None:
        return measured_boards(profile)

    @staticmethod
    def resolve(profile: Mapping[str, Any], options: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
        return {key: value for key, value in profile.items() if key != "geometry"}
