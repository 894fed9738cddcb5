"""What every request and every answer must respect, whoever asks for what."""

import ipaddress

from flask import Flask, Response, abort, request

from web.limits import Limits

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def install(app: Flask, names: tuple[str, ...]) -> None:
    """`names` are the host names this server is called by, besides localhost and plain addresses."""
    app.config["MAX_CONTENT_LENGTH"] = Limits.body_bytes  # what takes uploads raises it for itself

    @app.before_request
    def check() -> None:
        # A page of somebody else's that points its own name at this machine must not get in (DNS rebinding).
        if not _is_ours(_without_port(request.host), names):
            abort(421)
        if request.method not in SAFE_METHODS and not _same_origin():
            abort(403)

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.update(HEADERS)
        if not request.path.startswith(("/static/", "/game/")):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if port.isascii() and port.isdecimal() and name else host).strip("[]").lower()


def _is_ours(host: str, names: tuple[str, ...]) -> bool:
    if host in ("localhost", *(name.lower() for name in names)):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _same_origin() -> bool:
    """Programs send neither header; browsers always send one of them with what changes things."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if site not in (None, "same-origin", "none"):
        return False
    return origin is None or origin in (f"http://{request.host}", f"https://{request.host}")
