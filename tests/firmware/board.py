"""A Pico on the bench: runs the firmware, told by lines what time it is and what came over the cable.

The same file runs on MicroPython and on CPython. A line is `boot NOW`, `step NOW HEX` or `pins NUMBER,NUMBER`; the
answer to it is `HEX HEX,HEX`: what the firmware sent, and every frame that went out to the strip. `-` is nothing.
"""

import sys

import machine
import neopixel

from firmware import main, pins
from firmware.buttons import Buttons
from firmware.leds import Leds


class Cable:
    def __init__(self):
        self.incoming = b""
        self.outgoing = b""

    def read(self):
        data, self.incoming = self.incoming, b""
        return data

    def write(self, data):
        self.outgoing += data


class Board:
    def __init__(self):
        self.cable = Cable()
        self.firmware = None

    def boot(self, now):
        self.cable = Cable()
        leds = Leds(neopixel.NeoPixel(machine.Pin(pins.STRIP_PIN), pins.PIXELS))
        self.firmware = main.Firmware(self.cable, leds, Buttons(main.button_pins(), now), now)

    def step(self, now, data):
        self.cable.incoming += data
        self.firmware.step(now)

    def answer(self):
        sent, self.cable.outgoing = self.cable.outgoing, b""
        shown = ",".join([write.hex() for write in neopixel.writes])
        neopixel.writes.clear()
        return (sent.hex() or "-") + " " + (shown or "-")


board = Board()


def handle(line):
    """Does what the line says, gives the answer."""
    words = line.split()
    if words[0] == "boot":
        board.boot(int(words[1]))
    elif words[0] == "step":
        board.step(int(words[1]), b"" if words[2] == "-" else bytes.fromhex(words[2]))
    elif words[0] == "pins":
        machine.down.clear()
        machine.down.update([int(number) for number in words[1].split(",") if number != "-"])
    return board.answer()


if __name__ == "__main__":
    while True:
        line = sys.stdin.readline()
        if not line:
            break
        print(handle(line))
