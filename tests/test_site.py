"""The documentation as a site: it builds without a warning, shows everything that it names, and needs no network."""

import io
import json
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser, Route, expect

from tests.browser.chromium import SIZES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NOT_OURS = {".venv", ".cache", ".git", "build"}
DOCUMENTS = sorted(path for path in ROOT.rglob("*.md") if not NOT_OURS & set(path.relative_to(ROOT).parts))
LOADING = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
"""What a browser fetches by itself, and where that is named."""
LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}
MOST_PICTURE_BYTES = 3_000_000


class Links(HTMLParser):
    """What a page loads, where it leads, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.anchors.update(told[key] for key in ("id", "name") if key in told)
        if tag == "a" and "href" in told:
            self.leads.append(told["href"])
        elif tag in LOADING and (tag != "link" or LOADED_LINKS & set(told.get("rel", "").split())):
            self.loads.append(told.get(LOADING[tag], ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `mkdocs build` makes it; strict, so that any warning ends it."""
    folder, said = tmp_path_factory.mktemp("site"), io.StringIO()
    handler = logging.StreamHandler(said)
    logging.getLogger("mkdocs").addHandler(handler)
    with redirect_stderr(said):
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
        assert config.strict
        build(config)
    logging.getLogger("mkdocs").removeHandler(handler)
    assert "WARNING" not in said.getvalue()
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {page: Links(page) for page in sorted(site.rglob("*.html"))}


def test_every_page_of_docs_is_in_the_menu(site: Path) -> None:
    menu = (site / "index.html").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        assert f'href="{page.relative_to(DOCS).with_suffix(".html").as_posix()}"' in menu


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Links]) -> None:
    assert {load for links in pages.values() for load in links.loads if urlsplit(load).netloc} == set()


def test_whatever_a_page_shows_or_links_is_there(site: Path, pages: dict[Path, Links]) -> None:
    for page, links in pages.items():
        if page == site / "404.html":  # its links begin at the root of a server
            continue
        for link in (*links.loads, *links.leads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, f"{page.relative_to(site)}: {link}"


def test_every_picture_of_docs_is_shown_and_all_are_small(pages: dict[Path, Links]) -> None:
    shown = {Path(load).name for links in pages.values() for load in links.loads}
    pictures = [path for path in DOCS.rglob("*") if path.suffix in (".png", ".jpg", ".svg")]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [path for path in pictures if path.name not in shown and path.name not in readme] == []
    assert sum(path.stat().st_size for path in pictures) < MOST_PICTURE_BYTES


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_work_in_the_repository_too(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text):
        path = unquote(urlsplit(link).path)
        if path and not urlsplit(link).scheme:
            assert (document.parent / path).exists(), link


def test_every_request_of_the_api_is_on_its_page() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    api = json.loads((ROOT / "web/openapi.json").read_text(encoding="utf-8"))
    requests = {f"{method.upper()} {path}" for path, methods in api["paths"].items() for method in methods}
    assert {request for request in requests if f"`{request}`" not in page} == set()
    assert set(re.findall(r"`((?:GET|POST) /(?:api|healthz)[^`]*)`", page)) - requests == set()
    [commands] = re.findall(r"## Commands\n(.*?)\n## ", page, re.DOTALL)
    enum = api["paths"]["/api/commands"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {name for name in enum["properties"]["command"]["enum"] if f"`{name}`" not in commands} == set()


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_search_works_without_a_network(served: str, browser: Browser) -> None:
    strangers: list[str] = []

    def only_ours(route: Route) -> None:
        if route.request.url.startswith(served):
            route.continue_()
        else:
            strangers.append(route.request.url)
            route.abort()

    width, height = SIZES["laptop"]
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        page.route("**/*", only_ours)
        page.goto(f"{served}/index.html")
        page.locator("[data-md-component=search-query]").click()
        page.keyboard.type("flicker")
        expect(page.locator(".md-search-result__item").first).to_contain_text("wrong")
    assert strangers == []
