"""What is printed for the night tram: a line with stops for all, and a sheet with boxes for everybody."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Edition, Problem


class TramEdition(Edition):
    supplied: Mapping[str, Path] = {"house": Path(__file__).parent / "profiles" / "house.toml"}
    side_option = "brakes"

    def check(self, profile: Any) -> list[Problem]:
        known = isinstance(profile, dict) and isinstance(profile.get("tickets"), dict)
        return [] if known and isinstance(profile.get("stops"), int) else [Problem("file", "not_a_table")]

    def kit(self, profile: Mapping[str, Any], measured: Mapping[str, Any] | None = None) -> Any:
        raise NotImplementedError
