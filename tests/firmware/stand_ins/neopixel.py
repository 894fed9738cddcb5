"""Stands in for MicroPython's `neopixel`: records what would go out to the strip."""

from machine import Pin

writes: list[bytes] = []


class NeoPixel:
    def __init__(self, pin: Pin, n: int) -> None:
        self.n = n
        self.buf = bytearray(3 * n)

    def write(self) -> None:
        writes.append(bytes(self.buf))
