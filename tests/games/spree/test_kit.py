"""The kit has a place for all that a camera is expected to see."""

from pathlib import Path

from pi_app.engine.kinds import EMPTY, OTHER, pieces_of
from pi_app.games.spree.edition.kit import kit_of
from pi_app.games.spree.edition.words import SEATS
from tests.games.spree.golden import a_game
from tests.games.spree.helpers import EDITION, GAME, a_setup, having
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
