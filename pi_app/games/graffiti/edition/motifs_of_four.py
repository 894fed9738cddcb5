"""Pictures of four parts."""

import math
from collections.abc import Iterator

from pi_app.games.graffiti.edition.motifs import (
    BLUE,
    CREAM,
    GREEN,
    GREY,
    INK,
    LILAC,
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
    eye,
)
from vision.kit.curves import mirrored, oval, path, ribbon, rounded, smooth
from vision.kit.sheet import polar, rectangle
from vision.layout import Point

MIDDLE = 52.0


def whale() -> Motif:
    return Motif(104, SKY, CREAM, tuple(_whale()))


def _whale() -> Iterator[Shape]:
    for points in (((27, 8), (25, 3), (19, 2.4)), ((28, 8), (28.6, 2.4), (28, 0.8)), ((29, 8), (32, 3), (38, 2.4))):
        yield Shape(ribbon(path(points), 1.6, 2.6), WHITE, 0.5, halo=False)
    fluke = (
        (88, 19),
        (90, 10),
        (83, 6),
        (81, 1.4),
        (91, 3),
        (94.6, 7.6),
        (98, 2.4),
        (103, 1.8),
        (102.4, 8),
        (97, 13),
        (96, 22),
    )
    yield Shape(smooth(fluke, 4), BLUE, 0.9)
    body = (
        (3, 24),
        (6, 14),
        (16, 8.4),
        (32, 7),
        (52, 10),
        (72, 17.6),
        (86, 19.6),
        (93, 15),
        (97, 20),
        (92, 31),
        (76, 39),
        (50, 43),
        (22, 42.6),
        (7, 36),
    )
    yield Shape(smooth(body), BLUE, 1.0)
    belly = ((3.4, 27), (14, 29), (34, 31), (52, 35), (66, 41), (50, 43), (22, 42.6), (7, 36))
    yield Shape(smooth(belly), CREAM, 0.7, halo=False)
    for n in range(5):
        yield Shape(
            ribbon(path(((5 + 2 * n, 29.6 + 2.6 * n), (26, 32 + 2.4 * n), (50 - 2 * n, 37 + 1.4 * n))), 0.5),
            GREY,
            0,
            halo=False,
        )
    yield Shape(ribbon(path(((3.2, 25.6), (12, 27.4), (22, 25.4), (26, 21))), 0.9), INK, 0, halo=False)
    yield from eye((26.6, 16), 2.7, (-0.5, 0.3))
    fin = ((44, 28), (56, 31), (62, 40), (57, 43), (47, 38))
    yield Shape(smooth(fin), NIGHT, 0.8, halo=False)
    for x, y, size in (
        (46, 15, 1.8),
        (54, 19, 1.3),
        (62, 18.4, 2.0),
        (68, 23, 1.2),
        (76, 23, 1.7),
        (84, 25, 1.1),
        (39, 13, 1.2),
    ):
        yield Shape(oval((x, y), size), SKY, 0, halo=False)
    wave = ((-4, 46), (-3, 41), (2, 38.6), (6, 41), (3.4, 41.6), (5, 43.4), (10, 46))
    for n in range(9):
        yield Shape(
            smooth([(13 * n + x, y) for x, y in wave]),
            TEAL,
            0.6,
            halo=False,
        )


def dragon() -> Motif:
    return Motif(104, NIGHT, RED, tuple(_dragon()))


def _dragon() -> Iterator[Shape]:
    spine = path(
        ((24, 15), (33, 9), (42, 13), (50, 27), (60, 34), (70, 27), (77, 15), (86, 11), (93, 17), (97, 27), (101, 22)),
        8,
    )
    yield Shape(
        smooth(((40, 16), (44, 1.6), (52, 6), (58, 0.8), (63, 7), (70, 2.4), (71, 13), (60, 24), (50, 27)), 4),
        VIOLET,
        0.9,
    )
    for end in ((44, 1.6), (58, 0.8), (70, 2.4)):
        yield Shape(ribbon(((50, 24), end), 1.3, 0.5), NIGHT, 0, halo=False)
    for n in range(6, len(spine) - 8, 5):
        (x, y), (u, v) = spine[n], spine[n + 3]
        reach = 7.4 / math.dist((x, y), (u, v))
        tip = ((x + u) / 2 + reach * (v - y), (y + v) / 2 - reach * (u - x))
        yield Shape(((x, y), tip, (u, v)), SUN, 0.5)
    yield Shape(ribbon(spine, 11, 3.2), GREEN, 0.9)
    under = [(x, y + 2.4 - 1.4 * n / len(spine)) for n, (x, y) in enumerate(spine)]
    yield Shape(ribbon(under, 3.6, 0.8), LIME, 0, halo=False)
    yield Shape(((99, 24.6), (103, 14.6), (94.6, 20)), SUN, 0.7)
    yield Shape(
        smooth(((12, 19), (5, 22), (1, 29), (5, 27), (3, 34), (8, 30), (8, 37), (12.6, 29), (17, 23)), 4), ORANGE, 0.7
    )
    yield Shape(smooth(((12, 20), (7, 24), (5.4, 28.6), (9, 26.4), (9.4, 30), (13.6, 23)), 4), SUN, 0, halo=False)
    yield Shape(((24, 9), (33, 0.8), (28.6, 12)), CREAM, 0.7)
    yield Shape(((19, 7.4), (25, 0.6), (24.4, 9)), CREAM, 0.7)
    head = (
        (30, 12),
        (27, 20),
        (20, 21.6),
        (10, 21),
        (6, 18.6),
        (13, 17),
        (4, 15.6),
        (3, 11),
        (8, 9),
        (16, 7),
        (25, 6.4),
    )
    yield Shape(smooth(head, 5), GREEN, 0.9)
    yield Shape(oval((5.4, 11.6), 0.8), INK, 0, halo=False)
    for x in (6.4, 9.4, 12.4):
        yield Shape(((x, 15.6), (x + 2, 16), (x + 0.8, 18.2)), WHITE, 0.3, halo=False)
    yield from eye((18.6, 11.4), 2.6, (-0.8, 0.3), SUN)
    yield Shape(ribbon(((14.4, 8), (21.6, 9)), 1.6, 0.6), INK, 0, halo=False)
    for x, y in ((36, 10), (44, 18), (52.4, 29), (62, 33), (71.4, 23), (79, 13.6), (88, 11.8)):
        yield Shape(oval((x, y), 1.2), TEAL, 0, halo=False)


def octopus() -> Motif:
    return Motif(104, TEAL, NIGHT, tuple(_octopus()))


ARMS: tuple[tuple[Point, ...], ...] = (
    ((44, 18), (34, 14), (26, 6), (18, 4), (14, 9), (18, 13), (21.6, 9.6)),
    ((42, 22), (32, 22.6), (24, 20.6), (12, 21), (5, 15), (4, 8), (9, 5.6)),
    ((44, 25), (36, 31), (28, 41), (18, 43.4), (12, 42.6)),
    ((48, 26), (46, 34), (49, 41), (43, 43)),
)


def _octopus() -> Iterator[Shape]:
    for x, y, size in (
        (6, 31, 1.6),
        (26, 30, 1.2),
        (30, 3.6, 1.4),
        (76, 5, 1.2),
        (99, 30, 1.6),
        (79, 29, 1.0),
        (26, 35, 0.8),
    ):
        yield Shape(oval((x, y), size), SKY, 0.5, halo=False)
    for number, points in enumerate(ARMS):
        arm = path(points, 8)
        cups = [arm[n] for n in range(8, len(arm) - 4, 4)]
        colour = PINK if number % 2 else RED
        yield Shape(ribbon(arm, 6.6, 1.8), colour, 0.8)
        yield Shape(mirrored(ribbon(arm, 6.6, 1.8), MIDDLE), colour, 0.8)
        for cup in (*cups, *mirrored(cups, MIDDLE)):
            yield Shape(oval((cup[0], cup[1] + 0.5), 0.95), CREAM, 0, halo=False)
    head = ((52, 1), (63, 3), (67.6, 12), (63.6, 21), (60, 27), (44, 27), (40.4, 21), (36.4, 12), (41, 3))
    yield Shape(smooth(head), PINK, 1.0)
    yield Shape(
        smooth(((43, 5.4), (48, 3), (49, 4.4), (44, 7.6), (41, 11), (40, 9.6)), 4), (250, 150, 200), 0, halo=False
    )
    yield from eye((45.6, 14.6), 3.5, (0.6, 0.5))
    yield from eye((58.4, 14.6), 3.5, (-0.6, 0.5))
    yield Shape(ribbon(path(((47, 21.6), (52, 24), (57, 21.6))), 1.1), INK, 0, halo=False)
    for spot in ((60.4, 6.4), (63.0, 9.4), (59.0, 9.0)):
        yield Shape(oval(spot, 0.9), RED, 0, halo=False)


def bird() -> Motif:
    return Motif(104, ORANGE, SUN, tuple(_bird()))


def _bird() -> Iterator[Shape]:
    rows = ((RED, 7, 46, 10.5), (BLUE, 6, 34, 8.0), (SKY, 5, 22, 6.4))
    for colour, count, reach, width in rows:
        for n in range(count):
            angle = 186 - 46 * n / (count - 1)
            shoulder = (47, 18)
            tip = polar(shoulder, reach * (0.82 + 0.18 * n / (count - 1)), angle + 8)
            tip = (tip[0], 1.6 + (tip[1] + 6) * 0.8) if tip[1] < 3 else tip
            mid = (shoulder[0] * 0.4 + tip[0] * 0.6, shoulder[1] * 0.4 + tip[1] * 0.6)
            feather = (
                *ribbon((shoulder, mid), 3.0, width * 0.5)[:2],
                tip,
                *ribbon((shoulder, mid), 3.0, width * 0.5)[2:],
            )
            yield Shape(smooth(feather, 4), colour, 0.7)
            yield Shape(mirrored(smooth(feather, 4), MIDDLE), colour, 0.7)
    for sign in (-1, 0, 1):
        yield Shape(
            smooth(((52, 26), (52 + 4 * sign - 2, 34), (52 + 7 * sign, 43.4), (52 + 4 * sign + 2, 34)), 4), RED, 0.7
        )
    yield Shape(smooth(((52, 8), (58.4, 14), (59, 24), (52, 33), (45, 24), (45.6, 14))), NIGHT, 0.9)
    yield Shape(smooth(((52, 16), (56, 20), (55, 27), (52, 31), (49, 27), (48, 20))), SUN, 0, halo=False)
    for x, y in ((49, 2.4), (52, 1.2), (55, 2.4)):
        yield Shape(smooth(((52, 8), (x - 1.2, y + 2), (x, y - 0.6), (x + 1.2, y + 2)), 4), PINK, 0.5)
    yield Shape(oval((52, 10.4), 6.4, 5.8), NIGHT, 0.9)
    yield from eye((49.2, 9.4), 2.0, (0.3, 0.2))
    yield from eye((54.8, 9.4), 2.0, (-0.3, 0.2))
    yield Shape(((50.2, 11.8), (53.8, 11.8), (52, 16)), SUN, 0.6, halo=False)


def train() -> Motif:
    return Motif(104, LILAC, PINK, tuple(_train()))


def _train() -> Iterator[Shape]:
    yield Shape(rectangle(-2, 41.6, 108, 1.4), STEEL, 0.4, halo=False)
    for x in (7, 20, 33, 46, 59, 72, 85, 96):
        yield Shape(oval((x, 39.6), 2.6), STEEL, 0.7)
    body = ((-3, 4), (84, 4), (95, 6), (101, 14), (103, 26), (103, 38.4), (-3, 38.4))
    yield Shape(body, CREAM, 1.0)
    yield Shape(((-3, 23.6), (102.6, 23.6), (103, 27), (103, 33), (-3, 33)), RED, 0.6, halo=False)
    yield Shape(rectangle(-3, 34, 106, 1.2), BLUE, 0, halo=False)
    yield Shape(((87.6, 8.4), (94.2, 9.4), (98.4, 15.4), (99.6, 21), (87.6, 21)), SKY, 0.7, halo=False)
    for n, x in enumerate((2, 15, 28, 41, 54, 67)):
        if n % 3 == 1:
            yield Shape(rectangle(x, 7.4, 11, 30.4), GREY, 0.6, halo=False)
            for dx in (0.9, 6.1):
                yield Shape(rounded(x + dx, 9, 4, 12, 1), SKY, 0.5, halo=False)
            yield Shape(ribbon(((x + 5.5, 7.4), (x + 5.5, 37.8)), 0.5), INK, 0, halo=False)
        else:
            yield Shape(rounded(x, 8.4, 11, 12.2, 1.6), SKY, 0.6, halo=False)
            yield Shape(ribbon(((x + 2, 18), (x + 7, 9.4)), 1.1), WHITE, 0, halo=False)
    yield Shape(rounded(80, 8.4, 4.4, 12.2, 1.4), SKY, 0.6, halo=False)
    for colour, y in ((PINK, 26), (SUN, 28.4), (LIME, 30.8)):
        wave = path([(x, y + (2.2 if n % 2 else -2.2)) for n, x in enumerate(range(-2, 100, 9))])
        yield Shape(ribbon(wave, 2.0), colour, 0.4, halo=False)
    yield Shape(oval((100, 29), 2.0), SUN, 0.6, halo=False)
    yield Shape(rectangle(-3, 2.2, 88, 2.6), STEEL, 0.6)


OF_FOUR = {"B": whale, "D": dragon, "G": octopus, "J": bird}
SPECIAL_OF_FOUR = {"G": train}
