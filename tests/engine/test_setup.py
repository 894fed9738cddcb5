"""Options: what may be chosen, and what is left out."""

import pytest

from pi_app.engine.setup import Options, check_options, complete_options, span

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


@pytest.mark.parametrize(("value", "code"), [(0, "out_of_range"), (101, "out_of_range"), ("5", "not_a_number")])
def test_numbers_that_are_too_many_to_be_listed_are_told_by_their_ends(value: object, code: str) -> None:
    [problem] = check_options({"goal": value}, {"goal": (None, 50, *range(1, 50), *range(51, 101))})
    assert problem.code == code


def test_few_values_and_values_with_gaps_are_listed() -> None:
    assert span((1, 2, 3)) is None
    assert span(tuple(range(0, 40, 2))) is None
    assert span((None, *range(20))) == range(20)
