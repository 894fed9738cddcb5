"""Who asks: the token of a request, and what may only be done with one."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import current_app, request

from web.people import People, Refused, Who

OWN, HAS_LEFT = "web.own", "web.has_left"
"""Set by the server among what WSGI tells of a request."""
View = TypeVar("View", bound=Callable[..., Any])


def people() -> People:
    found: People = current_app.extensions["people"]
    return found


def token() -> str | None:
    """What follows "Bearer" in the request's Authorization header."""
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    return value[:200] if kind == "Bearer" and value else None


def who() -> Who:
    return people().who(token())


def is_own() -> bool:
    """Whether this request comes from the machine itself: the table's own screen."""
    return bool(request.environ.get(OWN))


def leaving() -> Callable[[], bool]:
    """Tells at any time later whether whoever asks has hung up."""
    has_left: Callable[[], bool] = request.environ.get(HAS_LEFT, lambda: False)
    return has_left


def needs_host(view: View) -> View:
    """For the host alone."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not who().host:
            raise Refused("people.host_only")
        return view(*args, **kwargs)

    return checked  # type: ignore[return-value]
