"""The profile editor: its pages, profiles to read and keep, and photographs to measure boards by."""

import math
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web.house import House
from web.intake import body, query_choice, table, text
from web.language import show_game, t
from web.limits import Limits
from web.people import Refused
from web.setup import JPEG, maybe, upload
from web.tokens import needs_host
from web.workshop import Json, Problem, Workshop

LARGEST_PROFILE = 256 * 1024
LARGEST_IMPORT = 300_000
EXISTING = ("ask", "replace", "both")
"""What is to happen when a profile of the same title is here already."""
DRAWN = ("editor.js", "editor.css")
"""What a game may bring in `screens/editor/`; README.md tells."""
BOARD_MM = (60.0, 450.0)
FARTHEST_PX = 100_000.0


def editor(house: House, workshop: Workshop) -> Blueprint:
    views = Blueprint("editor", __name__)
    views.before_request(lambda: show_game(workshop.game))
    _add_profiles(views, workshop)
    _add_photos(views, workshop)

    @views.get("/setup/profiles")
    def shelf() -> str:
        return render_template("profiles.html")

    @views.get("/setup/profiles/<name>")
    def edit(name: str) -> str:
        entry = next((entry for entry in workshop.profiles.entries() if entry.name == name), None)
        if entry is None:
            raise Refused("web.not_found")
        folder = house.games[workshop.game].folder / "screens" / "editor"
        drawn = [file for file in DRAWN if (folder / file).is_file()]
        return render_template("editor.html", entry=entry, drawn=drawn, measurable=workshop.photos.boards)

    @views.get("/setup/profiles/<name>/export.toml")
    def export(name: str) -> ResponseReturnValue:
        """A plain link, as a browser's download sends no token; what is printed on boards is no secret."""
        data = workshop.profiles.exported(name)
        disposition = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
        return Response(data, content_type="application/toml", headers=disposition)

    return views


def _add_profiles(views: Blueprint, workshop: Workshop) -> None:
    shelf = workshop.profiles

    @views.get("/api/profiles")
    def entries() -> ResponseReturnValue:
        name, side = shelf.chosen()
        return jsonify(profiles=[asdict(entry) for entry in shelf.entries()], profile=name, side=side)

    @views.post("/api/profiles")
    @needs_host
    def add() -> ResponseReturnValue:
        """A new profile: a copy of another one, or what the editor made of it."""
        request.max_content_length = LARGEST_PROFILE
        sent = body(title=text(80), profile=maybe(table), copy_of=maybe(text(40)))
        profile = sent["profile"] if sent["profile"] is not None else shelf.read(sent["copy_of"] or "")
        return jsonify(name=shelf.add(sent["title"], profile))

    @views.post("/api/profile-import")
    @needs_host
    def take_in() -> ResponseReturnValue:
        """One that is here already is not added again; one of the same title is asked about, replaced or numbered."""
        existing = query_choice("existing", EXISTING, "both")
        name, added = shelf.take_in(upload(LARGEST_IMPORT), existing)
        return jsonify(name=name, added=added)

    @views.post("/api/profile-check")
    @needs_host
    def check() -> ResponseReturnValue:
        request.max_content_length = LARGEST_PROFILE
        return jsonify([_problem(problem) for problem in shelf.check(body(profile=table)["profile"])])

    @views.get("/api/profiles/<name>")
    def read(name: str) -> ResponseReturnValue:
        profile = shelf.read(name)
        problems = [_problem(problem) for problem in shelf.check(profile)]
        return jsonify(profile=profile, problems=problems, flats=workshop.photos.flats(name))

    @views.post("/api/profiles/<name>")
    @needs_host
    def save(name: str) -> ResponseReturnValue:
        request.max_content_length = LARGEST_PROFILE
        profile = dict(body(profile=table)["profile"])
        shelf.read(name)  # only what is there can be changed
        shelf.save(name, profile)
        return jsonify([_problem(problem) for problem in shelf.check(profile)])

    @views.post("/api/profiles/<name>/delete")
    @needs_host
    def delete(name: str) -> ResponseReturnValue:
        body()
        shelf.delete(name)
        return jsonify({})


def _add_photos(views: Blueprint, workshop: Workshop) -> None:
    photos = workshop.photos

    @views.post("/api/photos")
    @needs_host
    def add_photo() -> ResponseReturnValue:
        return jsonify(photos.add(upload(Limits.upload_bytes)))

    @views.get("/api/photos/<photo>.jpg")
    @needs_host
    def photo(photo: str) -> ResponseReturnValue:
        return Response(photos.photo(photo), content_type=JPEG)

    @views.post("/api/profiles/<name>/flat")
    @needs_host
    def flatten(name: str) -> ResponseReturnValue:
        sent = body(board=text(40), photo=text(40), corners=_corners, size_mm=_size_mm)
        workshop.profiles.read(name)
        return jsonify(photos.flatten(name, **sent))

    @views.get("/api/profiles/<name>/flat/<board>.jpg")
    @needs_host
    def flat(name: str, board: str) -> ResponseReturnValue:
        return Response(photos.flat(name, board), content_type=JPEG)


def _problem(problem: Problem) -> Json:
    return {"where": problem.where, "warning": problem.warning, "text": t(problem.key, problem.facts)}


# --- what may be sent -------------------------------------------------------------------------


def _numbers(value: Any, count: int, least: float, most: float) -> list[float]:
    good = isinstance(value, list) and len(value) == count and all(type(n) in (int, float) for n in value)
    if not good or not all(math.isfinite(n) and least <= n <= most for n in value):
        raise ValueError(f"{count} × {least:g}…{most:g}")
    return [float(n) for n in value]


def _corners(value: Any) -> list[list[float]]:
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError("4 × [x, y]")
    return [_numbers(corner, 2, -FARTHEST_PX, FARTHEST_PX) for corner in value]


def _size_mm(value: Any) -> list[float]:
    return _numbers(value, 2, *BOARD_MM)
