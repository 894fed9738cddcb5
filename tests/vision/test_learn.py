"""Pieces of any make, learned from one picture of them."""

from dataclasses import replace

from tests.vision.loose import EMPTY, frame_of, kit, on, told, with_pieces
from vision.catalogue import look_json
from vision.layout import Layout, layout_json, parse_layout
from vision.learn import learn_pieces
from vision.read import Reader

POSTS = {"stock.1": "red", "stock.2": "blue", "stock.3": "green", "stock.4": "yellow"}
SHOWN = with_pieces(*(on(region, kind, material="wood") for region, kind in POSTS.items()))


def learned_layout() -> Layout:
    """The kit with nothing but looks for its posts."""
    layout = kit()[0]
    sheet = replace(layout, boards=layout.boards[:1])
    data = layout_json(layout)
    for region, piece in learn_pieces(frame_of(SHOWN), sheet).items():
        if region in POSTS:
            data["pieces"]["kinds"][POSTS[region]] |= {"colour": None, "look": look_json(piece.look)}
    return parse_layout(data, layout.folder)


def test_every_piece_on_the_sheet_is_learned_with_its_size() -> None:
    layout = kit()[0]
    learned = learn_pieces(frame_of(SHOWN), replace(layout, boards=layout.boards[:1]))
    assert POSTS.keys() <= learned.keys()
    assert all(14 < learned[region].width_mm < 26 for region in POSTS)
    red, blue = learned["stock.1"].look.mean, learned["stock.2"].look.mean
    assert red[2] > red[0] + 0.5
    assert blue[0] > blue[2] + 0.5
    assert "stock.5" not in learned


def test_learned_pieces_are_read_by_their_looks() -> None:
    reader = Reader(learned_layout())
    reader.take_reference(frame_of(EMPTY))
    scene = with_pieces(on("ring.1", "red", off_mm=(-9, 0)), on("ring.1", "blue", off_mm=(9, 0)), on("ring.4", "green"))
    assert told(reader.read(frame_of(scene))) == {"ring.1": "blue red", "ring.4": "green"}
