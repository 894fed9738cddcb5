"""What nobody sends by mistake: nesting without end, digits that are none, headers of any kind. Nothing is a 500."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_app.simulation.simroom import SimRoom
from tests.web.house import Table4Web, opened
from tests.web.workshop import opened_workshop
from web.intake import DEEPEST

JSON_ROUTES = (
    *("/api/commands", "/api/join", "/api/leave", "/api/host", "/api/host/leave", "/api/sim", "/api/profiles"),
    *("/api/profile-check", "/api/profile-import", "/api/profiles/house", "/api/profiles/house/flat"),
    *("/api/setup/lights", "/api/setup/boards", "/api/setup/lens", "/api/setup/clean", "/api/players/1/rename"),
)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table4Web]:
    """A dashboard with every page it can have."""
    folder: Path = tmp_path_factory.mktemp("odd")
    workshop = opened_workshop(folder, makes_kits=False).workshop
    with opened(folder, workshop=workshop, sim=SimRoom()) as at:
        at.play(6)
        yield at


@pytest.mark.parametrize("board", ["city-²", "city-①", "city-٣", "city-", "city-" + "9" * 190, "hq-1", "²"])
def test_a_board_of_any_name_is_refused_in_words(board: str, everything: Table4Web) -> None:
    answer = everything.command("restore", {"board": board}, everything.host())
    assert (answer.status_code, answer.json["error"]) == (409, "table.unknown_board")


BODIES = (
    *(
        "DEEP",
        '{"args": DEEP}',
        '{"pin": DEEP}',
        '{"action": DEEP}',
        '{"action": "stroke", "board": "hq", "points": DEEP}',
    ),
    *('{"command": "do", "args": {"event": DEEP}}', '{"command": "do", "args": {"event": {"type": DEEP}}}'),
    *('{"command": "do", "args": {"event": {"type": "dice_rolled", "values": DEEP}}}',),
    *(
        '{"command": "correct", "args": {"corrections": DEEP}}',
        '{"command": "correct", "args": {"corrections": {"1": DEEP}}}',
    ),
    *(
        '{"command": "new_game", "args": {"players": DEEP}}',
        '{"command": "new_game", "args": {"options": {"x": DEEP}}}',
    ),
    *('{"command": "restore", "args": {"board": DEEP}}', '{"command": "adopt", "args": {"board": DEEP}}'),
    *('{"profile": DEEP}', '{"profile": {"name": DEEP}}', '{"title": "x", "profile": {"x": DEEP}, "copy_of": null}'),
    *(
        '{"name": DEEP}',
        '{"board": "hq", "photo": "x", "corners": DEEP, "size_mm": DEEP}',
        '{"name": "x", "join": DEEP}',
    ),
)


@pytest.mark.parametrize("path", JSON_ROUTES)
@pytest.mark.parametrize("depth", [DEEPEST + 1, 450, 900, 5_000])
@pytest.mark.parametrize("brackets", ["[]", '{"x":}'])
def test_no_body_may_be_nested_without_end(path: str, depth: int, brackets: str, everything: Table4Web) -> None:
    deep = brackets[:-1] * depth + "1" + brackets[-1] * depth
    headers = {"Authorization": f"Bearer {everything.host()}", "Content-Type": "application/json"}
    for body in BODIES:
        answer = everything.client.post(path, data=body.replace("DEEP", deep), headers=headers)
        assert 400 <= answer.status_code < 500, body
        assert answer.get_json()["message"]


def test_what_games_need_is_nested_less_deep(everything: Table4Web) -> None:
    body: Any = 1
    for _ in range(DEEPEST - 3):  # inside body, arguments and event
        body = [body]
    answer = everything.command("do", {"event": {"type": "dice_rolled", "values": body}}, everything.host())
    assert answer.json["error"] != "web.bad_input"


@pytest.mark.parametrize("origin", ["http://[", "http://]", "http://[::1", "//[", "http://\u212a", "[", "http://a:b:c"])
def test_no_origin_is_more_than_refused(origin: str, everything: Table4Web) -> None:
    for path in JSON_ROUTES:
        answer = everything.client.post(path, json={}, headers={"Origin": origin.encode("latin-1", "replace").decode()})
        assert answer.status_code == 403


@pytest.mark.parametrize("number", ["9" * 5000, "²", "1_0", "+1", "0x1", "-1"])
@pytest.mark.parametrize(
    "path",
    ["/games/{}", "/players/{}", "/api/games/{}/table/{}", "/api/question/{}.jpg", "/api/placements?piece={}"],
)
def test_no_number_in_an_address_breaks_anything(number: str, path: str, everything: Table4Web) -> None:
    assert everything.client.get(path.replace("{}", number)).status_code < 500


HEADERS = (
    *("Host", "Origin", "Sec-Fetch-Site", "Authorization", "Cookie", "Accept-Language", "Content-Type", "Accept"),
    *("Content-Length", "Range", "If-None-Match", "If-Modified-Since", "If-Range", "Referer", "X-Forwarded-For"),
)
REQUESTS = (
    *(("GET", "/"), ("GET", "/api/state"), ("GET", "/api/me"), ("GET", "/healthz"), ("GET", "/static/js/dom.js")),
    *(("GET", "/font.ttf"), ("GET", "/games"), ("POST", "/api/commands"), ("POST", "/api/join"), ("POST", "/api/host")),
    *(("POST", "/api/photos"), ("POST", "/api/sim"), ("HEAD", "/"), ("OPTIONS", "/api/state")),
)
values = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=40) | st.sampled_from(
    ["http://[", "[::1", "[", "::", ":", "localhost:²", "Bearer ", "bytes=0-", "bytes=-²", "q=²", "en;q=²", "lang=\xe9"]
)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(headers=st.dictionaries(st.sampled_from(HEADERS), values, max_size=4), request=st.sampled_from(REQUESTS))
def test_no_header_breaks_anything(headers: dict[str, str], request: tuple[str, str], everything: Table4Web) -> None:
    method, path = request
    answer = everything.client.open(path, method=method, data=json.dumps({}), headers=headers)
    assert answer.status_code < 500
