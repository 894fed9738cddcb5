"""The three buttons, debounced. What is a short or a long press, the computer decides."""

from firmware.ticks import elapsed_ms

STEADY_MS = 20  # contacts bounce for a few milliseconds


class Buttons:
    """Reads pins that a pressed button pulls to ground."""

    def __init__(self, pins, now):
        self._pins = pins
        self.down = self._read()
        """Bit n is set while button n is down."""
        self._seen = self.down
        self._since = now

    def poll(self, now):
        """Whether `down` has changed: only what all pins have said for a while counts."""
        seen = self._read()
        if seen != self._seen:
            self._seen = seen
            self._since = now
        if seen == self.down or elapsed_ms(now, self._since) < STEADY_MS:
            return False
        self.down = seen
        return True

    def _read(self):
        down = 0
        for bit, pin in enumerate(self._pins):
            if not pin.value():
                down |= 1 << bit
        return down
