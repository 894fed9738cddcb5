"""How the table's computer and the Pico talk: the only copy, for CPython and MicroPython alike.

A frame is A5 5A, version, length (2 bytes), sequence, kind, payload, CRC-16 (2 bytes) over all after A5 5A;
numbers are little-endian. This header and HELLO stay as they are for ever, so that different versions can at
least tell each other so; all else may change with VERSION.
"""

import struct

VERSION = 1
FIRMWARE = (1, 0, 0)
"""The firmware that lies beside this file. Grows with every change to it."""

START = b"\xa5\x5a"
HEADER_BYTES = 7
CRC_BYTES = 2
MAX_PAYLOAD = 3 * 512  # red, green and blue of the longest strip
MAX_FRAME = HEADER_BYTES + MAX_PAYLOAD + CRC_BYTES

# What a frame says. The computer asks, the Pico answers ACK or NAK under the same sequence number.
HELLO = 1
CONFIG = 2
SHOW = 3
HOLD = 4
RELEASE = 5
HEARTBEAT = 6
LEAVE = 7
ACK = 8
NAK = 9
BUTTONS = 10

# Why a frame is refused.
NOT_GREETED = 1
BAD_VALUE = 2
UNKNOWN_KIND = 3
OTHER_VERSION = 4

STEADY = 0
DARK = 1

BUTTON_NAMES = ("confirm", "undo", "next")
"""Bit n of a BUTTONS payload is button n."""


class BadPayload(ValueError):
    """A payload that does not say what its kind promises."""


class Message:
    """A frame that arrived whole."""

    def __init__(self, version: int, seq: int, kind: int, payload: bytes) -> None:
        self.version = version
        self.seq = seq
        self.kind = kind
        self.payload = payload


def _crc_of_byte(byte: int) -> int:
    crc = byte << 8
    for _ in range(8):
        crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


_CRC_TABLE = tuple(_crc_of_byte(byte) for byte in range(256))


def crc16(data: bytes | bytearray | memoryview) -> int:
    """CRC-16 with the polynomial 1021, starting from FFFF."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 8 ^ _CRC_TABLE[crc >> 8 ^ byte]) & 0xFFFF
    return crc


def encode(kind: int, seq: int, payload: bytes = b"", version: int = VERSION) -> bytes:
    """The frame as bytes. Raises ValueError if the payload is too long."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("payload too long")
    body = struct.pack("<BHBB", version, len(payload), seq, kind) + payload
    return START + body + struct.pack("<H", crc16(body))


class Decoder:
    """Finds whole frames in a stream of bytes; junk, torn and damaged frames are passed over.

    Never holds more than one longest frame.
    """

    def __init__(self) -> None:
        self._buffer = bytearray(MAX_FRAME)
        self._view = memoryview(self._buffer)
        self._size = 0
        self._need = HEADER_BYTES
        self.skipped = 0
        """Bytes that were part of no frame."""

    def feed(self, data: bytes) -> list[Message]:
        """Takes what arrived, gives the frames that are complete now."""
        found: list[Message] = []
        for byte in data:
            self._buffer[self._size] = byte
            self._size += 1
            if self._size >= self._need:
                self._search(found)
        return found

    def expire(self) -> list[Message]:
        """Nothing came for a while: the frame that has begun is torn, what follows its start may be whole."""
        found: list[Message] = []
        while self._size:
            self._skip()
            self._search(found)
        return found

    def _search(self, found: list[Message]) -> None:
        """Cuts whole frames off the front until more bytes are needed."""
        while True:
            self._need = self._needed()
            if not self._need:
                self._skip()
            elif self._size < self._need:
                return
            else:
                self._cut(found)

    def _needed(self) -> int:
        """How many bytes there must be before the next look; 0 if no frame can begin here."""
        if self._buffer[: min(self._size, len(START))] != START[: self._size]:
            return 0
        if self._size < HEADER_BYTES:
            return HEADER_BYTES
        length = self._buffer[3] | self._buffer[4] << 8
        return HEADER_BYTES + length + CRC_BYTES if length <= MAX_PAYLOAD else 0

    def _cut(self, found: list[Message]) -> None:
        end = self._need - CRC_BYTES
        if crc16(self._view[len(START) : end]) != self._buffer[end] | self._buffer[end + 1] << 8:
            self._skip()
            return
        version, _, seq, kind = struct.unpack_from("<BHBB", self._buffer, len(START))
        found.append(Message(version, seq, kind, bytes(self._view[HEADER_BYTES:end])))
        self._drop(self._need)

    def _skip(self) -> None:
        """Passes the first byte over, and all after it up to where a frame may begin."""
        start = self._buffer.find(START[:1], 1, self._size)
        count = self._size if start < 0 else start
        self.skipped += count
        self._drop(count)

    def _drop(self, count: int) -> None:
        self._size -= count
        self._buffer[: self._size] = bytes(self._view[count : count + self._size])


def hello_payload(firmware: tuple[int, int, int], pixels: int, buttons_down: int) -> bytes:
    """What the Pico says of itself. The computer's own HELLO has no payload."""
    return struct.pack("<BBBBHB", VERSION, firmware[0], firmware[1], firmware[2], pixels, buttons_down)


def read_hello(payload: bytes) -> tuple[int, tuple[int, int, int], int, int]:
    """Protocol version, firmware version, pixels, buttons that are down. Raises BadPayload."""
    version, major, minor, patch, pixels, down = _unpack("<BBBBHB", payload)
    return version, (major, minor, patch), pixels, down


def config_payload(budget_ma: int, order: str) -> bytes:
    """What the strip may draw, and in which order its pixels take red, green and blue: "GRB"."""
    return struct.pack("<H", budget_ma) + order.encode()


def read_config(payload: bytes) -> tuple[int, str]:
    """Raises BadPayload."""
    if len(payload) != 5 or bytes(sorted(payload[2:])) != b"BGR":
        raise BadPayload
    return payload[0] | payload[1] << 8, payload[2:].decode()


def hold_payload(mode: int, lease_ms: int) -> bytes:
    """STEADY or DARK, and when the hold ends by itself."""
    return struct.pack("<BH", mode, lease_ms)


def read_hold(payload: bytes) -> tuple[int, int]:
    """Raises BadPayload."""
    mode, lease_ms = _unpack("<BH", payload)
    if mode not in (STEADY, DARK):
        raise BadPayload
    return mode, lease_ms


def read_byte(payload: bytes) -> int:
    """The reason of a NAK, the buttons of BUTTONS. Raises BadPayload."""
    if len(payload) != 1:
        raise BadPayload
    return payload[0]


def _unpack(form: str, payload: bytes) -> tuple[int, ...]:
    if len(payload) != struct.calcsize(form):
        raise BadPayload
    return struct.unpack(form, payload)
