"""The pages around the game. They carry no facts: what they show comes through the API."""

from importlib.resources import files

import segno
from flask import Blueprint, Response, jsonify, redirect, render_template, send_file
from flask.typing import ResponseReturnValue
from font_fredoka_one import FredokaOne

from web.house import House
from web.language import language
from web.people import COLOURS, LONGEST_NAME, Refused
from web.rulebook import games, rules
from web.text import LANGUAGES, load


def pages(house: House) -> Blueprint:
    views = Blueprint("pages", __name__)

    @views.app_context_processor
    def shared() -> dict[str, object]:
        return {"simulated": house.sim is not None}

    @views.get("/")
    def screen() -> str:
        return render_template("screen.html", addresses=house.addresses, join_qr=_join_qr(house))

    @views.get("/seat")
    def seat() -> str:
        return render_template("seat.html", colours=COLOURS, longest_name=LONGEST_NAME)

    @views.get("/host")
    def host() -> str:
        return render_template("host.html", addresses=house.addresses)

    @views.get("/rules")
    def rules_page() -> str:
        """Those of the game on the table; before there is one, of the first that we know."""
        game = ((house.hub.part("table") or {}).get("game") or {}).get("game")
        known = games()
        return render_template("rules.html", rules=rules(game if game in known else known[0], language()))

    @views.get("/strings/<name>.json")
    def strings(name: str) -> ResponseReturnValue:
        if name not in LANGUAGES:
            raise Refused("web.not_found")
        return jsonify(load(name))

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


def _join_qr(house: House) -> str:
    """Leads a phone to the page where it takes a seat."""
    if not house.addresses:
        return ""
    code = segno.make(f"{house.addresses[0]}/seat", micro=False)
    return code.svg_inline(scale=1, border=2, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
