"""The dashboard as a program sees it: JSON in and out, and waiting for what is shown."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from tests.web.patching import states

PATIENCE_S = 120.0
"""How long one may wait for the next update; there is a heartbeat every few seconds."""


class Site:
    def __init__(self, port: int) -> None:
        self.port, self.address = port, f"http://127.0.0.1:{port}"

    def get(self, path: str, token: str | None = None) -> Any:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        request = urllib.request.Request(self.address + path, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def post(self, path: str, sent: Any, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.address + path, json.dumps(sent).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path} {sent}: {error.read().decode()}") from error

    def send(self, sent: Any, token: str | None = None, path: str = "/api/commands") -> tuple[int, Any]:
        """A command, whatever comes of it: the status and what was answered."""
        headers = {"Content-Type": "application/json"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request("POST", path, json.dumps(sent).encode(), headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())

    def states(self) -> Iterator[Any]:
        """Every state that is shown from now on, beginning with this one."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request("GET", "/api/stream")
            yield from states(line.getresponse())

    def until(self, wanted: Callable[[Any], bool], what: str, most: int = 2_000) -> Any:
        """The first state like that; fails after so many others."""
        states = self.states()
        for _, state in zip(range(most), states, strict=False):
            if wanted(state):
                return state
        raise AssertionError(f"{most} states without: {what}")
