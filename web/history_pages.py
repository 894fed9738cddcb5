"""History: games and players, as pages for people and as JSON for programs."""

from collections.abc import Callable, Mapping
from typing import Any

import segno
from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web import charts, dates
from web.history import History
from web.intake import body, flag, one_of, text
from web.language import language, sentences, show_game, t
from web.people import clean_name
from web.text import Text
from web.tokens import needs_host
from web.wanted import LARGEST_NUMBER, LONGEST_TEXT, wanted_games

MARKS = ("hidden", "shown", "practice", "counted")
ISOLATED = "\u2068{}\u2069"
"""A name written from right to left turns nothing around but itself."""


def history_pages(history: History) -> Blueprint:
    views = Blueprint("history", __name__)
    for name, function in WORDS.items():
        views.app_template_global(name)(function)
    _add_games(views, history)
    _add_files(views, history)
    _add_players(views, history)
    return views


# --- games ------------------------------------------------------------------------------------


def _add_games(views: Blueprint, history: History) -> None:
    @views.get("/games")
    def games() -> str:
        wanted = wanted_games(request.args)
        return render_template("games.html", found=history.games(wanted), wanted=wanted)

    @views.get("/games/<int:game_id>")
    def game(game_id: int) -> str:
        told = history.game(_known(game_id))
        show_game(told["game"])
        return render_template(
            "game.html",
            game=told,
            headline=_headline(told, ISOLATED),
            ranking=_ranking(told),
            race=charts.race(told["race"]),
            by_round=charts.by_round(told["race"]),
            stacks=charts.stacks(told["parts"]),
            handover=_handover(history, told),
            names=[_called(player) for player in told["players"]],
        )

    @views.get("/api/games")
    def api_games() -> ResponseReturnValue:
        return jsonify(history.games(wanted_games(request.args)))

    @views.get("/api/games/<int:game_id>")
    def api_game(game_id: int) -> ResponseReturnValue:
        return jsonify(history.game(_known(game_id)))

    @views.post("/api/games/<int:game_id>/mark")
    @needs_host
    def mark(game_id: int) -> ResponseReturnValue:
        history.mark(_known(game_id), body(mark=one_of(*MARKS))["mark"])
        return jsonify({})

    @views.get("/api/games/<int:game_id>/table/<int:seq>")
    def api_table(game_id: int, seq: int) -> ResponseReturnValue:
        return jsonify(history.table_after(_known(game_id), _known(seq)))


def _known(number: int) -> int:
    """Whatever is larger than any number in use is as good as this one."""
    return min(number, LARGEST_NUMBER)


def _headline(told: dict[str, Any], form: str = "{}") -> str:
    """Who won, in a sentence; for an unfinished game that it is none yet."""
    names = [form.format(_called(told["players"][seat])) for seat in told["winners"]]
    if not names:
        return t("history.unfinished_long", {"round": told["rounds"]})
    return t("show.winner" if len(names) == 1 else "show.tie", {"names": names})


def _ranking(told: dict[str, Any]) -> list[dict[str, Any]]:
    """The players, whoever is ahead first."""
    players: list[dict[str, Any]] = told["players"]
    if told["places"] is None:
        return sorted(players, key=lambda player: -told["scores"][player["seat"]])
    return sorted(players, key=lambda player: told["places"][player["seat"]])


def _handover(history: History, told: dict[str, Any]) -> dict[str, Any] | None:
    """The links to BG Stats, and a code for the phone of somebody else; too long names leave no room for one."""
    if not told["finished"]:
        return None
    links = history.handover(told["id"])
    try:
        code = segno.make(links["web"], error="l", micro=False, boost_error=False)
    except segno.DataOverflowError:
        return {**links, "code": None}
    drawn = code.svg_inline(scale=1, border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    return {**links, "code": drawn}


# --- files ------------------------------------------------------------------------------------


def _add_files(views: Blueprint, history: History) -> None:
    @views.get("/api/games.csv")
    def games_csv() -> ResponseReturnValue:
        return _file(history.games_csv(wanted_games(request.args)).encode(), "text/csv; charset=utf-8", "all-city.csv")

    @views.get("/api/games/<int:game_id>/game.json")
    def game_json(game_id: int) -> ResponseReturnValue:
        answer = jsonify(history.game_file(_known(game_id)))
        return _file(answer.data, "application/json", f"all-city-{game_id}.json")

    @views.get("/api/games/<int:game_id>/points.csv")
    def game_csv(game_id: int) -> ResponseReturnValue:
        rows = history.game_csv(_known(game_id)).encode()
        return _file(rows, "text/csv; charset=utf-8", f"all-city-{game_id}.csv")

    @views.get("/api/games/<int:game_id>/<any(wide, square):form>.png")
    def picture(game_id: int, form: str) -> ResponseReturnValue:
        told = history.game(_known(game_id))
        show_game(told["game"])
        facts = {"rounds": told["rounds"], "length": dates.length(told["minutes"]), "profile": told["profile"]}
        words = {
            "headline": _headline(told),
            "date": dates.day(told["started_at"]),
            "details": t("history.details", facts),
            "former": t("history.former"),
            **{part: t(f"category.{part}") for part in told["parts"][0]},
        }
        png = history.picture(told["id"], form, words)
        return Response(png, content_type="image/png")


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


# --- players ----------------------------------------------------------------------------------


def _add_players(views: Blueprint, history: History) -> None:
    @views.get("/players")
    def players() -> str:
        return render_template("players.html", players=history.players())

    @views.get("/players/<int:player_id>")
    def player(player_id: int) -> str:
        told = history.player(_known(player_id))
        scores = [one["score"] for one in told["form"]]
        played = [_in_words(one) for one in told["by_game"]]
        return render_template("player.html", player=told, played=played, columns=charts.columns(scores))

    @views.get("/api/players")
    def api_players() -> ResponseReturnValue:
        return jsonify(history.players())

    @views.get("/api/players/<int:player_id>")
    def api_player(player_id: int) -> ResponseReturnValue:
        return jsonify(history.player(_known(player_id)))

    @views.post("/api/players/<int:player_id>/rename")
    @needs_host
    def rename(player_id: int) -> ResponseReturnValue:
        sent = body(name=text(4 * LONGEST_TEXT), join=flag)
        return jsonify(id=history.rename(_known(player_id), clean_name(sent["name"]), sent["join"]))

    @views.post("/api/players/<int:player_id>/forget")
    @needs_host
    def forget(player_id: int) -> ResponseReturnValue:
        body()
        history.forget(_known(player_id))
        return jsonify({})


def _in_words(played: dict[str, Any]) -> dict[str, Any]:
    """What somebody made of one game, with the sentences of that game."""
    said = sentences(played["game"])
    shares = [*(played["parts"] or {}).values(), *(played["others"] or {}).values()]
    ranks = dict.fromkeys(rank for one in played["favourites"] for rank in one["ranks"] if f"rank.{rank}" in said)
    return {**played, "said": said, "most": max((abs(value) for value in shares), default=0), "ranks": list(ranks)}


# --- words ------------------------------------------------------------------------------------


def _number(value: float, digits: int = 0) -> str:
    return Text(language()).number(value, digits)


def _called(player: dict[str, Any]) -> str:
    return player["name"] if player["name"] is not None else t("history.former")


WORDS: Mapping[str, Callable[..., str]] = {
    "called": _called,
    "day": dates.day,
    "length": dates.length,
    "moment": dates.moment,
    "number": _number,
    "share": charts.share,
}
"""What templates may say."""
