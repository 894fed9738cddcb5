"""The bench between set-up and the table's thread: pictures on demand, lights to be tried, statuses."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from hardware.build import Hardware, build
from hardware.ports import Picture
from hardware.settings import CameraSettings, HardwareSettings
from hardware.sim.devices import SimLights
from hardware.sim.state import SimTableState, View
from hardware.sim.table import SimTable
from pi_app.setup.workbench import Workbench


class Clock:
    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


def draw(state: SimTableState, view: View) -> Picture:
    return np.zeros((view.size_px[1], view.size_px[0], 3), np.uint8)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hardware(clock: Clock) -> Hardware:
    settings = HardwareSettings(camera=CameraSettings(kind="sim", width_px=640, height_px=360))
    return build(settings, clock, SimTable(0, clock), draw)


def lit(hardware: Hardware) -> Callable[[], dict[str, tuple[int, int, int]]]:
    assert isinstance(hardware.lights, SimLights)
    lights = hardware.lights
    return lambda: lights.showing


def test_a_full_picture_is_only_taken_for_somebody_who_waits(clock: Clock, hardware: Hardware) -> None:
    bench = Workbench(clock)
    clock.s = 10.0
    with bench.using(hardware):
        bench.once()
        assert bench.window.look(wait_s=0.0) is None
        seen: list[object] = []
        viewer = threading.Thread(target=lambda: seen.append(bench.window.look()))
        viewer.start()
        while not bench.window.waiting:
            pass
        bench.once()
        viewer.join()
    assert seen != [None]


def test_lights_are_tried_in_every_phase_and_the_games_come_back(clock: Clock, hardware: Hardware) -> None:
    bench, showing = Workbench(clock), lit(hardware)
    with bench.using(hardware):
        bench.light({"seat.1": (1, 2, 3)})
        bench.lamps.start("seat.2")
        bench.once()  # paused: nothing but the bench is asked
        assert list(showing()) == ["seat.2"]
        bench.light({"seat.4": (4, 4, 4)})  # the game goes on meanwhile
        assert list(showing()) == ["seat.2"]
        clock.s += 60
        bench.once()
        assert showing() == {"seat.4": (4, 4, 4)}


def test_statuses_are_those_of_the_devices_in_use(clock: Clock, hardware: Hardware) -> None:
    bench = Workbench(clock)
    assert bench.statuses() == ()
    assert bench.status("camera").ok  # nobody has asked yet
    with bench.using(hardware):
        bench.once()
    assert [status.device for status in bench.statuses()] == ["camera", "lights", "buttons", "sound"]
