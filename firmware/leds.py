"""The strip: whole frames within a current budget, still during an exposure, calm when nobody is there."""

from firmware.ticks import elapsed_ms

FULL_CHANNEL_MA = 20  # one colour of one WS2812 at 255
IDLE_MA = 1  # a dark WS2812
UNCONFIGURED_MA = 400  # what any USB port gives
CALM = (6, 4, 2)  # a faint warm glow: the table is on, and waits


class Leds:
    """Drives a `neopixel.NeoPixel`. Works in two buffers that are made once: its own and the strip's."""

    def __init__(self, strip):
        self.pixels = strip.n
        self._strip = strip
        self._frame = bytearray(3 * strip.n)
        self._budget_ma = UNCONFIGURED_MA
        self._offsets = (1, 0, 2)
        self._held_at = None
        self._lease_ms = 0
        self._calm = False
        self.calm()

    def configure(self, budget_ma, order):
        self._budget_ma = budget_ma
        self._offsets = (order.index("R"), order.index("G"), order.index("B"))
        self._refresh()

    def clear(self):
        """A new computer begins with a dark strip."""
        self._held_at = None
        self._frame[:] = bytes(len(self._frame))
        self._calm = False
        self._draw()

    def show(self, rgb):
        """Shows this frame, or keeps it until the hold ends. False if it is not for this strip."""
        if len(rgb) != len(self._frame):
            return False
        self._frame[:] = rgb
        self._refresh()
        return True

    def hold(self, dark, lease_ms, now):
        """Keeps the strip still, dark if wished. When this returns, it is."""
        self._held_at = now
        self._lease_ms = lease_ms
        if dark:
            self._fill((0, 0, 0))

    def release(self):
        if self._held_at is not None:
            self._held_at = None
            self._refresh()

    def tick(self, now):
        """Ends a hold that nobody ended: its exposure is long over."""
        if self._held_at is not None and elapsed_ms(now, self._held_at) >= self._lease_ms:
            self.release()

    def calm(self):
        """The safe state."""
        if not self._calm:
            self._calm = True
            self._held_at = None
            self._fill(CALM)

    def wake(self):
        """Somebody is there again: the last frame counts."""
        if self._calm:
            self._calm = False
            self._draw()

    def off(self):
        self._fill((0, 0, 0))

    def _refresh(self):
        if self._held_at is None and not self._calm:
            self._draw()

    def _draw(self):
        frame, out, scale = self._frame, self._strip.buf, self._scale(sum(self._frame))
        red, green, blue = self._offsets
        for i in range(0, len(frame), 3):
            out[i + red] = frame[i] * scale >> 8
            out[i + green] = frame[i + 1] * scale >> 8
            out[i + blue] = frame[i + 2] * scale >> 8
        self._strip.write()

    def _fill(self, rgb):
        out, scale = self._strip.buf, self._scale(sum(rgb) * self.pixels)
        for colour in range(3):
            level = rgb[colour] * scale >> 8
            for i in range(self._offsets[colour], len(out), 3):
                out[i] = level
        self._strip.write()

    def _scale(self, total):
        """256 for colours as they are, less where they would draw more than the budget."""
        spare_ma = max(0, self._budget_ma - IDLE_MA * self.pixels)
        if total * FULL_CHANNEL_MA <= spare_ma * 255:
            return 256
        return spare_ma * 255 * 256 // (total * FULL_CHANNEL_MA)
