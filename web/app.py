"""The dashboard as a Flask application."""

from flask import Flask, current_app, jsonify, make_response, request
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from web import guard, language
from web.editor import editor
from web.history_pages import history_pages
from web.house import House
from web.intake import BadInput
from web.limits import Limits, Streams
from web.live import live
from web.pages import pages, show_error
from web.people import People, Refused
from web.setup import setup
from web.sim import sim_pages
from web.tokens import token

STATUS = {
    "people.token_needed": 401,
    "people.host_only": 403,
    "people.not_yours": 403,
    "people.pin_wrong": 403,
    "people.pin_wait": 429,
    "web.not_found": 404,
    "web.gone_on": 404,
    "web.too_large": 413,
    "web.busy": 503,
    "history.unknown_event": 404,
    "history.unknown_game": 404,
    "history.unknown_player": 404,
    "history.busy": 503,
}
"""Which status a refusal has; 409 for those not listed: it cannot be done now."""


def create_app(house: House, limits: Limits | None = None) -> Flask:
    app = Flask(__name__)
    app.json = DefaultJSONProvider(app)
    app.json.sort_keys = False  # what a profile lists stays in its owner's order
    guard.install(app, tuple(house.names))
    language.install(app, house)
    people = People(house.folder, house.hub, house.write)
    app.extensions["people"] = people
    app.register_blueprint(live(house, people, Streams(limits or Limits())))
    app.register_blueprint(pages(house))
    if house.workshop is not None:
        app.register_blueprint(setup(house, house.workshop))
        app.register_blueprint(editor(house, house.workshop))
    if house.sim is not None:
        app.register_blueprint(sim_pages(house.sim))
    if house.history is not None:
        app.register_blueprint(history_pages(house.history))
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(Exception, _failed)
    return app


def _refused(refused: Refused) -> ResponseReturnValue:
    key, facts = refused.refusal.key, refused.refusal.facts
    status = 400 if isinstance(refused, BadInput) else STATUS.get(key, 409)
    if status == 403 and token() is None and key == "people.host_only":
        status = 401
    return _error(status, key, language.t(key, facts))


def _failed(error: Exception) -> ResponseReturnValue:
    """What went wrong in a sentence; what was in the way stays in the log."""
    if not isinstance(error, HTTPException) or error.code is None:
        current_app.logger.exception("a request failed")
        return _error(500, "web.failed", language.t("web.failed"))
    if error.code < 400:
        return error
    response = make_response(_error(error.code, *_told(error.code)))
    if isinstance(error, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _told(status: int) -> tuple[str, str]:
    usual = "web.failed" if status >= 500 else "web.bad_request"
    key = {404: "web.not_found", 413: "web.too_large"}.get(status, usual)
    return key, language.t(key)


def _error(status: int, key: str, message: str) -> ResponseReturnValue:
    if request.path.startswith("/api/"):
        return jsonify(error=key, message=message), status
    return show_error(message), status
