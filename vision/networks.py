"""The small networks that reading uses."""

import threading
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Image

_own = threading.local()


def network(file: str) -> Any:
    """A network by its file beside this one: a copy for each thread, as OpenCV's must not be shared."""
    known: dict[str, Any] = _own.__dict__
    if file not in known:
        # Of OpenCV 5's two engines the older one, which is all that OpenCV 4 has, is faster with networks this small.
        engine = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()
        known[file] = cv2.dnn.readNetFromONNX(str(Path(__file__).with_name(file)), *engine)
    return known[file]


def outputs_of(file: str, pictures_bgr: Image) -> NDArray[np.floating[Any]]:
    """A network's outputs for pictures of one size."""
    net = network(file)
    count, height, width, channels = pictures_bgr.shape
    # Written plane by plane: several times faster than OpenCV's own blobs.
    planes = np.empty((count, channels, height, width), np.float32)
    for picture, target in zip(pictures_bgr, planes, strict=True):
        for plane, channel in zip(cv2.split(picture), target, strict=True):
            channel[...] = plane
    net.setInput(planes)
    return cast(NDArray[np.floating[Any]], net.forward())
