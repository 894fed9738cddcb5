"""The API keeps to its own description, whatever is sent."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from pi_app.simulation.simroom import SimRoom
from tests.web.house import Table4Web, opened
from tests.web.workshop import opened_workshop
from web.permits import BUTTONS, COMMANDS
from web.serve import serve

DESCRIPTION = json.loads((Path(__file__).parents[2] / "web" / "openapi.json").read_text())
schema = schemathesis.openapi.from_dict(DESCRIPTION).exclude(path="/api/stream")  # goes on for ever


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table4Web]:
    folder = tmp_path_factory.mktemp("api")
    workshop = opened_workshop(folder, makes_kits=False).workshop
    with opened(folder, workshop=workshop, sim=SimRoom()) as at:
        at.play(12)
        yield at


@pytest.fixture(scope="module")
def address(table: Table4Web) -> str:
    """The same, on a port."""
    return f"http://127.0.0.1:{serve(lambda port: table.client.application, '127.0.0.1', 0)}"


@schema.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_every_answer_is_as_described(case: Any, table: Table4Web, address: str) -> None:
    case.operation.base_url = address  # checks that ask again take it from here
    # Drawing a kit for the first time takes a while.
    case.call_and_validate(base_url=address, timeout=120, headers={"Authorization": f"Bearer {table.host()}"})


def test_every_address_of_the_api_is_described(table: Table4Web) -> None:
    rules = {rule.rule for rule in table.client.application.url_map.iter_rules() if rule.rule.startswith("/api/")}
    described = {path.replace("{", "<").replace("}", ">") for path in DESCRIPTION["paths"]}
    plain = {_plain(rule) for rule in rules}
    assert plain == {path for path in described if path.startswith("/api/")}


def test_every_command_is_described() -> None:
    sent = DESCRIPTION["paths"]["/api/commands"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(sent["properties"]["command"]["enum"]) == {*COMMANDS, *BUTTONS}


def _plain(rule: str) -> str:
    """/a/<int(max=9):number> as /a/<number>"""
    return re.sub(r"<[^>]*?(\w+)>", r"<\1>", rule)
