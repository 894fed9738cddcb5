"""Frames: whatever the cable does to the bytes, no wrong message comes out and no later one is lost."""

import binascii
import re
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firmware import pins, protocol
from tests.firmware.boards import FIRMWARE

SMALL = st.integers(0, 255)
FRAMES = st.lists(st.tuples(SMALL, SMALL, st.binary(max_size=40)), max_size=6)
READERS = (protocol.read_hello, protocol.read_config, protocol.read_hold, protocol.read_byte)


def said(messages: list[protocol.Message]) -> list[tuple[int, int, bytes]]:
    return [(message.kind, message.seq, message.payload) for message in messages]


def all_from(chunks: list[bytes]) -> list[tuple[int, int, bytes]]:
    """What a decoder finds in these chunks, and in what is left when nothing more comes."""
    decoder = protocol.Decoder()
    messages = [message for chunk in chunks for message in decoder.feed(chunk)]
    return said(messages + decoder.expire())


@given(st.binary(max_size=300))
def test_the_checksum_is_the_well_known_one(data: bytes) -> None:
    assert protocol.crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@given(FRAMES, st.integers(1, 30))
def test_frames_arrive_however_they_are_cut(frames: list[tuple[int, int, bytes]], size: int) -> None:
    stream = b"".join(protocol.encode(*frame) for frame in frames)
    decoder = protocol.Decoder()
    chunks = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert said([message for chunk in chunks for message in decoder.feed(chunk)]) == frames
    assert decoder.skipped == 0


@given(FRAMES, st.lists(st.binary(max_size=12), min_size=7, max_size=7))
def test_junk_between_frames_hides_none_of_them(frames: list[tuple[int, int, bytes]], junk: list[bytes]) -> None:
    encoded = [protocol.encode(*frame) for frame in frames]
    chunks = [part for pair in zip(junk, [*encoded, b""], strict=False) for part in pair]
    assert all_from(chunks) == frames


@given(st.binary(max_size=30), st.data())
def test_a_damaged_frame_is_passed_over_and_the_next_is_found(payload: bytes, data: st.DataObject) -> None:
    frame = bytearray(protocol.encode(protocol.SHOW, 1, payload))
    bit = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[bit // 8] ^= 1 << bit % 8
    assert all_from([bytes(frame), protocol.encode(protocol.RELEASE, 2)]) == [(protocol.RELEASE, 2, b"")]


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_torn_frame_does_not_swallow_the_next(payload: bytes, data: st.DataObject) -> None:
    frame, following = protocol.encode(protocol.SHOW, 1, payload), protocol.encode(protocol.RELEASE, 2)
    cut = data.draw(st.integers(1, len(frame) - 1))
    assume(not following.startswith(frame[cut:]))  # it would be whole again, with the next one's bytes
    assert all_from([frame[:cut], following]) == [(protocol.RELEASE, 2, b"")]


def test_the_longest_frame_fits_and_a_longer_one_is_refused() -> None:
    payload = bytes(protocol.MAX_PAYLOAD)
    assert all_from([protocol.encode(protocol.SHOW, 1, payload)]) == [(protocol.SHOW, 1, payload)]
    with pytest.raises(ValueError, match="too long"):
        protocol.encode(protocol.SHOW, 1, payload + b"x")


@pytest.mark.parametrize("read", READERS)
@given(payload=st.binary(max_size=12))
def test_any_payload_is_understood_or_refused(read: object, payload: bytes) -> None:
    assert callable(read)
    with suppress(protocol.BadPayload):
        read(payload)


@given(SMALL, SMALL, SMALL, st.integers(0, 0xFFFF), SMALL)
def test_hello_says_who_is_there(major: int, minor: int, patch: int, pixels: int, down: int) -> None:
    payload = protocol.hello_payload((major, minor, patch), pixels, down)
    assert protocol.read_hello(payload) == (protocol.VERSION, (major, minor, patch), pixels, down)


def test_the_readme_tells_every_kind_and_reason() -> None:
    readme = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    told = {name: int(number) for number, name in re.findall(r"^\| (\d+) \| ([A-Z]+) \|", readme, re.MULTILINE)}
    kinds = ("HELLO", "CONFIG", "SHOW", "HOLD", "RELEASE", "HEARTBEAT", "LEAVE", "ACK", "NAK", "BUTTONS")
    assert told == {name: getattr(protocol, name) for name in kinds}
    assert f"Protocol, version {protocol.VERSION}\n" in readme
    assert f"at most {protocol.MAX_PAYLOAD} bytes" in readme
    assert f"data wire is on GP{pins.STRIP_PIN};" in readme
    assert "GP{}, GP{} and GP{}".format(*pins.BUTTON_PINS) in readme
