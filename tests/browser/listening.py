"""What a browser receives, word for word: so that nobody is told what others hide."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from playwright.sync_api import Page

from tests.web.patching import states

LISTENING = """
window.answers = [];
const asked = window.fetch;
window.fetch = async (...wanted) => {
  const answer = await asked(...wanted);
  const reader = answer.clone().body.pipeThrough(new TextDecoderStream()).getReader();
  const place = window.answers.push("") - 1;
  const listen = async () => {
    for (let told = {}; !told.done; told = await reader.read()) window.answers[place] += told.value ?? "";
  };
  listen().catch(() => {});
  return answer;
};
"""
UP_TO_DATE = """
(version) => window.answers.some((told) => [...told.matchAll(/^id: (\\d+)/gm)].some(([, id]) => Number(id) >= version))
"""
"""Whether a page has received this version of what is shown."""


def before_the_end(page: Page) -> str:
    """All that this page has received until the game was over, when everything is open."""
    received = "\n".join(page.evaluate("window.answers"))
    during, ended, _ = received.partition('"over"')
    return during[: during.rfind("\nid: ")] if ended else during


def tables_before_the_end(page: Page) -> Iterator[Any]:
    """Every table that this page was told of by its streams, until the game was over."""
    for told in page.evaluate("window.answers"):
        shown = (state["table"] for state in states(told.encode().splitlines()))
        yield from takewhile(lambda table: table["result"] is None, shown)
