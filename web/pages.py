"""The pages around the game. They carry no facts: what they show comes through the API."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, send_file, send_from_directory
from flask.typing import ResponseReturnValue
from font_fredoka_one import FredokaOne
from segno import QRCode

from web import codes
from web.house import House
from web.language import language, shown_game
from web.people import LONGEST_NAME, Refused
from web.rulebook import rules
from web.text import LANGUAGES, load

DRAWN = (".js", ".css", ".svg", ".png")
"""What pages may load from a game's folder."""


def pages(house: House) -> Blueprint:
    views = Blueprint("pages", __name__)

    def screens(name: str) -> Path:
        """Raises Refused for a game that is not known."""
        if name not in house.games:
            raise Refused("web.not_found")
        return house.games[name].folder / "screens"

    def network() -> Mapping[str, Any]:
        """Where the table is: as it was last told, or as it was at the start."""
        return house.hub.part("network") or {"addresses": house.addresses, "hotspot": None}

    @views.app_context_processor
    def shared() -> dict[str, object]:
        name = shown_game()
        brought = [file for file in ("game.js", "game.css") if name in house.games and (screens(name) / file).is_file()]
        own = tuple(house.games[name].colours) if name in house.games else ()
        return {
            "simulated": house.sim is not None,
            "notice": house.notice,
            "has_wifi": house.workshop is not None and house.workshop.wifi is not None,
            "brought": brought,
            "colours": (*own, *(colour for colour in house.colours if colour not in own)),
            "pieces_have_colours": bool(own),
        }

    @views.get("/game/<name>/<path:file>")
    def drawn(name: str, file: str) -> Response:
        """What a game's own drawing needs."""
        if not file.endswith(DRAWN):
            raise Refused("web.not_found")
        return send_from_directory(screens(name), file)

    @views.get("/")
    def screen() -> str:
        return render_template("screen.html", addresses=network()["addresses"])

    @views.get("/join.svg")
    def join_code() -> Response:
        if not network()["addresses"]:
            raise Refused("web.not_found")
        return _code(codes.join(network()["addresses"][0]))

    @views.get("/wifi.svg")
    def wifi_code() -> Response:
        """While the table has a network of its own; for all who see the big screen."""
        hotspot = network()["hotspot"]
        if hotspot is None:
            raise Refused("web.not_found")
        return _code(codes.wifi(**hotspot))

    @views.get("/seat")
    def seat() -> str:
        return render_template("seat.html", game=house.games.get(shown_game()), longest_name=LONGEST_NAME)

    @views.get("/host")
    def host() -> str:
        return render_template("host.html", addresses=network()["addresses"], games=house.games)

    @views.get("/rules")
    def rules_page() -> str:
        try:
            told = rules(screens(shown_game()).parent, language())
        except OSError:
            raise Refused("web.not_found") from None
        return render_template("rules.html", rules=told)

    @views.get("/strings/<name>.json")
    def strings(name: str) -> ResponseReturnValue:
        if name not in LANGUAGES:
            raise Refused("web.not_found")
        game = request.args.get("game")
        return jsonify(load(name, screens(game).parent if game else None))

    @views.get("/font.ttf")
    def font() -> Response:
        return send_file(FredokaOne, mimetype="font/ttf", max_age=86400)

    @views.get("/favicon.ico")
    def icon() -> ResponseReturnValue:
        return redirect("/static/icon.svg")

    @views.get("/openapi.json")
    def openapi() -> Response:
        return Response(files("web").joinpath("openapi.json").read_bytes(), content_type="application/json")

    @views.get("/healthz")
    def healthz() -> ResponseReturnValue:
        shown = house.hub.part("table")
        return jsonify(ok=shown is not None, version=house.hub.version), 200 if shown is not None else 503

    return views


def show_error(message: str) -> str:
    return render_template("error.html", message=message)


def _code(code: QRCode) -> Response:
    return Response(codes.picture(code), content_type="image/svg+xml")
