"""Pictures of two parts."""

from collections.abc import Iterator

from pi_app.games.graffiti.edition.motifs import (
    BLUE,
    CREAM,
    GREEN,
    GREY,
    INK,
    LILAC,
    NIGHT,
    ORANGE,
    PINK,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    VIOLET,
    WHITE,
    Motif,
    Shape,
)
from vision.kit.curves import mirrored, oval, path, ribbon, rounded, smooth, star

MIDDLE = 26.0


def fox() -> Motif:
    return Motif(52, TEAL, NIGHT, tuple(_fox()))


def _fox() -> Iterator[Shape]:
    ear = ((5, 19), (5.5, 1.5), (21, 10))
    inner = ((8, 13), (8.2, 6), (15, 10))
    for points, colour in ((ear, ORANGE), (inner, INK)):
        yield Shape(points, colour)
        yield Shape(mirrored(points, MIDDLE), colour)
    head = (
        (26, 7),
        (37, 8.5),
        (47, 15),
        (50, 24),
        (43, 29),
        (35, 34),
        (26, 43),
        (17, 34),
        (9, 29),
        (2, 24),
        (5, 15),
        (15, 8.5),
    )
    yield Shape(smooth(head), ORANGE, 0.9)
    cheek = ((2.5, 24), (12, 21.5), (20, 24), (24, 30), (26, 42), (17, 34), (9, 29))
    yield Shape(smooth(cheek), CREAM, 0.5, halo=False)
    yield Shape(smooth(mirrored(cheek, MIDDLE)), CREAM, 0.5, halo=False)
    yield Shape(smooth(((26, 8), (30, 15), (26, 27), (22, 15))), SUN, 0, halo=False)
    lid = smooth(((10, 18.5), (14, 13.5), (21.5, 16.5), (20.5, 20.5), (14, 21)))
    for half in (lid, mirrored(lid, MIDDLE)):
        yield Shape(half, WHITE, 0.7, halo=False)
    for x in (16.6, 35.4):
        yield Shape(oval((x, 17.6), 2.1, 2.7), INK, 0, halo=False)
        yield Shape(oval((x + 0.6, 16.7), 0.7), WHITE, 0, halo=False)
    yield Shape(smooth(((22.6, 34), (26, 32.5), (29.4, 34), (26, 38.5))), INK, 0, halo=False)
    yield Shape(ribbon(path(((9, 12.5), (14, 10.8), (20, 13))), 1.4, 0.4), INK, 0, halo=False)
    yield Shape(mirrored(ribbon(path(((9, 12.5), (14, 10.8), (20, 13))), 1.4, 0.4), MIDDLE), INK, 0, halo=False)


def rocket() -> Motif:
    return Motif(52, NIGHT, VIOLET, tuple(_rocket()))


def _rocket() -> Iterator[Shape]:
    yield Shape(oval((8.5, 11), 6.2), LILAC)
    yield Shape(oval((6.8, 9.4), 1.4), VIOLET, 0, halo=False)
    yield Shape(oval((10.6, 13), 0.9), VIOLET, 0, halo=False)
    yield Shape(ribbon(path(((0.5, 14.5), (5, 13.6), (12, 10), (16.5, 7))), 1.5), SUN, 0.5, halo=False)
    for x, y, size in ((43, 7, 4.2), (48, 19, 2.2), (37, 16, 1.8), (3, 24, 2.0), (16, 3.4, 1.8)):
        yield Shape(star((x, y), size, size * 0.42), SUN, 0.5)
    flame = ((20, 28), (17.8, 35), (21, 34), (22.5, 41), (26, 37), (29.5, 41), (31, 34), (34.2, 35), (32, 28))
    yield Shape(smooth(flame, 4), ORANGE, 0.8)
    yield Shape(smooth(((22.6, 28), (22, 33), (26, 36.5), (30, 33), (29.4, 28))), SUN, 0, halo=False)
    fin = ((18.6, 17), (11, 26), (11.5, 32), (20, 28))
    yield Shape(smooth(fin, 4), RED, 0.8)
    yield Shape(smooth(mirrored(fin, MIDDLE), 4), RED, 0.8)
    body = ((26, 1.2), (32, 7.5), (34.6, 16), (33.6, 24), (31, 29.5), (21, 29.5), (18.4, 24), (17.4, 16), (20, 7.5))
    yield Shape(smooth(body), WHITE, 0.9)
    yield Shape(
        smooth(((26, 1.2), (30.4, 5.4), (32.4, 9.6), (26, 10.8), (19.6, 9.6), (21.6, 5.4))), RED, 0.7, halo=False
    )
    yield Shape(oval((26, 16.4), 4.6), STEEL, 0.7, halo=False)
    yield Shape(oval((26, 16.4), 3.3), SKY, 0.5, halo=False)
    yield Shape(oval((24.9, 15.3), 1.0), WHITE, 0, halo=False)
    yield Shape(rounded(18.8, 24.2, 14.4, 3.2, 1.4), GREY, 0.6, halo=False)


def crown() -> Motif:
    return Motif(52, PINK, VIOLET, tuple(_crown()))


def _crown() -> Iterator[Shape]:
    for drip in ((7.5, 41), (26.0, 43), (30.2, 37), (44.5, 40), (21.6, 36)):
        yield Shape((*oval(drip, 1.3)[:18], (drip[0] - 1.3, 25), (drip[0] + 1.3, 25)), SUN, 0.6)
    outline = ((3, 7), (13, 14.5), (17, 4), (26, 13), (35, 4), (39, 14.5), (49, 7), (46.5, 27.5), (5.5, 27.5))
    yield Shape(outline, SUN, 1.0)
    yield Shape(((5.2, 22.4), (46.8, 22.4), (46.2, 27.5), (5.8, 27.5)), ORANGE, 0.7, halo=False)
    for x, y, colour in ((3, 6.2, RED), (17, 3.6, SKY), (35, 3.6, SKY), (49, 6.2, RED)):
        yield Shape(oval((x, y), 2.4), colour, 0.7)
    for x, colour in ((12, GREEN), (26, RED), (40, BLUE)):
        yield Shape(
            ((x, 16.6), (x + 3, 19.4), (x, 22.2), (x - 3, 19.4)) if x != 26 else oval((x, 18.4), 3.1),
            colour,
            0.6,
            halo=False,
        )
        yield Shape(oval((x - 0.8, 18.3), 0.7), WHITE, 0, halo=False)
    for n in range(9):
        yield Shape(oval((8.4 + 4.4 * n, 25), 0.8), CREAM, 0, halo=False)


def skull() -> Motif:
    return Motif(52, RED, NIGHT, tuple(_skull()))


def _skull() -> Iterator[Shape]:
    head = (
        (26, 1.5),
        (37, 4),
        (42.5, 12),
        (41.5, 20.5),
        (36.5, 25.5),
        (34, 28.5),
        (18, 28.5),
        (15.5, 25.5),
        (10.5, 20.5),
        (9.5, 12),
        (15, 4),
    )
    bone = path(((2, 36), (15, 31), (37, 18), (50, 13)))
    for points in (ribbon(bone, 4.6), ribbon(mirrored(bone, MIDDLE), 4.6)):
        yield Shape(points, CREAM, 0.8)
    for x, y in ((2.6, 33.4), (3.6, 38), (49.4, 11), (48.8, 15.6), (49.4, 33.4), (48.4, 38), (2.6, 11), (3.2, 15.6)):
        yield Shape(oval((x, y), 2.7), CREAM, 0.7)
    yield Shape(smooth(head), WHITE, 0.9)
    for x in (18.6, 33.4):
        yield Shape(oval((x, 14.4), 5.2, 5.6), INK, 0, halo=False)
        yield Shape(star((x + 0.4, 14), 2.4, 1.0), SUN, 0, halo=False)
    yield Shape(((26, 18.4), (28.4, 23), (23.6, 23)), INK, 0.4, halo=False)
    yield Shape(rounded(19, 26.5, 14, 8.5, 2.4), WHITE, 0.8)
    for x in (22.4, 26, 29.6):
        yield Shape(ribbon(((x, 26.8), (x, 34.6)), 0.8), INK, 0, halo=False)


OF_TWO = {"A": fox, "E": rocket, "H": crown}
SPECIAL_OF_TWO = {"E": skull}
