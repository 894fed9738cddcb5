"""Who may ask the table for what. Hosts may everything; a seat what concerns it; others only look."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any

from web.people import Refused, Who


class For(Enum):
    """Whom a command is for, besides the host."""

    SEATS = auto()
    """Whoever has a seat."""
    CONCERNED = auto()
    """The seat whose board is asked about; every seat where the board is everybody's."""
    TO_ACT = auto()
    """The seats whose turn it is."""
    MOVER = auto()
    """The seat whose own choice the move is, or whose hands rolled or turned over what luck brought."""
    HOST = auto()
    """Nobody else."""


COMMANDS: Mapping[str, For] = {
    "continue": For.SEATS,
    "reread": For.SEATS,
    "restore": For.SEATS,
    "ask_undo": For.SEATS,
    "grant_undo": For.SEATS,
    "refuse_undo": For.SEATS,
    "report": For.SEATS,
    "answer": For.CONCERNED,
    "deny": For.CONCERNED,
    "do": For.MOVER,
    "new_game": For.HOST,
    "undo": For.HOST,
    "redo": For.HOST,
    "correct": For.HOST,
    "adopt": For.HOST,
    "pause": For.HOST,
    "resume": For.HOST,
    "put_away": For.HOST,
    "free_seat": For.HOST,
    "open_joining": For.HOST,
    "clear_reports": For.HOST,
}
BUTTONS = ("confirm", "next")
"""Commands that mean what the table offers at the moment."""

Mover = Callable[[Mapping[str, Any]], int | None]
"""Which seat may enter a move."""


def check(who: Who, command: str, args: Mapping[str, Any], shown: Mapping[str, Any], mover: Mover) -> None:
    """`shown` is the table as it was last published. Raises Refused."""
    if command not in (*COMMANDS, *BUTTONS):
        raise Refused("table.unknown_command", command=command[:40])
    if who.host:
        return
    if who.seat is None:
        raise Refused("people.token_needed")
    needed = _pressed(command, shown) if command in BUTTONS else COMMANDS[command]
    if command == "continue" and _is_played(shown):
        needed = For.HOST  # another game than the one on the table
    if needed is For.HOST:
        raise Refused("people.host_only")
    if not _may(who.seat, needed, args, shown, mover):
        raise Refused("people.not_yours")


def _is_played(shown: Mapping[str, Any]) -> bool:
    return shown.get("game") is not None and shown["result"] is None


def _pressed(button: str, shown: Mapping[str, Any]) -> For:
    """Whom a button is for depends on what it does now."""
    if shown.get("game") is None:
        return COMMANDS["continue" if button == "confirm" and shown.get("continue") else "new_game"]
    if shown.get("question") is not None:
        return COMMANDS["answer"]
    if any(told["state"] == "mismatch" for told in shown.get("boards", {}).values()):
        return COMMANDS["reread"]
    return For.TO_ACT


def _may(seat: int, needed: For, args: Mapping[str, Any], shown: Mapping[str, Any], mover: Mover) -> bool:
    question = shown.get("question")
    match needed:
        case For.CONCERNED:
            others = [one["id"] for one in shown.get("surfaces", ()) if one["owner"] not in (None, seat)]
            if question is not None and question["alone"] is not None:
                return bool(question["alone"] == seat)
            return question is None or question["board"] not in others
        case For.TO_ACT:
            return seat in shown["to_act"]["must"]
        case For.MOVER:
            event = args.get("event")
            return isinstance(event, dict) and mover(event) == seat
        case _:
            return True
