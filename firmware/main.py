"""The Pico's program: listens to the computer, lights the strip, tells of the buttons."""

import select
import sys
import time

import machine
import micropython
import neopixel

from firmware import pins, protocol
from firmware.buttons import Buttons
from firmware.leds import Leds
from firmware.ticks import elapsed_ms

SILENCE_MS = 1000  # after this the strip goes calm
TORN_MS = 40  # a frame comes in one go: one that pauses for so long will not go on
REPEAT_MS = 100  # until the computer confirms that it knows the buttons
MOST_CHANGES = 8  # of the buttons that wait for the computer; the oldest are forgotten
READ_AT_ONCE = 256


class Firmware:
    """All but the wires: `step` does what is due and returns. `port` has `read()` and `write(data)`."""

    def __init__(self, port, leds, buttons, now):
        self._port = port
        self._leds = leds
        self._buttons = buttons
        self._decoder = protocol.Decoder()
        self._greeted = False
        self._came_at = now
        self._heard_at = now
        self._changes = []
        self._change_seq = 0
        self._told_at = now
        self.leaving = False
        self._say_hello(0)

    def step(self, now):
        """Reads, answers, and goes calm if the computer has been silent for too long."""
        for message in self._messages(now):
            self._answer(message, now)
        self._leds.tick(now)
        if elapsed_ms(now, self._heard_at) >= SILENCE_MS:
            self._leds.calm()
            self._changes.clear()
        self._tell_buttons(now)

    def _messages(self, now):
        data = self._port.read()
        if data:
            self._came_at = now
            return self._decoder.feed(data)
        if elapsed_ms(now, self._came_at) >= TORN_MS:
            return self._decoder.expire()
        return ()

    def _answer(self, message, now):
        if message.kind == protocol.HELLO:
            self._greet(message.seq, now)
        elif message.kind == protocol.ACK:
            if self._changes and message.seq == self._changes[0][0]:
                self._changes.pop(0)
                self._told_at = now - REPEAT_MS
        else:
            reason = self._obey(message, now)
            if reason:
                self._port.write(protocol.encode(protocol.NAK, message.seq, bytes([reason])))
            else:
                self._port.write(protocol.encode(protocol.ACK, message.seq))

    def _greet(self, seq, now):
        self._greeted = True
        self._heard_at = now
        self._changes.clear()
        self._leds.clear()
        self._say_hello(seq)

    def _say_hello(self, seq):
        payload = protocol.hello_payload(protocol.FIRMWARE, self._leds.pixels, self._buttons.down)
        self._port.write(protocol.encode(protocol.HELLO, seq, payload))

    def _obey(self, message, now):
        """Does what the message asks; gives the reason if it is refused, else 0."""
        if message.version != protocol.VERSION:
            return protocol.OTHER_VERSION
        if message.kind == protocol.LEAVE:
            self.leaving = True
            return 0
        if not self._greeted:
            return protocol.NOT_GREETED
        self._heard_at = now
        self._leds.wake()
        try:
            return self._do(message.kind, message.payload, now)
        except protocol.BadPayload:
            return protocol.BAD_VALUE

    def _do(self, kind, payload, now):
        if kind == protocol.SHOW:
            return 0 if self._leds.show(payload) else protocol.BAD_VALUE
        if kind == protocol.CONFIG:
            self._leds.configure(*protocol.read_config(payload))
        elif kind == protocol.HOLD:
            mode, lease_ms = protocol.read_hold(payload)
            self._leds.hold(mode == protocol.DARK, lease_ms, now)
        elif kind == protocol.RELEASE:
            self._leds.release()
        elif kind != protocol.HEARTBEAT:
            return protocol.UNKNOWN_KIND
        return 0

    def _tell_buttons(self, now):
        """Every change is told until it is confirmed, one after the other."""
        if self._buttons.poll(now) and self._greeted:
            self._queue_change(now)
        if self._changes and elapsed_ms(now, self._told_at) >= REPEAT_MS:
            seq, down = self._changes[0]
            self._told_at = now
            self._port.write(protocol.encode(protocol.BUTTONS, seq, bytes([down])))

    def _queue_change(self, now):
        if not self._changes:
            self._told_at = now - REPEAT_MS
        elif len(self._changes) == MOST_CHANGES:
            self._changes.pop(0)
        self._change_seq = (self._change_seq + 1) & 0xFF
        self._changes.append((self._change_seq, self._buttons.down))


class UsbPort:
    """The USB cable, which MicroPython knows as standard input and output."""

    def __init__(self):
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self):
        """What has arrived. One byte at a time: reading more would wait for all of them."""
        data = bytearray()
        while len(data) < READ_AT_ONCE and self._poll.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data):
        sys.stdout.buffer.write(data)


def button_pins():
    return [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in pins.BUTTON_PINS]


def run():
    leds = Leds(neopixel.NeoPixel(machine.Pin(pins.STRIP_PIN), pins.PIXELS))
    # Byte 3 is Ctrl-C to MicroPython, and data to us.
    micropython.kbd_intr(-1)
    try:
        now = time.ticks_ms()
        firmware = Firmware(UsbPort(), leds, Buttons(button_pins(), now), now)
        while not firmware.leaving:
            firmware.step(time.ticks_ms())
    finally:
        leds.off()
        micropython.kbd_intr(3)


if __name__ == "__main__":
    run()
