"""Stands in for picamera2 where there is no Pi. `test_picam_signatures.py` holds it to the real one's signatures."""

from collections.abc import Callable
from typing import Any

import numpy as np


class CompletedRequest:
    def __init__(self, library: "Picamera2", number: int) -> None:
        self._library, self._number = library, number
        library.out += 1

    def make_array(self, name: str) -> Any:
        width, height = self._library.config[name]["size"]
        if name == "lores":
            # Rows are padded to a multiple of 64 bytes; grey 128 in all three planes is grey in colour too.
            stride = -(-width // 64) * 64
            return np.full((height * 3 // 2, stride), 128, np.uint8)
        return np.full((height, width, 3), (10, 20, 200), np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return {"SensorTimestamp": int(self._library.now() * 1e9), **self._library.metadata}

    def release(self) -> None:
        self._library.out -= 1


class Picamera2:
    """A camera that delivers whenever asked, until it is `frozen` or `gone`."""

    def __init__(self, camera_num: int = 0, *, now: Callable[[], float] = lambda: 0.0) -> None:
        self.now = now
        self.metadata: dict[str, Any] = {
            "ExposureTime": 14_000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.9, 1.4),
            "LensPosition": 1.1,
        }
        self.camera_controls = dict.fromkeys(
            ["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "AfMode", "LensPosition"]
        )
        self.frozen = self.gone = self.started = False
        self.set: dict[str, Any] = {}
        self.flushed: list[bool | None] = []
        self.out = self.taken = 0

    def create_video_configuration(
        self, main: Any = None, lores: Any = None, controls: Any = None, buffer_count: int = 6, **others: Any
    ) -> dict[str, Any]:
        return {"main": main, "lores": lores, "controls": controls}

    def configure(self, camera_config: Any = None) -> None:
        self.config = camera_config

    def start(self) -> None:
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = controls.keys() - self.camera_controls.keys()
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.set.update(controls)

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> Any:
        if self.gone:
            raise RuntimeError("Camera frontend has timed out!")
        self.flushed.append(flush)
        return "job"

    def wait(self, job: Any, timeout: float | None = None) -> CompletedRequest:
        if self.frozen:
            raise TimeoutError
        self.taken += 1
        return CompletedRequest(self, self.taken)
