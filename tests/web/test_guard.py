"""What no request gets past: foreign names and origins, and what no answer lacks."""

import pytest

from tests.web.house import Table4Web


@pytest.mark.parametrize(
    "host", ["evil.example", "allcity.local.evil.example", "", "localhost.evil.example:80", "[::1].evil"]
)
def test_a_foreign_name_gets_nothing(host: str, web: Table4Web) -> None:
    """A page elsewhere may point its own name at this machine: it must learn nothing."""
    for path in ("/", "/api/state", "/static/js/live.js"):
        answer = web.client.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert b"feed" not in answer.data


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8080", "127.0.0.1:8080", "192.168.7.5", "[::1]:8080", "[fe80::1]"]
)
def test_plain_addresses_and_localhost_are_ours(host: str, web: Table4Web) -> None:
    assert web.client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_pages_change_nothing(headers: dict[str, str], web: Table4Web) -> None:
    answer = web.post("/api/join", {"seat": 0, "name": "Ana", "colour": "cyan", "language": "en"}, **headers)
    assert answer.status_code == 403
    assert web.state["people"]["seats"] == []


def test_our_own_pages_do(web: Table4Web) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    answer = web.post("/api/join", {"seat": 0, "name": "Ana", "colour": "cyan", "language": "en"}, **headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/seat", "/host", "/games", "/players", "/api/state", "/nowhere", "/static/js/dom.js"]
)
def test_every_answer_forbids_what_pages_do_not_need(path: str, web: Table4Web) -> None:
    headers = web.client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy


def test_a_failure_leaks_nothing(web: Table4Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(board: str) -> None:
        raise RuntimeError("the secret is 42 in /home/somebody")

    monkeypatch.setattr(web.dashboard, "picture", failing)
    answer = web.client.get("/api/boards/any/picture.jpg")
    assert answer.status_code == 500
    assert b"secret" not in answer.data
    assert b"Traceback" not in answer.data


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_methods_that_nobody_needs_are_refused(method: str, web: Table4Web) -> None:
    assert web.client.open("/api/state", method=method).status_code in (403, 405)
