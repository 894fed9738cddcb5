"""The small networks that reading uses."""

import threading
from pathlib import Path
from typing import Any

import cv2

_own = threading.local()


def network(file: str, classic: bool = False) -> Any:
    """A network by its file beside this one: a copy for each thread, as OpenCV's must not be shared.

    OpenCV 5 has two engines; `classic` asks for the older one, the only one of OpenCV 4.
    """
    known: dict[str, Any] = _own.__dict__
    if file not in known:
        engine = (cv2.dnn.ENGINE_CLASSIC,) if classic and hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()
        known[file] = cv2.dnn.readNetFromONNX(str(Path(__file__).with_name(file)), *engine)
    return known[file]
