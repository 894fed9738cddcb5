"""Draws `wiring.svg` from the very numbers that the program uses: `python -m hardware.wiring` writes it anew."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from firmware import pins as pico
from hardware.settings import ButtonsSettings, LightsSettings, SoundSettings, StatusLightSettings

PICTURE = Path(__file__).parent / "wiring.svg"
WIDTH, HEIGHT = 1780, 1130

# Where each GPIO comes out on the 40-pin header of a Pi.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip

PAPER, INK, SOFT, CARD, BOARD, PICO = "#fbfaf6", "#23262b", "#6b7280", "#ffffff", "#dcefe2", "#d9e8f5"
GND, FIVE = "#30343a", "#d43c3c"
COLOURS = {"confirm": "#259a55", "undo": "#e0841a", "next": "#2b6fd6", "sound": "#8a4fc7", "data": "#c79a00"}

Point = tuple[float, float]


def pico_header(gpio: int) -> int:
    """Where GP0 to GP15 come out on a Pico: after two pins, and then after every four, there is a ground."""
    assert gpio < 16, "the drawing shows one side of the Pico"
    return gpio + 1 + (gpio + 2) // 4


def text(at: Point, words: str, size: int = 15, anchor: str = "start", colour: str = INK, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def box(at: Point, size: Point, fill: str, edge: str = INK, radius: float = 10, width: float = 2) -> str:
    return (
        f'<rect x="{at[0]:g}" y="{at[1]:g}" width="{size[0]:g}" height="{size[1]:g}" rx="{radius:g}" '
        f'fill="{fill}" stroke="{edge}" stroke-width="{width:g}"/>'
    )


def dot(at: Point, radius: float, fill: str, edge: str = INK, width: float = 1.5) -> str:
    return (
        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="{width:g}"/>'
    )


def wire(points: Sequence[Point], colour: str, name: str = "", width: float = 4) -> str:
    way = " ".join(f"{x:g},{y:g}" for x, y in points)
    label = f' data-wire="{name}"' if name else ""
    return (
        f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linejoin="round" stroke-linecap="round"{label}/>'
    )


def resistor(middle: Point, label: str, upright: bool = False) -> Iterable[str]:
    x, y = middle
    size = (16, 46) if upright else (46, 16)
    yield box((x - size[0] / 2, y - size[1] / 2), size, "#f4e3c1", "#8a6d3b", 4)
    if label:
        at, anchor = ((x - 16, y + 5), "end") if upright else ((x, y - 13), "middle")
        yield text(at, label, 13, anchor, SOFT)


# --- the Raspberry Pi and what hangs on it --------------------------------------------------------

ODD_X, EVEN_X, TOP_Y, ROW = 535.0, 567.0, 268.0, 36.0


def pin_at(number: int) -> Point:
    """The middle of a pin of the header, counted along it."""
    return (ODD_X if number % 2 else EVEN_X), TOP_Y + ROW * ((number - 1) // 2)


def pi_board(used: dict[int, tuple[str, str]]) -> Iterable[str]:
    """The board with its header; `used` pins have a name and a colour."""
    yield box((370, 150), (362, 860), BOARD, "#7fae8f", 22)
    yield text((551, 186), "Raspberry Pi", 22, "middle", bold=True)
    yield text((551, 208), "5, 4, 3B+ or Zero 2 W", 14, "middle", SOFT)
    yield box((512, 240), (78, 736), "#33373d", "#33373d", 8)
    for number in range(1, 41):
        name, colour = used.get(number, ("", "#e7e3d6"))
        x, y = pin_at(number)
        yield dot((x, y), 12, colour, "#16181b")
        yield text((x, y + 4), str(number), 11, "middle", "#ffffff" if name else INK, bold=bool(name))
        if name:
            at, anchor = ((504, y - 7), "end") if number % 2 else ((598, y - 7), "start")
            yield text(at, name, 14, anchor, bold=True)
    yield box((612, 968), (96, 60), "#c9ccd1", "#8c9097", 6)
    yield text((660, 1004), "USB", 15, "middle")


def camera() -> Iterable[str]:
    yield box((400, 252), (60, 24), "#f5f2e8", "#8c8472", 4)
    yield wire([(430, 252), (430, 232), (250, 232), (250, 262)], "#e9dfc4", "camera", 22)
    yield wire([(430, 252), (430, 232), (250, 232), (250, 262)], "#b8ab86", width=2)
    yield box((190, 262), (120, 96), "#2f7d57", "#1d5239", 8)
    yield dot((250, 310), 30, "#1b1d20", "#0c0d0e", 3)
    yield dot((250, 310), 14, "#3d5a80", "#0c0d0e", 2)
    yield text((250, 384), "Camera Module 3", 17, "middle", bold=True)
    yield text((250, 404), "ribbon to CAM/DISP 0,", 13, "middle", SOFT)
    yield text((250, 421), "or a USB webcam instead", 13, "middle", SOFT)


BUTTON_Y = {"confirm": 490.0, "undo": 620.0, "next": 750.0}
LANES_X = {"confirm": 340.0, "undo": 312.0, "next": 284.0}


def pi_buttons(settings: ButtonsSettings) -> Iterable[str]:
    ground_x, left, right = 96.0, 140.0, 232.0
    ground = pin_at(39)
    yield wire(
        [(ground_x, BUTTON_Y["confirm"]), (ground_x, ground[1]), (ground[0] - 12, ground[1])], GND, "ground.buttons"
    )
    for name, gpio in settings.pins.items():
        (x, y), at, lane = pin_at(HEADER[gpio]), BUTTON_Y[name], LANES_X[name]
        yield wire([(x - 12, y), (lane, y), (lane, at), (right, at)], COLOURS[name], f"buttons.{name}_pin")
        yield wire([(left, at), (ground_x, at)], GND)
        yield dot((ground_x, at), 5, GND, GND)
        yield box((left, at - 38), (right - left, 76), "#3b3f45", "#16181b", 12)
        yield dot(((left + right) / 2, at), 25, COLOURS[name], "#16181b", 3)
        yield text(((left + right) / 2, at + 58), name, 17, "middle", bold=True)


def pi_sound(settings: SoundSettings) -> Iterable[str]:
    (x, y), (gx, gy) = pin_at(HEADER[settings.pin]), pin_at(30)
    yield wire([(gx + 12, gy), (778, gy), (778, 592), (880, 592)], GND, "ground.sound")
    yield wire([(x + 12, y), (808, y), (808, 632), (880, 632)], COLOURS["sound"], "sound.pin")
    yield from resistor((846, 632), "100 Ω")
    yield dot((930, 612), 52, "#2a2d31", "#0c0d0e", 3)
    yield dot((930, 612), 9, "#0c0d0e")
    yield text((930, 690), "Passive buzzer", 17, "middle", bold=True)
    yield text((890, 642), "+", 18, "middle", "#ffffff", bold=True)


def pi_light(settings: StatusLightSettings) -> Iterable[str]:
    colours = {"red_pin": "#d43c3c", "green_pin": "#259a55", "blue_pin": "#2b6fd6"}
    x, y = pin_at(34)
    yield wire([(x + 12, y), (890, y)], GND, "ground.status_light")
    for option, colour in colours.items():
        x, y = pin_at(HEADER[getattr(settings, option)])
        yield wire([(x + 12, y), (890, y)], colour, f"status_light.{option}")
        yield from resistor((780, y), "")
    yield text((780, pin_at(40)[1] + 30), "330 Ω each", 13, "middle", SOFT)
    middle = (pin_at(34)[1] + pin_at(40)[1]) / 2
    yield box((890, middle - 74), (40, 148), "#f0efe9", "#8c9097", 8)
    yield (
        f'<path d="M930 {middle - 74} h14 a74 74 0 0 1 0 148 h-14 z" fill="#f3f7ff" stroke="#8c9097" stroke-width="2"/>'
    )
    for number, colour in enumerate(colours.values()):
        yield dot((958, middle - 26 + 26 * number), 9, colour, colour)
    yield text((950, middle + 102), "Status light", 17, "middle", bold=True)
    yield text((950, middle + 122), "RGB LED, common cathode", 13, "middle", SOFT)


# --- the Pico and the strip -----------------------------------------------------------------------

PICO_X, PICO_Y, PICO_ROW = 1216.0, 560.0, 19.0


STRIP = (1384.0, 256.0)


def pico_at(number: int) -> Point:
    """A pin on the right side of the Pico, when its plug points down: pin 20 on top, pin 1 at the bottom."""
    return PICO_X + 130, PICO_Y + 24 + PICO_ROW * (20 - number)


def pico_board() -> Iterable[str]:
    yield text((PICO_X + 65, PICO_Y - 34), "Raspberry Pi Pico", 20, "middle", bold=True)
    yield text((PICO_X + 65, PICO_Y - 14), "or Pico 2, plug downwards", 13, "middle", SOFT)
    yield box((PICO_X, PICO_Y), (130, 410), PICO, "#6f93b5", 12)
    yield box((PICO_X + 42, PICO_Y + 396), (46, 30), "#c9ccd1", "#8c9097", 4)
    used = {3: ("ground", GND), 13: ("ground", GND)}
    used |= {
        pico_header(gpio): (f"{name} GP{gpio}", COLOURS[name])
        for name, gpio in zip(BUTTON_Y, pico.BUTTON_PINS, strict=True)
    }
    used[pico_header(pico.STRIP_PIN)] = f"strip GP{pico.STRIP_PIN}", COLOURS["data"]
    for number in range(1, 21):
        x, y = pico_at(number)
        name, colour = used.get(number, ("", "#e7e3d6"))
        yield dot((PICO_X, y), 7, "#e7e3d6", "#16181b")
        yield dot((x, y), 8, colour, "#16181b")
        yield text((x, y + 3), str(number), 8, "middle", "#ffffff" if name else INK, bold=bool(name))
        if name:
            yield text((x - 13, y + 4), name, 12, "end", bold=True)


def strip(settings: LightsSettings) -> Iterable[str]:
    left, top, side, gap = STRIP[0], STRIP[1], 24.0, 4.0
    yield text((left, top - 62), f"LED strip WS2812B, {pico.PIXELS} pixels", 20, bold=True)
    yield box((left, top), (356, 64), "#f7f7f4", "#8c9097", 8)
    x = left + 12
    for group, shade in (("seat", "#8fd3a8"), ("section", "#9bbcf0"), ("status", "#f2c879")):
        spans = [span for zone, span in settings.zones.items() if zone.partition(".")[0] == group]
        for number in range(len(spans)):
            at = x + (side + gap) * number
            yield box((at, top + 20), (side, side), shade, "#6b7280", 5, 1.5)
            yield dot((at + side / 2, top + 20 + side / 2), 7, "#ffffff", "#6b7280", 1)
        middle = x + ((side + gap) * len(spans) - gap) / 2
        yield text((middle, top - 25), group + "s" * (len(spans) > 1), 14, "middle", bold=True)
        yield text((middle, top - 9), f"{spans[0][0]}–{sum(spans[-1]) - 1}", 12, "middle", SOFT)
        x += (side + gap) * len(spans) + 12


NOTES = (
    "The data wire: 30 cm at most,",
    "or a 74AHCT125 in between.",
    "",
    "The supply's ground goes to",
    "the strip and to the Pico.",
    "",
    "The three buttons may sit on",
    "the Pico instead of on the Pi.",
)


def notes() -> Iterable[str]:
    for number, line in enumerate(NOTES):
        yield text((1104, 236 + 21 * number), line, 15, colour=SOFT)


def strip_wires(settings: LightsSettings) -> Iterable[str]:
    data, ground = pico_at(pico_header(pico.STRIP_PIN)), pico_at(3)
    data_x, ground_x, five_x, end_y, supply = 1404.0, 1446.0, 1488.0, STRIP[1] + 64, (1530.0, 800.0)
    yield wire([(data[0] + 8, data[1]), (data_x, data[1]), (data_x, end_y)], COLOURS["data"], "pico.strip_pin")
    yield wire([(ground[0] + 8, ground[1]), (supply[0], ground[1])], GND, "ground.pico")
    yield wire([(ground_x, ground[1]), (ground_x, end_y)], GND, "ground.strip")
    yield dot((ground_x, ground[1]), 5, GND, GND)
    yield wire([(supply[0], supply[1] + 40), (five_x, supply[1] + 40), (five_x, end_y)], FIVE, "five_volts")
    for x, name, colour in ((data_x, "DIN", COLOURS["data"]), (ground_x, "GND", GND), (five_x, "5 V", FIVE)):
        yield box((x - 18, end_y + 2), (36, 22), CARD, colour, 4)
        yield text((x, end_y + 18), name, 12, "middle", colour, bold=True)
    yield from resistor((data_x, 480), "330 Ω", upright=True)
    yield wire([(ground_x, 470), (ground_x + 14, 470)], GND)
    yield wire([(five_x, 470), (five_x - 14, 470)], FIVE)
    yield wire([(ground_x + 15, 452), (ground_x + 15, 488)], INK, width=5)
    yield wire([(five_x - 15, 452), (five_x - 15, 488)], INK, width=5)
    yield text((five_x + 16, 466), "1000 µF, 6.3 V", 14, bold=True)
    yield text((five_x + 16, 484), "mind its + side", 13, colour=SOFT)
    yield box(supply, (206, 190), CARD, "#8c9097", 12)
    yield text((supply[0] + 48, supply[1] + 70), "5 V supply", 20, bold=True)
    yield text((supply[0] + 48, supply[1] + 94), "for the strip alone:", 14, colour=SOFT)
    yield text((supply[0] + 48, supply[1] + 113), "3 A, kept below", 14, colour=SOFT)
    yield text((supply[0] + 48, supply[1] + 132), f"{settings.budget_ma} mA by the Pico", 14, colour=SOFT)
    yield text((supply[0] + 22, supply[1] + 48), "+", 24, "middle", FIVE, bold=True)
    yield text((supply[0] + 22, ground[1] + 8), "−", 24, "middle", GND, bold=True)


def usb_cable() -> Iterable[str]:
    x = PICO_X + 65
    yield wire([(660, 1028), (660, 1062), (x, 1062), (x, PICO_Y + 426)], "#5b6169", "usb", 12)
    yield text(((660 + x) / 2, 1050), "USB data cable: feeds the Pico, carries the protocol", 15, "middle", SOFT)


def wiring() -> str:
    """The whole diagram."""
    buttons, sound, light, lights = ButtonsSettings(), SoundSettings(), StatusLightSettings(), LightsSettings()
    used = {39: ("GND", GND), 34: ("GND", GND), 30: ("GND", GND)}
    used |= {HEADER[gpio]: (f"GPIO{gpio}", COLOURS[name]) for name, gpio in buttons.pins.items()}
    used[HEADER[sound.pin]] = f"GPIO{sound.pin}", COLOURS["sound"]
    shades = ((light.red_pin, "#d43c3c"), (light.green_pin, "#259a55"), (light.blue_pin, "#2b6fd6"))
    used |= {HEADER[pin]: (f"GPIO{pin}", colour) for pin, colour in shades}
    parts = [
        box((0, 0), (WIDTH, HEIGHT), PAPER, PAPER, 0, 0),
        text((40, 62), "All City: the wiring", 34, bold=True),
        text((40, 92), "Every part is optional: what is missing is left out, and play goes on.", 17, colour=SOFT),
        box((30, 118), (1030, 968), "none", "#d8d4c8", 18),
        text((52, 146), "On the Pi", 20, bold=True),
        box((1080, 118), (672, 968), "none", "#d8d4c8", 18),
        text((1102, 146), "On the Pico", 20, bold=True),
        *usb_cable(),
        *pi_board(used),
        *camera(),
        *pi_buttons(buttons),
        *pi_sound(sound),
        *pi_light(light),
        *strip(lights),
        *notes(),
        *strip_wires(lights),
        *pico_board(),
        text((40, 1112), "Numbers in circles count along the header; GPIO and GP names are those of the configuration. "
             "Buttons need no resistors. All grounds are joined. Never feed the strip from the Pi.", 14, colour=SOFT),
    ]  # fmt: skip
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="DejaVu Sans, Verdana, Arial, sans-serif" role="img" aria-label="Wiring of Pi, Pico and parts">'
    )
    return "\n".join([head, *parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(wiring(), encoding="utf-8")
