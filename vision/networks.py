"""The small networks that reading uses."""

import threading
from pathlib import Path
from typing import Any

import cv2

_own = threading.local()


def network(file: str) -> Any:
    """A network by its file beside this one: a copy for each thread, as OpenCV's must not be shared."""
    known: dict[str, Any] = _own.__dict__
    if file not in known:
        # Of OpenCV 5's two engines the older one, which is all that OpenCV 4 has, is faster with networks this small.
        engine = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()
        known[file] = cv2.dnn.readNetFromONNX(str(Path(__file__).with_name(file)), *engine)
    return known[file]
