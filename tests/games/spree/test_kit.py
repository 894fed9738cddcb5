"""The kit has a place for all that a camera is expected to see."""

from pathlib import Path

import numpy as np

from pi_app.engine.kinds import EMPTY, OTHER, pieces_of
from pi_app.games.spree.edition.kit import CARD_MM, kit_of
from pi_app.games.spree.edition.signs import seat_sign
from pi_app.games.spree.edition.words import SEATS
from tests.games.spree.golden import a_game
from tests.games.spree.helpers import EDITION, GAME, a_setup, having
from vision.kit.kit import MARGIN_MM, PAPERS_MM
from vision.layout import layout_json, parse_layout

KIT = kit_of(EDITION)


def test_the_layout_can_be_read_back() -> None:
    layout = parse_layout(layout_json(KIT.layout), Path())
    assert [board.id for board in layout.boards] == ["mall", "till", *(f"cart-{n}" for n in range(1, 9))]
    assert len(layout.catalogue.kinds) == 3 * len(SEATS) + 53  # and every card of a pack


def test_every_place_that_is_watched_is_printed() -> None:
    state = a_game(8, seed=1, target=20).state
    for surface in GAME.surfaces(a_setup(8)):
        board = KIT.layout.board(surface.id)
        regions = {r for region in GAME.expected_sight(state, surface.id) for r in surface.pools.get(region, (region,))}
        assert regions == set(board.regions)


def test_every_piece_that_is_expected_is_printed() -> None:
    state = having(a_game(8, seed=1, target=20).state, 0, lying=True)
    kinds = {k for k in GAME.expected_sight(state, "mall").values() if k not in (EMPTY, OTHER)}
    assert {piece for kind in kinds for piece in pieces_of(kind)} <= set(KIT.layout.catalogue.kinds)


def test_the_mall_is_as_large_as_it_says_with_room_for_markers() -> None:
    mall = KIT.layout.board("mall")
    (left, top), (right, _), (_, bottom), _ = mall.regions["A1"]
    assert (right - left, bottom - top) == (35, 35)
    assert (mall.width_mm, mall.height_mm) == (594, 419)
    assert left >= 30
    assert top >= 30


def test_till_and_carts_fit_one_sheet_of_either_paper() -> None:
    room = [min(paper[axis] for paper in PAPERS_MM.values()) - 2 * MARGIN_MM for axis in (0, 1)]
    for board in KIT.layout.boards[1:]:
        assert board.width_mm <= room[0]
        assert board.height_mm <= room[1]


def test_no_card_on_its_place_covers_a_marker() -> None:
    """A board whose markers lie under cards would not be found."""
    for board in KIT.layout.boards[1:]:
        for region in board.read_by("cards"):
            left, top = board.regions[region][0]
            for (x, y), _, (right, bottom), _ in board.markers.values():
                across = left < right and x < left + CARD_MM[0]
                down = top < bottom and y < top + CARD_MM[1]
                assert not (across and down), (board.id, region)


def test_every_seat_has_a_shape_of_its_own() -> None:
    """For who cannot tell the colours apart, and in grey."""
    signs = {tuple(seat_sign(colour, (0.0, 0.0), 10.0)) for colour in SEATS}
    assert len(signs) == len(SEATS)


def test_standing_and_lying_differ_in_grey() -> None:
    atlas = KIT.atlas
    assert atlas is not None
    grey = np.array(atlas.draw().convert("L"))
    scale = grey.shape[1] / atlas.size_mm[0]
    for colour in SEATS:
        boxes = [KIT.layout.catalogue.kinds[f"{name}.{colour}"].faces["up"] for name in ("thief", "lying")]
        standing, lying = (int(grey[round((y + 1.5) * scale), round((x + 5.0) * scale)]) for x, y, _, _ in boxes)
        assert lying - standing > 30, colour
