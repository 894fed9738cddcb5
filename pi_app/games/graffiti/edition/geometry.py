"""Measured geometry: where things are on the boards of a copy that somebody owns.

The optional `[geometry]` part of a profile: every region of the tunnel and of the action boards by its name, or an
even row of them by the first and the last. The sheets of the seats are ours unless they are measured too.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pi_app.engine.checks import check_areas, check_keys, check_measured, measured_size
from pi_app.engine.contract import Problem
from pi_app.games.graffiti.edition.places import actions_layout, seat_layout, tunnel_layout
from vision.kit.measured import Measured, flat

NEEDED, OPTIONAL = ("tunnel", "actions"), ("seat",)
MOST_BOARD_MM = 1_000


def check_geometry(geometry: Any, profile: Mapping[str, Any]) -> Iterator[Problem]:
    """Of a profile that is right in all else: its regions follow from it."""
    if not isinstance(geometry, Mapping):
        yield Problem("geometry", "not_a_table")
        return
    yield from check_keys("geometry", geometry, NEEDED, OPTIONAL)
    for name in (name for name in (*NEEDED, *OPTIONAL) if name in geometry):
        where, part = f"geometry.{name}", geometry[name]
        if not isinstance(part, Mapping):
            yield Problem(where, "not_a_table")
            continue
        yield from check_measured(where, part, ["series"], MOST_BOARD_MM)
        wanted = region_ids(name, profile)
        board, size = _read_board(part, wanted), measured_size(part, MOST_BOARD_MM)
        yield from check_areas(where, board.faults(wanted, size, _may_share), board.markers_in_order)


def measured_boards(profile: Mapping[str, Any]) -> dict[str, dict[str, Any]] | None:
    """The boards that were measured, of a checked profile; None if nobody measured any, so that we print our own."""
    if "geometry" not in profile:
        return None
    ids = {name: region_ids(name, profile) for name in profile["geometry"]}
    return {name: _read_board(part, ids[name]).board(part, ids[name]) for name, part in profile["geometry"].items()}


def region_ids(board: str, profile: Mapping[str, Any]) -> list[str]:
    """Those of our own print."""
    if board == "seat":
        return list(seat_layout(0, 0).regions)
    layout = tunnel_layout if board == "tunnel" else actions_layout
    return list(layout(profile, 0).regions)


def _read_board(part: Mapping[str, Any], wanted: list[str]) -> Measured:
    """What is entered singly goes before rows."""
    board = Measured()
    for family, ends in flat(part.get("series")):
        members = [region for region in wanted if _family(region) == family]
        if members:
            board.read_series(family, ends, members)
        else:
            board.unknown.append(f"series {family}")
    board.read_singles(part, wanted)
    return board


def _family(region: str) -> str:
    """`part.B` for `part.B4`, `stock` for `stock.3`, `can.2` for `can.2.1`."""
    name, _, last = region.rpartition(".")
    return f"{name}.{last[0]}" if name in ("part", "tag") else name


def _may_share(region: str, other: str) -> bool:
    """A tag lies on its part."""
    kinds = {name.partition(".")[0] for name in (region, other)}
    return kinds == {"part", "tag"} and region.partition(".")[2] == other.partition(".")[2]
