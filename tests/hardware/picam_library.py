"""Stands in for picamera2 where there is no Pi. `test_picam_signatures.py` holds it to the real one's signatures."""

from collections.abc import Callable
from typing import Any

import numpy as np

SCRIBBLE = 0xEE
"""What stands in a picture's memory once the camera has it back."""


class CompletedRequest:
    """Its pictures lie in memory that is scribbled over as soon as it is released."""

    def __init__(self, library: "Picamera2", number: int) -> None:
        self.library, self._number = library, number
        self._rows = {name: self._drawn(name) for name in ("main", "lores")}
        self.mapped = 0
        library.out += 1

    def _drawn(self, name: str) -> Any:
        """Rows of bytes, padded to a multiple of 64."""
        width, height = self.library.config[name]["size"]
        if name == "lores":  # grey 128 in all three planes is grey in colour too
            return np.full((height * 3 // 2, -(-width // 64) * 64), 128, np.uint8)
        rows = np.zeros((height, -(-width * 3 // 64) * 64), np.uint8)
        rows[:, : width * 3] = np.tile(np.array((10, 20, 200), np.uint8), width)
        return rows

    def make_array(self, name: str) -> Any:
        with MappedArray(self, name) as mapped:
            self.library.copied.append(name)
            return mapped.array.copy()

    def _shared(self, name: str) -> Any:
        """Not copied: rows are padded on the right."""
        width, height = self.library.config[name]["size"]
        rows = self._rows[name]
        return rows if name == "lores" else rows[:, : 3 * width].reshape((height, width, 3))

    def get_metadata(self) -> dict[str, Any]:
        return {"SensorTimestamp": int(self.library.now() * 1e9), **self.library.metadata}

    def release(self) -> None:
        if self.mapped:
            raise RuntimeError("a picture is still looked at")
        self.library.out -= 1
        for rows in self._rows.values():
            rows[:] = SCRIBBLE


class MappedArray:
    """A picture where it lies, as long as it is entered."""

    def __init__(self, request: CompletedRequest, stream: str, reshape: bool = True, write: bool = True) -> None:
        self._request, self._stream = request, stream
        self.array: Any = None

    def __enter__(self) -> "MappedArray":
        self.array = self._request._shared(self._stream)
        self._request.mapped += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.array = None
        self._request.mapped -= 1


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
        self.copied: list[str] = []
        """The streams of which whole pictures were copied by the library."""

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
