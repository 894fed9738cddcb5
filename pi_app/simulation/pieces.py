"""Loose pieces of the simulated table for a person at a screen: what lies where, what may, and hands to lay it."""

from collections.abc import Mapping, Sequence
from typing import Any

from hardware.sim.state import Place, SimPiece
from hardware.sim.table import PieceFace, SimTable
from pi_app.engine.contract import Surface
from pi_app.simulation.hands import Hands
from pi_app.simulation.renderer import SimRenderer
from vision.catalogue import Catalogue
from vision.layout import Layout


def lying(sim: SimTable, at: Place) -> list[PieceFace]:
    """The pieces on a region."""
    return [(piece.kind, piece.face) for piece in sim.state.pieces if piece.at == at]


def lay(sim: SimTable, layout: Layout, wanted: Mapping[Place, Sequence[PieceFace]]) -> None:
    """Brings regions to these pieces, with a hand that is seen there for a moment.

    Raises ValueError, and leaves all as it is, if something may not lie there, or not so much of it.
    """
    for (board, region), pieces in wanted.items():
        held = {kind.id: kind.shown for kind in layout.catalogue.held(board, region)}
        if not all(face in held.get(piece, ()) for piece, face in pieces):
            raise ValueError(f"that cannot lie on {board} {region}")
        if not held or len(pieces) > layout.catalogue.most(board, region):
            raise ValueError(f"not so much can lie on {board} {region}")
    hands = Hands(sim, layout, ())
    for (board, region), pieces in wanted.items():
        hands.lay(board, region, pieces)
        sim.brush(board, region)


def told_kinds(catalogue: Catalogue) -> dict[str, Any]:
    """How large each piece is; of its faces, what is said of it when they are up, that first which is usually laid."""
    return {
        kind.id: {
            "width_mm": kind.size_mm[0],
            "height_mm": kind.size_mm[1],
            "faces": [{"face": face, "told": kind.told(face)} for face in kind.shown],
        }
        for kind in catalogue.kinds.values()
    }


def told_piece(renderer: SimRenderer, piece: SimPiece) -> dict[str, Any]:
    """A piece that lies on a board, and where the middle of it is."""
    x, y = renderer.middle_of(piece)
    return {
        "piece": piece.kind,
        "face": piece.face,
        "region": piece.at[1],
        "x_mm": round(x, 1),
        "y_mm": round(y, 1),
        "turn_deg": round(piece.turn_deg, 1),
    }


def told_place(layout: Layout, surface: Surface, region: str) -> dict[str, Any]:
    """Which pieces may lie on a region and how many at once, and of which regions it is one that count as one."""
    held = [kind.id for kind in layout.catalogue.held(surface.id, region)]
    pool = next((name for name, members in surface.pools.items() if region in members), None)
    return {"holds": held, "most": layout.catalogue.most(surface.id, region) if held else 0, "pool": pool}
