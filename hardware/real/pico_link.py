"""The talk with one Pico: greeting, asking again until it is confirmed, noticing that it is gone or back."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from firmware import protocol
from hardware.ports import Condition, Status
from hardware.real.serial_ports import SerialPort

RETRY_S = 1.0  # between looks for a port
REPEAT_S = 0.1  # without an answer, everything is said again
MOST_REPEATS = 15  # then the Pico is taken for gone
HEARTBEAT_S = 0.3  # the Pico goes calm after a second without a word
LEASE_S = 2.0  # a hold ends by itself
START_S = 1.0  # for a Pico's program to start; until it runs, a byte 3 among ours would end it again
TORN_S = 0.04  # a frame that pauses for so long will not go on; well below REPEAT_S, or repeats would fill it up
READ_AT_ONCE = 4096
MOST_BUTTON_STATES = 64

RESTART = b"\r\x03\x02\x04"
"""Starts the program of a Pico that sits at MicroPython's prompt; to our firmware it is junk."""


@dataclass(frozen=True, eq=False)
class HoldWish:
    dark: bool
    at_s: float


@dataclass(frozen=True)
class ButtonsSeen:
    """Which buttons are down (bit n is button n). `anew`: the Pico has just come, or (None) gone."""

    down: int | None
    at_s: float
    anew: bool = False


@dataclass
class _Asked:
    """What waits for the Pico's confirmation."""

    kind: int
    frame: bytes
    about: object
    sent_at_s: float
    repeats: int = 0


class PicoLink:
    """`step` does what is due and returns; it waits for nothing and raises nothing, whatever is pulled out.

    What to show is a wish and not a queue: the newest counts, and nothing can pile up. A wish is made by one
    assignment, so that one thread may wish while another one steps.
    """

    def __init__(
        self,
        find: Callable[[], Sequence[str]],
        open_port: Callable[[str], SerialPort],
        now: Callable[[], float],
        budget_ma: int,
        order: str = "GRB",
    ) -> None:
        self._find, self._open_port, self._now = find, open_port, now
        self._config = protocol.config_payload(min(budget_ma, 0xFFFF), order)
        self.frame_wish: bytes | None = None
        """Red, green, blue of every pixel from the first one on; cut or filled up to the strip."""
        self.hold_wish: HoldWish | None = None
        self.status = Status("lights", Condition.ABSENT, {"why": "no Pico found"})
        self.shown: bytes | None = None
        self.held: HoldWish | None = None
        """The wishes that the strip has confirmed."""
        self.button_states: deque[ButtonsSeen] = deque(maxlen=MOST_BUTTON_STATES)
        self._port: SerialPort | None = None
        self._decoder, self._came_at_s = protocol.Decoder(), now()
        self._name = ""
        self._opened = 0
        self._try_at_s = now()
        self._was_there = False
        self._seq = 0
        self._nothing_told()

    def step(self) -> None:
        """Looks for the port, reads, and says what is due."""
        try:
            port = self._port or self._found_port()
            if port is not None:
                self._receive(port)
            if self._port is not None:
                self._send(self._port)
        except OSError as error:
            self._lose(str(error))

    @property
    def reachable(self) -> bool:
        """Whether there is a Pico that has greeted us."""
        return self._greeted

    def close(self) -> None:
        """Lets go of the port for good."""
        self._try_at_s = float("inf")
        self._close_port()

    # --- the port -----------------------------------------------------------------------------

    def _found_port(self) -> SerialPort | None:
        if self._now() < self._try_at_s:
            return None
        names = self._find()
        if not names:
            self._lose("no Pico found")
            return None
        # Where there are several, one that does not answer must not hide the others.
        self._name = names[self._opened % len(names)]
        self._opened += 1
        self._port = self._open_port(self._name)
        self._decoder, self._came_at_s = protocol.Decoder(), self._now()
        self._nothing_told()
        return self._port

    def _nothing_told(self) -> None:
        """All that the Pico has to know, it has to be told (again)."""
        self._said_at_s = self._now()
        self._greeted, self._configured = False, False
        self._pixels = 0
        self._asked: _Asked | None = None
        self.shown, self.held = None, None

    def _lose(self, why: str, condition: Condition | None = None, **facts: str) -> None:
        self._close_port()
        self._try_at_s = self._now() + RETRY_S
        condition = condition or (Condition.LOST if self._was_there else Condition.ABSENT)
        self.status = Status("lights", condition, {"why": why, **facts})

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        self._nothing_told()
        self.button_states.append(ButtonsSeen(None, self._now(), anew=True))
        with suppress(OSError):  # it may be pulled out: closed enough
            port.close()

    # --- listening ----------------------------------------------------------------------------

    def _receive(self, port: SerialPort) -> None:
        data = port.read(READ_AT_ONCE)
        if data:
            self._came_at_s = self._now()
            messages = self._decoder.feed(data)
        elif self._now() - self._came_at_s >= TORN_S:
            messages = self._decoder.expire()
        else:
            return
        for message in messages:
            if self._port is port:
                self._hear(port, message)

    def _hear(self, port: SerialPort, message: protocol.Message) -> None:
        with suppress(protocol.BadPayload):  # it will be said again
            if message.kind == protocol.HELLO:
                self._meet(message.payload)
            elif message.kind == protocol.BUTTONS and self._greeted:
                self._see_buttons(port, message)
            elif message.kind == protocol.NAK and protocol.read_byte(message.payload) == protocol.NOT_GREETED:
                self._nothing_told()
            elif message.kind in (protocol.ACK, protocol.NAK):
                # What this Pico refuses, it would refuse again: it counts as told.
                self._confirmed(message.seq)

    def _meet(self, payload: bytes) -> None:
        version, firmware, pixels, down = protocol.read_hello(payload)
        facts = {"found": _dotted(firmware), "wanted": _dotted(protocol.FIRMWARE), "port": self._name}
        self._was_there = True
        if version != protocol.VERSION:
            # The port stays closed meanwhile, so that new firmware can be installed.
            self._lose("other version", Condition.WRONG_VERSION, **facts)
            return
        self._nothing_told()
        self._greeted, self._pixels = True, pixels
        self.button_states.append(ButtonsSeen(down, self._now(), anew=True))
        if firmware == protocol.FIRMWARE:
            self.status = Status("lights", facts={"firmware": facts["found"], "port": self._name})
        else:
            self.status = Status("lights", Condition.WRONG_VERSION, facts)

    def _see_buttons(self, port: SerialPort, message: protocol.Message) -> None:
        down = protocol.read_byte(message.payload)
        port.write(protocol.encode(protocol.ACK, message.seq))
        self.button_states.append(ButtonsSeen(down, self._now()))

    def _confirmed(self, seq: int) -> None:
        asked = self._asked
        if asked is None or seq != self._seq:
            return
        self._asked = None
        if asked.kind == protocol.CONFIG:
            self._configured = True
        elif asked.kind == protocol.SHOW and isinstance(asked.about, bytes):
            self.shown = asked.about
        elif asked.kind == protocol.HOLD and isinstance(asked.about, HoldWish):
            self.held = asked.about
        elif asked.kind == protocol.RELEASE:
            self.held = None

    # --- speaking -----------------------------------------------------------------------------

    def _send(self, port: SerialPort) -> None:
        if self._asked is None:
            self._ask(port, *self._due())
        elif self._now() - self._asked.sent_at_s >= REPEAT_S:
            self._ask_again(port, self._asked)

    def _due(self) -> tuple[int, bytes, object]:
        """What to say next: kind, payload and what that is about. Kind 0: nothing."""
        frame, wish = self.frame_wish, self.hold_wish
        if wish is not None and self._now() - wish.at_s >= LEASE_S:
            wish = None
        if not self._greeted:
            return protocol.HELLO, b"", None
        if not self._configured:
            return protocol.CONFIG, self._config, None
        if frame is not None and frame is not self.shown:
            size = min(3 * self._pixels, protocol.MAX_PAYLOAD)
            return protocol.SHOW, frame[:size].ljust(size, b"\0"), frame
        if wish is not None and wish is not self.held:
            mode = protocol.DARK if wish.dark else protocol.STEADY
            return protocol.HOLD, protocol.hold_payload(mode, int(LEASE_S * 1000)), wish
        if wish is None and self.held is not None:
            return protocol.RELEASE, b"", None
        if self._now() - self._said_at_s >= HEARTBEAT_S:
            return protocol.HEARTBEAT, b"", None
        return 0, b"", None

    def _ask(self, port: SerialPort, kind: int, payload: bytes, about: object) -> None:
        if not kind:
            return
        self._seq = self._seq % 255 + 1  # 0 is the Pico's own HELLO
        self._asked = _Asked(kind, protocol.encode(kind, self._seq, payload), about, self._now())
        self._said_at_s = self._now()
        port.write(self._asked.frame)

    def _ask_again(self, port: SerialPort, asked: _Asked) -> None:
        if asked.repeats == MOST_REPEATS:
            self._lose("no answer")
            return
        asked.repeats += 1
        asked.sent_at_s = self._said_at_s = self._now()
        if asked.kind == protocol.HELLO and asked.repeats % 5 == 0:
            port.write(RESTART)
            asked.sent_at_s += START_S
        else:
            port.write(asked.frame)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
