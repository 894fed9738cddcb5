"""Options: what may be chosen, and what is left out."""

import pytest

from pi_app.engine.setup import Options, check_options, complete_options

KNOWN: Options = {"pace": ("slow", "fast"), "goal": (None, 10, 20)}


def test_an_option_without_a_default_of_its_own_is_left_out_until_somebody_chooses() -> None:
    assert complete_options({}, KNOWN) == {"pace": "slow"}
    assert complete_options({"goal": 10}, KNOWN) == {"pace": "slow", "goal": 10}


@pytest.mark.parametrize(
    ("name", "value"), [("pace", "quick"), ("goal", 30), ("goal", True), ("goal", None), ("luck", 1)]
)
def test_other_values_and_names_are_wrong(name: str, value: object) -> None:
    [problem] = check_options({name: value}, KNOWN)
    assert problem.where == f"options.{name}"
    assert None not in problem.facts["allowed"]
