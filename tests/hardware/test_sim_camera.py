"""The simulated camera is slower than a click: what was done between two pictures is seen all the same."""

from typing import Any

import numpy as np

from hardware.settings import CameraSettings
from hardware.sim.camera import SimCamera
from hardware.sim.state import SimTableState, View
from hardware.sim.table import SimTable


def test_a_hand_that_came_and_went_between_two_pictures_is_seen_once() -> None:
    now, hands = [0.0], list[list[str]]()

    def draw(state: SimTableState, view: View) -> Any:
        hands.append([hand.board for hand in state.hands if hand.there(view.at_s)])
        return np.zeros((1, 1, 3), np.uint8)

    def passing() -> float:
        now[0] += 0.001
        return now[0]

    table = SimTable(1, passing)
    camera = SimCamera(CameraSettings(), table, draw, passing)
    for at_s in (1.0, 9.0, 10.0):
        now[0] = at_s
        camera.small()
        if at_s == 1.0:
            now[0] = 2.0
            table.stroke("city-1", [(10.0, 10.0), (20.0, 20.0)])
    assert hands == [[], ["city-1"], []]
