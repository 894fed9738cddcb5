"""The Pico over its cable: real host, real firmware on a real MicroPython, and all that happens to cables."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count

import pytest

from firmware import protocol
from hardware.ports import Condition, Press, Status, held
from hardware.presses import LONG_S, STUCK_S
from hardware.real.pico import HOLD_TIMEOUT_S, Pico, PicoButtons, PicoLights, pixels
from hardware.real.pico_link import (
    LEASE_S,
    MOST_BUTTON_STATES,
    MOST_REPEATS,
    REPEAT_S,
    RESTART,
    RETRY_S,
    START_S,
    PicoLink,
)
from hardware.real.serial_ports import SerialPort, port_names
from hardware.settings import ZONE_PIXELS, LightsSettings
from tests.firmware.boards import INTERPRETERS, running_board
from tests.firmware.pico_rig import PATIENCE_S, SETTINGS, Cable, PicoRig, pico_rig
from tests.hardware.clock import Clock

GREEN, RED, BLUE, DARK, CALM = (0, 255, 0), (255, 0, 0), (0, 0, 255), (0, 0, 0), (6, 4, 2)


@pytest.fixture(params=INTERPRETERS)
def rig(request: pytest.FixtureRequest) -> Iterator[PicoRig]:
    with pico_rig(request.param) as made:
        yield made


def shown(rig: PicoRig, **zones: tuple[int, int, int]) -> None:
    """Shows the status zone in this colour, and waits until all is said."""
    rig.lights.show(zones)
    rig.settle()


def nothing(data: bytes) -> bytes:
    return b""


# --- all is well --------------------------------------------------------------------------------


def test_the_host_greets_and_the_strip_is_dark_until_something_is_shown(rig: PicoRig) -> None:
    assert rig.lights.status().ok
    assert {rig.zone(zone) for zone in ZONE_PIXELS} == {DARK}
    assert rig.buttons.status() == Status("buttons")


def test_a_thousand_frames_arrive_bit_by_bit(rig: PicoRig) -> None:
    rng = random.Random(4)
    frames = [{zone: tuple(rng.randbytes(3)) for zone in ZONE_PIXELS} for _ in range(1000)]
    before = len(rig.board.writes)
    for frame in frames:
        rig.lights.show(frame)  # type: ignore[arg-type]  # three bytes are a colour
        rig.round()
        rig.round()
    expected = [pixels(frame, SETTINGS.zones, 1.0) for frame in frames]  # type: ignore[arg-type]
    wires = rig.board.writes[before:]
    assert [bytes(wire[i + j] for i in range(0, len(wire), 3) for j in (1, 0, 2)) for wire in wires] == expected


def test_frames_that_come_faster_than_the_cable_are_left_out_and_the_newest_shines(rig: PicoRig) -> None:
    before = len(rig.board.writes)
    for level in range(200):
        rig.lights.show({"status": (level, 0, 0)})
    rig.settle()
    assert rig.zone("status") == (199, 0, 0)
    assert len(rig.board.writes) == before + 1


def test_the_strip_stays_awake_while_nothing_changes(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    rig.go(10.0)
    assert rig.zone("status") == GREEN


def test_zones_lie_where_the_settings_say_and_brightness_dims_them() -> None:
    zones = {"status": (1, 2), "seat.1": (4, 1)}
    lit = pixels({"status": (200, 100, 0), "seat.1": (0, 0, 10), "elsewhere": RED}, zones, 0.5)
    assert lit == bytes(3) + bytes((100, 50, 0)) * 2 + bytes(3) + bytes((0, 0, 5))


def test_a_strip_may_be_longer_or_shorter_than_the_zones() -> None:
    for length in (50, 100):
        zones = {"seat.1": (0, length)}
        with pico_rig("cpython", replace(SETTINGS, zones=zones)) as rig:
            rig.lights.show({"seat.1": BLUE})
            rig.settle()
            lit = min(length, 60)
            assert rig.board.rgb == bytes(BLUE) * lit + bytes(3 * (60 - lit))


# --- exposures ----------------------------------------------------------------------------------


def test_held_lights_say_so_and_catch_up_afterwards(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    with held(rig.lights) as confirmed:
        assert confirmed
        shown(rig, status=RED)
        assert rig.zone("status") == GREEN
    rig.settle()
    assert rig.zone("status") == RED


def test_a_frame_before_the_hold_is_on_the_strip_when_it_is_confirmed(rig: PicoRig) -> None:
    rig.lights.show({"status": BLUE})
    assert rig.lights.hold()
    assert rig.zone("status") == BLUE


def test_lights_held_dark_are_dark_when_it_is_confirmed(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    assert rig.lights.hold(dark=True)
    assert rig.zone("status") == DARK
    rig.lights.release()
    rig.settle()
    assert rig.zone("status") == GREEN


def test_a_hold_that_nobody_ends_is_over_after_a_while(rig: PicoRig) -> None:
    assert rig.lights.hold(dark=True)
    rig.lights.show({"status": RED})
    rig.go(LEASE_S + 0.5)
    assert rig.zone("status") == RED


def test_an_exposure_does_not_wait_for_lights_that_do_not_answer_and_it_is_told(rig: PicoRig) -> None:
    rig.spoil_to_host = nothing
    began = rig.clock()
    assert not rig.lights.hold()
    assert rig.clock() - began <= HOLD_TIMEOUT_S + 0.02
    assert rig.lights.status().facts["unconfirmed"] == 1


# --- a bad cable --------------------------------------------------------------------------------


@dataclass
class Spoiler:
    """Spoils some of what goes through the cable."""

    rng: random.Random
    how: Callable[[bytes, random.Random], bytes]
    often: float = 0.3

    def __call__(self, data: bytes) -> bytes:
        return self.how(data, self.rng) if data and self.rng.random() < self.often else data


def lost(data: bytes, rng: random.Random) -> bytes:
    return b""


def torn(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def flipped(data: bytes, rng: random.Random) -> bytes:
    damaged = bytearray(data)
    damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def with_junk(data: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(40)) + data + protocol.START + rng.randbytes(rng.randrange(9))


def twice(data: bytes, rng: random.Random) -> bytes:
    return data + data


def lost_or_twice(data: bytes, rng: random.Random) -> bytes:
    """An answer that comes again while the next question is lost must not count as its answer."""
    return rng.choice((b"", data + data, data + data))


@pytest.mark.parametrize("how", [lost, torn, flipped, with_junk, twice, lost_or_twice])
def test_whatever_the_cable_does_the_frame_gets_there_and_no_wrong_one_does(
    rig: PicoRig, how: Callable[[bytes, random.Random], bytes]
) -> None:
    rng = random.Random(7)
    rig.spoil_to_pico, rig.spoil_to_host = Spoiler(rng, how), Spoiler(rng, how)
    frames = [{zone: (rng.randrange(256), 0, 9) for zone in ZONE_PIXELS} for _ in range(50)]
    allowed = {pixels(frame, SETTINGS.zones, 1.0) for frame in frames} | {bytes(180), bytes(CALM) * 60}
    for frame in frames:
        rig.lights.show(frame)
        rig.settle()
        assert rig.board.rgb == pixels(frame, SETTINGS.zones, 1.0)
    wires = rig.board.writes
    assert {bytes(wire[i + j] for i in range(0, 180, 3) for j in (1, 0, 2)) for wire in wires} <= allowed
    assert rig.lights.status().ok


def test_a_pico_that_floods_the_host_fills_nothing_up(rig: PicoRig) -> None:
    presses = [protocol.encode(protocol.BUTTONS, n % 256, bytes([n % 2])) for n in range(250)]
    for press in presses:
        rig.spoil_to_host = lambda data, press=press: data + press * 3  # type: ignore[misc]
        rig.round()
    rig.spoil_to_host = lambda data: data
    assert len(rig.link.button_states) == MOST_BUTTON_STATES
    shown(rig, status=GREEN)
    assert rig.zone("status") == GREEN


def test_while_the_host_is_silent_the_strip_is_calm_and_then_as_before(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    rig.clock.go(1.0)
    rig.board.step(round(rig.clock() * 1000))
    assert rig.zone("status") == CALM
    rig.go(1.0)
    assert rig.zone("status") == GREEN


# --- gone and back ------------------------------------------------------------------------------


def test_a_pico_that_is_reset_is_told_everything_again(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    rig.reset()
    assert rig.zone("status") == CALM
    rig.settle()
    assert rig.zone("status") == GREEN
    assert rig.lights.status().ok


def test_a_reset_in_the_middle_of_a_frame_costs_nothing_but_that_try(rig: PicoRig) -> None:
    def reset_inside(data: bytes) -> bytes:
        rig.spoil_to_pico = lambda data: data
        rig.board.step(round(rig.clock() * 1000), data[: len(data) // 2])
        rig.reset()
        return data[len(data) // 2 :]

    shown(rig, status=GREEN)
    rig.spoil_to_pico = reset_inside
    shown(rig, status=BLUE)
    assert rig.zone("status") == BLUE


def test_a_reset_that_is_noticed_by_the_refusal_alone_is_repaired(rig: PicoRig) -> None:
    """The Pico's own HELLO got lost."""
    shown(rig, status=GREEN)
    rig.board.boot(round(rig.clock() * 1000))
    rig.go(1.0)
    assert rig.zone("status") == GREEN


def test_a_pico_that_is_pulled_out_is_missed_and_comes_back_under_another_name(rig: PicoRig) -> None:
    shown(rig, status=GREEN)
    assert rig.cable
    name = rig.cable.name
    keep_name = Cable()  # so that the new cable cannot get the old name
    rig.unplug()
    rig.go(1.0)
    assert rig.lights.status().condition is Condition.LOST
    assert rig.buttons.status().message == "hardware.buttons.lost"
    rig.lights.show({"status": RED})
    assert not rig.lights.hold()
    rig.lights.release()
    second = Cable()
    rig.plug()
    assert rig.cable.name != name
    rig.go(RETRY_S + 0.2)
    assert rig.zone("status") == RED
    assert rig.lights.status().ok
    second.pull()
    keep_name.pull()


def test_a_pico_that_stops_answering_is_lost_and_looked_for_again(rig: PicoRig) -> None:
    rig.spoil_to_host = nothing
    rig.go(MOST_REPEATS * REPEAT_S + 1.0)
    assert rig.lights.status() == Status("lights", Condition.LOST, {"why": "no answer"})
    rig.spoil_to_host = lambda data: data
    rig.lights.show({"status": BLUE})
    rig.go(5.0)
    assert rig.zone("status") == BLUE


@pytest.mark.parametrize(
    ("version", "firmware", "works"), [(protocol.VERSION + 1, (2, 0, 0), False), (protocol.VERSION, (0, 9, 0), True)]
)
def test_other_firmware_is_told_and_used_where_it_can_be(
    rig: PicoRig, version: int, firmware: tuple[int, int, int], works: bool
) -> None:
    def pretend(data: bytes) -> bytes:
        def other(message: protocol.Message) -> bytes:
            payload = message.payload
            if message.kind == protocol.HELLO:
                payload = bytes((version, *firmware)) + payload[4:]
            return protocol.encode(message.kind, message.seq, payload, version)

        return b"".join(other(message) for message in protocol.Decoder().feed(data))

    assert rig.cable
    rig.spoil_to_host = pretend
    rig.reset()
    shown(rig, status=GREEN)
    status = rig.lights.status()
    assert status.condition is Condition.WRONG_VERSION
    assert status.facts["found"] == ".".join(map(str, firmware))
    assert status.facts["wanted"] == ".".join(map(str, protocol.FIRMWARE))
    assert (rig.zone("status") == GREEN) is works
    # The port must be free for whoever installs the firmware that fits.
    assert rig.link.reachable is works
    rig.spoil_to_host = lambda data: data
    rig.reset()
    rig.go(3.0)
    assert rig.lights.status().ok
    assert rig.zone("status") == GREEN


def test_a_pico_that_claims_a_strip_longer_than_any_frame_stops_nothing(rig: PicoRig) -> None:
    hello = protocol.encode(protocol.HELLO, 0, protocol.hello_payload(protocol.FIRMWARE, 0xFFFF, 0))
    rig.spoil_to_host = lambda data: hello
    rig.round()
    rig.spoil_to_host = lambda data: data
    shown(rig, status=GREEN)
    assert rig.lights.status().ok


def test_a_port_that_was_let_go_is_not_heard_any_more(rig: PicoRig) -> None:
    """Both greetings come at once: the first one closes the port."""
    hello = protocol.hello_payload(protocol.FIRMWARE, 60, 0)
    other = protocol.encode(protocol.HELLO, 0, bytes([protocol.VERSION + 1]) + hello[1:])
    rig.spoil_to_host = lambda data: other + protocol.encode(protocol.HELLO, 0, hello)
    rig.go(0.05)
    assert not rig.link.reachable
    assert rig.lights.status().condition is Condition.WRONG_VERSION


# --- never there --------------------------------------------------------------------------------


def unreachable(find: Callable[[], list[str]], open_port: Callable[[str], SerialPort]) -> tuple[PicoLink, Clock]:
    clock = Clock()
    return PicoLink(find, open_port, clock, 1500), clock


def test_without_a_pico_every_call_is_taken_and_nothing_waits() -> None:
    link, clock = unreachable(list, lambda name: pytest.fail("there is nothing to open"))
    lights = PicoLights(link, lambda done, timeout_s: pytest.fail("waited"), SETTINGS, clock, link.close)
    buttons = PicoButtons(link, clock, link.close)
    for _ in range(5):
        link.step()
        lights.show({"status": GREEN})
        assert not lights.hold()
        lights.release()
        assert buttons.poll() == ()
        clock.go(RETRY_S)
    assert lights.status() == Status("lights", Condition.ABSENT, {"why": "no Pico found"})
    assert buttons.status().condition is Condition.ABSENT
    lights.close()
    buttons.close()


def test_a_port_that_cannot_be_opened_is_tried_once_a_second_and_tells_why() -> None:
    tried = []

    def refuse(name: str) -> SerialPort:
        tried.append(name)
        raise PermissionError(13, "Permission denied")

    link, clock = unreachable(lambda: ["/dev/ttyACM0"], refuse)
    for _ in range(500):
        link.step()
        clock.go(0.01)
    assert len(tried) == 5
    assert link.status.condition is Condition.ABSENT
    assert "Permission denied" in str(link.status.facts["why"])


class Deaf:
    """A port that takes everything and never answers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.heard: list[tuple[float, bytes]] = []

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes, /) -> int:
        self.heard.append((self._clock(), data))
        return len(data)

    def close(self) -> None:
        pass


def test_a_stranger_that_does_not_answer_does_not_hide_our_pico() -> None:
    tried: list[str] = []

    def open_port(name: str) -> SerialPort:
        tried.append(name)
        return Deaf(clock)

    link, clock = unreachable(lambda: ["first", "second"], open_port)
    for _ in range(3000):
        link.step()
        clock.go(0.01)
    assert tried[:4] == ["first", "second", "first", "second"]


def test_a_pico_that_is_started_again_is_left_alone_until_it_runs() -> None:
    """A byte 3 that comes too early would end its program again."""
    clock = Clock()
    deaf = Deaf(clock)
    link = PicoLink(lambda: ["port"], lambda name: deaf, clock, 1500)
    for _ in range(400):
        link.step()
        clock.go(0.01)
    said = [data for _, data in deaf.heard]
    at_s, after_s = (deaf.heard[said.index(RESTART) + i][0] for i in (0, 1))
    assert after_s - at_s >= START_S


@dataclass
class Plugged:
    device: str
    vid: int | None = 0x2E8A
    pid: int | None = 0x0005
    serial_number: str | None = None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("auto", ["/dev/ttyACM1", "/dev/ttyACM3"]),
        ("/dev/serial/by-id/usb-MicroPython", ["/dev/serial/by-id/usb-MicroPython"]),
        ("e66", ["/dev/ttyACM3"]),
        ("e67", []),
    ],
)
def test_a_pico_is_found_by_what_it_is_by_path_or_by_its_number(wanted: str, found: list[str]) -> None:
    present = [
        Plugged("/dev/ttyACM3", serial_number="e66"),
        Plugged("/dev/ttyACM0", vid=0x2341),
        Plugged("/dev/ttyS0", vid=None, pid=None),
        Plugged("/dev/ttyACM2", pid=0x000C),  # the debug probe is no table light
        Plugged("/dev/ttyACM1"),
    ]
    assert port_names(wanted, present) == found


# --- buttons ------------------------------------------------------------------------------------


def test_short_and_long_presses_come_in_their_order(rig: PicoRig) -> None:
    rig.push("next")
    rig.go(0.2)
    rig.let_go("next")
    rig.go(0.1)
    rig.push("confirm")
    rig.go(LONG_S + 0.1)
    presses = rig.buttons.poll()
    assert [(press.button, press.long) for press in presses] == [("next", False), ("confirm", True)]
    rig.let_go("confirm")
    rig.go(0.1)
    assert rig.buttons.poll() == ()


@pytest.mark.parametrize("how", [lost, torn, flipped, twice])
def test_a_press_survives_a_bad_cable_and_stays_one_press(
    rig: PicoRig, how: Callable[[bytes, random.Random], bytes]
) -> None:
    rng = random.Random(3)
    rig.spoil_to_pico, rig.spoil_to_host = Spoiler(rng, how), Spoiler(rng, how)
    told: list[Press] = []
    for _ in range(8):
        rig.push("undo")
        rig.go(0.1)
        rig.let_go("undo")
        rig.settle()
        told += rig.buttons.poll()
    assert [press.button for press in told] == ["undo"] * 8


def test_a_stuck_button_is_named(rig: PicoRig) -> None:
    rig.push("undo")
    rig.go(STUCK_S + 0.1)
    rig.buttons.poll()
    assert rig.buttons.status() == Status("buttons", Condition.STUCK, {"button": "undo"})


def test_a_button_that_is_down_when_the_pico_comes_or_goes_is_no_press(rig: PicoRig) -> None:
    rig.push("confirm")
    rig.go(0.2)
    assert rig.buttons.poll() == ()
    rig.unplug()
    rig.go(2 * LONG_S)
    assert rig.buttons.poll() == ()
    rig.plug()
    rig.go(2.0)
    rig.let_go("confirm")
    rig.go(0.2)
    assert rig.buttons.poll() == ()
    rig.push("confirm")
    rig.go(0.2)
    rig.let_go("confirm")
    rig.go(0.2)
    assert [press.button for press in rig.buttons.poll()] == ["confirm"]


# --- the thread at the edge ---------------------------------------------------------------------


def test_with_its_own_thread_the_pico_shows_holds_and_closes() -> None:
    with running_board("cpython") as board, ThreadPoolExecutor() as pool:
        cable = Cable()
        board.boot(0)
        pico = Pico(LightsSettings(kind="pico", port=cable.name, brightness=1.0, budget_ma=5000))
        times_ms = count(1)

        def step(data: bytes) -> bytes:
            now_ms = next(times_ms)
            assert now_ms < PATIENCE_S * 1000, "the Pico's thread does nothing"
            return board.step(now_ms, data)

        def until(done: Callable[[], bool]) -> None:
            while not done():
                cable.exchange(step)

        def hold() -> bool:
            """A busy machine may need more than one try: the thread's clock is a real one."""
            asked = pool.submit(pico.lights.hold, dark=True)
            until(asked.done)
            return asked.result()

        pico.lights.show({"status": GREEN})
        until(lambda: bool(board.writes) and board.rgb == bytes(168) + bytes(GREEN) * 4)
        assert any(hold() for _ in range(10))
        assert board.rgb == bytes(180)
        pico.lights.close()
        pico.buttons.close()
        cable.pull()
