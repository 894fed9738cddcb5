"""The set-up wizard and the doctor: their pages, and what these ask and have done."""

from dataclasses import asdict, replace
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request, send_file
from flask.typing import ResponseReturnValue

from web.house import House
from web.hub import Hub
from web.intake import Check, body, flag, one_of, query_choice, text
from web.language import sentences, show_game, t
from web.limits import Limits
from web.people import Refused
from web.refusal import without_paths
from web.text import Text
from web.tokens import needs_host
from web.workshop import Said, Wifi, Workshop

JPEG = "image/jpeg"
LONGEST_SIDE = 20
LONGEST_NETWORK, LONGEST_PASSWORD = 32, 63
PIECES_ACTIONS = ("learn", "forget")
LENS_ACTIONS = ("take", "measure", "forget")


def setup(house: House, workshop: Workshop) -> Blueprint:
    views = Blueprint("setup", __name__)
    views.before_request(lambda: show_game(workshop.game))
    _add_boards(views, workshop)
    _add_camera(views, workshop, house.hub)
    _add_pieces(views, workshop)
    _add_backups(views, workshop, house.hub)
    if workshop.wifi is not None:
        _add_wifi(views, workshop.wifi)

    @views.get("/setup")
    def wizard() -> str:
        return render_template("setup.html")

    @views.get("/api/setup")
    @needs_host
    def overview() -> ResponseReturnValue:
        name, side = workshop.profiles.chosen()
        return jsonify(
            profiles=[asdict(entry) for entry in workshop.profiles.entries()],
            profile=name,
            side=side,
            sided=bool(house.games[workshop.game].edition.side_option),
            kit=workshop.kits.state(name, side),
            lens=asdict(workshop.camera.lens()),
            clean=asdict(workshop.camera.clean()),
            pieces=asdict(workshop.pieces.state()),
            lights=said(workshop.lights.status()),
            zones=workshop.lights.zones,
        )

    @views.post("/api/setup/lights")
    @needs_host
    def lights() -> ResponseReturnValue:
        zone = body(zone=maybe(text(40)))["zone"]
        return jsonify(seconds=workshop.lights.test(zone))

    @views.get("/doctor")
    def doctor() -> str:
        return render_template("doctor.html")

    @views.get("/api/doctor")
    def doctor_findings() -> ResponseReturnValue:
        return jsonify([said(finding) for finding in workshop.doctor.findings()])

    @views.get("/api/setup/support.zip")
    @needs_host
    def support() -> ResponseReturnValue:
        found = [said(finding) for finding in workshop.doctor.findings()]
        with_pictures = query_choice("pictures", ("no", "yes"), "no") == "yes"
        return Response(workshop.support(with_pictures, found), content_type="application/zip")

    return views


def _add_boards(views: Blueprint, workshop: Workshop) -> None:
    @views.post("/api/setup/boards")
    @needs_host
    def choose() -> ResponseReturnValue:
        workshop.profiles.choose(**body(name=text(40), side=text(LONGEST_SIDE)))
        return jsonify({})

    @views.post("/api/setup/kit")
    @needs_host
    def make_kit() -> ResponseReturnValue:
        body()
        name, side = workshop.profiles.chosen()
        workshop.kits.make(name, side)
        return jsonify(state=workshop.kits.state(name, side))

    @views.get("/api/setup/kit")
    @needs_host
    def kit() -> ResponseReturnValue:
        return jsonify(state=workshop.kits.state(*workshop.profiles.chosen()))

    @views.get("/setup/kit/<which>")
    def kit_file(which: str) -> ResponseReturnValue:
        """A plain link: what is printed is no secret, and a browser's download sends no token."""
        name, side = workshop.profiles.chosen()
        path = workshop.kits.file(name, side, which)
        return send_file(path, as_attachment=True, download_name=f"{name}-{side}-{which}")


def _add_camera(views: Blueprint, workshop: Workshop, hub: Hub) -> None:
    camera = workshop.camera

    @views.get("/api/setup/camera.jpg")
    @needs_host
    def picture() -> ResponseReturnValue:
        """The room as the camera sees it: for the host alone."""
        return Response(camera.picture(), content_type=JPEG)

    @views.get("/api/setup/camera")
    @needs_host
    def camera_findings() -> ResponseReturnValue:
        return jsonify([said(finding) for finding in camera.findings()])

    @views.post("/api/setup/lens")
    @needs_host
    def lens() -> ResponseReturnValue:
        match body(action=one_of(*LENS_ACTIONS))["action"]:
            case "take":
                state = camera.take_lens_picture()
            case "measure":
                state = camera.measure_lens()
            case _:
                state = camera.forget_lens()
        return jsonify(asdict(state))

    @views.post("/api/setup/clean")
    @needs_host
    def clean() -> ResponseReturnValue:
        anyway = body(anyway=flag)["anyway"]
        if _is_played(hub):
            raise Refused("setup.clean_game")
        return jsonify(asdict(camera.take_clean(anyway)))


def _add_pieces(views: Blueprint, workshop: Workshop) -> None:
    pieces = workshop.pieces

    @views.post("/api/setup/pieces")
    @needs_host
    def learn() -> ResponseReturnValue:
        action = body(action=one_of(*PIECES_ACTIONS))["action"]
        return jsonify(asdict(pieces.learn() if action == "learn" else pieces.forget()))

    @views.get("/api/setup/pieces/<piece>.jpg")
    @needs_host
    def piece(piece: str) -> ResponseReturnValue:
        return Response(pieces.picture(piece), content_type=JPEG)

    @views.get("/setup/samples.pdf")
    def samples() -> ResponseReturnValue:
        """A plain link, as those of the kit."""
        return Response(pieces.sheet(), content_type="application/pdf")


def _add_backups(views: Blueprint, workshop: Workshop, hub: Hub) -> None:
    @views.get("/api/setup/backup.zip")
    @needs_host
    def backup() -> ResponseReturnValue:
        """Names and the PIN are in it: for the host alone."""
        return Response(workshop.backups.make(), content_type="application/zip")

    @views.post("/api/setup/restore")
    @needs_host
    def restore() -> ResponseReturnValue:
        if _is_played(hub):
            raise Refused("backup.game")
        return jsonify(workshop.backups.take_back(upload(Limits.upload_bytes)))


def _add_wifi(views: Blueprint, wifi: Wifi) -> None:
    @views.get("/wifi")
    def wifi_page() -> str:
        return render_template("wifi.html", longest_password=LONGEST_PASSWORD)

    @views.get("/api/setup/wifi")
    @needs_host
    def wifi_state() -> ResponseReturnValue:
        now = wifi.state()
        return jsonify(
            state=now.state,
            name=now.name,
            networks=[asdict(network) for network in now.networks],
            trouble=None if now.trouble is None else t(now.trouble.key, now.trouble.facts),
        )

    @views.post("/api/setup/wifi")
    @needs_host
    def join() -> ResponseReturnValue:
        wifi.join(**body(name=text(LONGEST_NETWORK), password=text(LONGEST_PASSWORD), hidden=flag))
        return jsonify({})

    @views.post("/api/setup/wifi/own")
    @needs_host
    def own() -> ResponseReturnValue:
        wifi.open_hotspot(body(open=flag)["open"])
        return jsonify({})


def _is_played(hub: Hub) -> bool:
    """Whether there is a game on the table whose ink would be taken for print; a game may also wait for just that."""
    shown = hub.part("table") or {}
    is_on = shown.get("game") is not None and shown["result"] is None
    preparing = shown.get("preparing") or {}
    return is_on and shown.get("last_seq", 0) > 0 and preparing.get("reason") != "sight.clean_gone"


def said(finding: Said) -> dict[str, Any]:
    """A finding in the words of whoever asks. Nobody learns from it where files lie."""
    return explained(replace(finding, facts=without_paths(finding.facts)), sentences())


def explained(finding: Said, say: Text) -> dict[str, Any]:
    """A finding: how it is, and if that is not good, what it means for play and what to do."""
    text = say(finding.key, finding.facts)
    more = {part: f"doctor.{finding.name}.{part}" for part in ("means", "do")}
    wanted = {part: key for part, key in more.items() if finding.severity != "good" and key in say}
    return {
        "name": finding.name,
        "severity": finding.severity,
        "text": text[0].upper() + text[1:],
        **{part: say(wanted[part], finding.facts) if part in wanted else "" for part in more},
    }


def maybe(check: Check) -> Check:
    """What may also be null."""
    return lambda value: None if value is None else check(value)


def upload(most_bytes: int) -> bytes:
    """The bytes that somebody sends as they are; more are refused before they are read."""
    request.max_content_length = most_bytes
    return request.get_data(cache=False)
