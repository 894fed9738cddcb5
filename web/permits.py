"""Who may ask the table for what. Hosts may everything; a seat what concerns its own board; others nothing."""

from collections.abc import Mapping
from typing import Any

from web.people import Refused, Who

SEATED = (
    *("continue", "reread", "restore", "answer", "confirm", "next", "do"),
    *("ask_undo", "grant_undo", "refuse_undo", "report"),
)
HOST_ONLY = (
    *("new_game", "undo", "redo", "correct", "adopt", "pause", "resume", "put_away"),
    *("free_seat", "open_joining", "clear_reports"),
)
COMMANDS = (*SEATED, *HOST_ONLY)


def check(who: Who, command: str, args: Mapping[str, Any], shown: Mapping[str, Any]) -> None:
    """`shown` is the table as it was last published. Raises Refused."""
    if command not in COMMANDS:
        raise Refused("table.unknown_command", command=command[:40])
    if who.host:
        return
    if who.seat is None:
        raise Refused("people.token_needed")
    if command in HOST_ONLY:
        raise Refused("people.host_only")
    if command in ("answer", "confirm", "next") and not _concerns(who.seat, shown):
        raise Refused("people.not_yours")
    if command == "do" and not _is_own_move(who.seat, args):
        raise Refused("people.not_yours")


def _concerns(seat: int, shown: Mapping[str, Any]) -> bool:
    """What is asked now is this seat's matter, or everybody's."""
    question, game = shown.get("question"), shown.get("game")
    if question is not None:
        own = next((b["board"] for b in game["boards"] if b["seat"] == seat), None) if game else None
        return question["board"] in (own, "hq")
    return game is None or seat in game["to_act"] or bool(shown.get("restore"))


def _is_own_move(seat: int, args: Mapping[str, Any]) -> bool:
    event = args.get("event")
    return isinstance(event, dict) and type(event.get("player")) is int and event["player"] == seat
