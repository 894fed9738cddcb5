"""Pictures of three parts."""

from collections.abc import Iterator

from pi_app.games.graffiti.edition.motifs import (
    BLUE,
    CREAM,
    GREEN,
    GREY,
    INK,
    LIME,
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
from vision.kit.sheet import polar, rectangle

MIDDLE = 39.0


def boom_box() -> Motif:
    return Motif(78, SUN, ORANGE, tuple(_boom_box()))


def _boom_box() -> Iterator[Shape]:
    """The tags of the outer parts are the cones of its speakers."""
    yield Shape(ribbon(path(((14, 12), (14.5, 3.4), (22, 2.2), (56, 2.2), (63.5, 3.4), (64, 12))), 2.8), STEEL, 0.7)
    yield Shape(ribbon(((66, 10), (75, 1.4)), 0.9), GREY, 0.5)
    yield Shape(rounded(1.6, 9.5, 74.8, 33.5, 4.5), NIGHT, 1.0)
    yield Shape(rounded(3.6, 11.5, 70.8, 6.4, 2), STEEL, 0.5, halo=False)
    for n, colour in enumerate((RED, SUN, LIME, SKY, PINK)):
        yield Shape(rounded(6 + 5.4 * n, 12.7, 4, 3.8, 1), colour, 0.4, halo=False)
    yield Shape(rounded(36, 12.7, 25, 4, 1.2), CREAM, 0.4, halo=False)
    for n in range(8):
        yield Shape(ribbon(((38 + 3 * n, 13.2), (38 + 3 * n, 14.8 if n % 2 else 16.2)), 0.5), INK, 0, halo=False)
    yield Shape(ribbon(((52, 12.9), (52, 16.5)), 1.0), RED, 0, halo=False)
    yield Shape(oval((68.5, 14.7), 2.4), SUN, 0.4, halo=False)
    for x in (13.0, 65.0):
        for radius, colour in ((11.4, STEEL), (10.2, PINK if x < 40 else TEAL)):
            yield Shape(oval((x, 31), radius), colour, 0.6, halo=False)
    yield Shape(rounded(26.4, 20, 25.2, 13, 1.8), CREAM, 0.6, halo=False)
    yield Shape(rounded(28.4, 21.6, 21.2, 6, 1), ORANGE, 0.4, halo=False)
    for x in (33.6, 44.4):
        yield Shape(oval((x, 24.6), 2.2), WHITE, 0.5, halo=False)
        yield Shape(star((x, 24.6), 1.4, 0.7, 6), INK, 0, halo=False)
    for n, tall in enumerate((3, 5, 7, 4, 6, 3)):
        yield Shape(rectangle(27.6 + 4 * n, 41.4 - tall, 2.6, tall), LIME, 0, halo=False)


def cat() -> Motif:
    return Motif(78, VIOLET, PINK, tuple(_cat()))


def _cat() -> Iterator[Shape]:
    tail = path(((60, 34), (70, 33), (75, 24), (70, 15), (63.5, 12), (64, 6), (69.5, 6.5)))
    yield Shape(ribbon(tail, 6.6, 4.2), ORANGE, 0.8)
    yield Shape(oval((69.8, 6.6), 2.3), CREAM, 0.6)
    body = ((16, 16), (30, 10.5), (45, 9), (58, 14), (66, 26), (66.5, 41), (40, 43), (12, 42), (8, 30))
    yield Shape(smooth(body), ORANGE, 0.9)
    for points in (
        ((37, 9.4), (40, 16), (38.6, 21)),
        ((45, 9), (47.6, 16), (45.8, 21)),
        ((53, 11.4), (55, 18), (52.6, 23)),
    ):
        yield Shape(ribbon(path(points), 2.6, 0.6), RED, 0, halo=False)
    ear = ((4.2, 14), (4, 1.6), (14, 6.6))
    inner = ((6.4, 10), (6.4, 5.2), (10.8, 7.4))
    for half, colour in ((ear, ORANGE), (inner, PINK)):
        yield Shape(half, colour, 0.8)
        yield Shape(mirrored(half, 16), colour, 0.8)
    head = ((16, 5.4), (24, 7), (29.6, 14), (27.6, 21), (16, 24.6), (4.4, 21), (2.4, 14), (8, 7))
    yield Shape(smooth(head), ORANGE, 0.9)
    yield Shape(smooth(((16, 17), (22, 18), (22.4, 22.4), (16, 24), (9.6, 22.4), (10, 18))), CREAM, 0, halo=False)
    for x in (10.6, 21.4):
        yield Shape(oval((x, 13.4), 3.2, 3.6), LIME, 0.6, halo=False)
        yield Shape(oval((x, 13.4), 1.0, 3.0), INK, 0, halo=False)
    yield Shape(((14.4, 17.6), (17.6, 17.6), (16, 19.6)), PINK, 0.4, halo=False)
    for y, end in ((18.6, 17.4), (20, 20.4)):
        for sign in (-1, 1):
            yield Shape(ribbon(((16 + sign * 6, y), (16 + sign * 13.6, end)), 0.6, 0.2), INK, 0, halo=False)
    for n in range(3):
        yield Shape(ribbon(path(((14.2 + 1.8 * n, 6), (14.2 + 1.8 * n, 9.4))), 0.9, 0.3), RED, 0, halo=False)
    yield Shape(rounded(22.6, 37, 12, 6, 2.8), CREAM, 0.7, halo=False)
    yield Shape(rounded(46, 37, 12, 6, 2.8), CREAM, 0.7, halo=False)


def robot() -> Motif:
    return Motif(78, BLUE, SKY, tuple(_robot()))


def _robot() -> Iterator[Shape]:
    arm = path(((26, 30), (24, 22), (14, 22.5), (10, 16)))
    hand = (
        (10, 16),
        (4.6, 12.6),
        (3.4, 6.6),
        (6.6, 2.6),
        (7.4, 8.6),
        (10, 10),
        (12.6, 8.6),
        (13.4, 2.6),
        (16.6, 6.6),
        (15.4, 12.6),
    )
    for points, colour in ((ribbon(arm, 4.4), GREY), (smooth(hand, 3), RED)):
        yield Shape(points, colour, 0.8)
        yield Shape(mirrored(points, MIDDLE), colour, 0.8)
    for x, y in ((24.4, 23.4), (17.6, 22)):
        for place in (x, 2 * MIDDLE - x):
            yield Shape(oval((place, y), 2.8), SUN, 0.6, halo=False)
    yield Shape(ribbon(((MIDDLE, 5), (MIDDLE, 1.6)), 1.2), GREY, 0.5)
    yield Shape(oval((MIDDLE, 1.9), 1.5), RED, 0.5)
    yield Shape(rounded(24.5, 24, 29, 19, 4), TEAL, 0.9)
    yield Shape(rounded(27, 3.6, 24, 17.4, 3.6), GREY, 0.9)
    yield Shape(rounded(33, 21, 12, 3, 0.6), STEEL, 0.6)
    yield Shape(rounded(29.4, 6.4, 19.2, 8, 3.4), NIGHT, 0.6, halo=False)
    for x in (34.4, 43.6):
        yield Shape(oval((x, 10.4), 2.7), LIME, 0.4, halo=False)
        yield Shape(oval((x + 0.8, 9.6), 0.9), WHITE, 0, halo=False)
    yield Shape(rounded(32, 16.4, 14, 2.8, 0.8), CREAM, 0.5, halo=False)
    for n in range(1, 5):
        yield Shape(ribbon(((32 + 2.8 * n, 16.6), (32 + 2.8 * n, 19)), 0.5), INK, 0, halo=False)
    for x in (25.6, 52.4):
        yield Shape(rounded(x - 1.6, 9, 3.2, 6, 1), SUN, 0.6)


def open_eye() -> Motif:
    return Motif(78, GREEN, LIME, tuple(_open_eye()))


def _open_eye() -> Iterator[Shape]:
    for n in range(7):
        angle = -152 + 20.6 * n
        begin, end = polar((MIDDLE, 30), 24, angle), polar((MIDDLE, 28), 27.4, angle)
        x = MIDDLE + (begin[0] - MIDDLE) * 1.36
        yield Shape(ribbon(((x, begin[1] + 3), (MIDDLE + (end[0] - MIDDLE) * 1.5, end[1])), 4.0, 0.8), NIGHT, 0.5)
    lids = ((2, 20), (14, 10), (MIDDLE, 5.4), (64, 10), (76, 20), (64, 31), (MIDDLE, 36), (14, 31))
    yield Shape(smooth(lids), WHITE, 1.1)
    for sign in (-1, 1):
        for dy in (-3, 0, 3):
            yield Shape(
                ribbon(path(((MIDDLE + sign * 33, 20 + dy / 2), (MIDDLE + sign * 24, 20 + 1.4 * dy))), 0.6, 0.2),
                RED,
                0,
                halo=False,
            )
    yield Shape(oval((MIDDLE, 19.4), 13.4), VIOLET, 0.8, halo=False)
    yield Shape(star((MIDDLE, 19.4), 12.6, 7.6, 18), PINK, 0, halo=False)
    yield Shape(oval((MIDDLE, 19.4), 6.6), INK, 0, halo=False)
    yield Shape(oval((MIDDLE + 4.6, 14.6), 3.0), WHITE, 0, halo=False)
    yield Shape(oval((MIDDLE - 4.4, 22.6), 1.4), WHITE, 0, halo=False)
    yield Shape(smooth(((4, 21), (9, 24), (7, 38), (4, 41.5), (1.4, 37))), SKY, 0.6)
    yield Shape(ribbon(path(((4, 12), (18, 4), (MIDDLE, 1.4), (60, 4), (74, 12))), 2.2, 2.2), NIGHT, 0, halo=False)


OF_THREE = {"C": boom_box, "F": cat, "I": robot}
SPECIAL_OF_THREE = {"C": open_eye}
