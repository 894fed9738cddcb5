"""The picture of a kit's pieces as readers want it."""

import cv2
import numpy as np

from vision.faces import FacePicture
from vision.kit.kit import Kit


def face_picture(kit: Kit) -> FacePicture | None:
    """Every face of the kit's pieces as they are printed; None for a kit without loose pieces."""
    if kit.atlas is None:
        return None
    rgb = np.array(kit.atlas.draw().convert("RGB"))
    return FacePicture(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8), rgb.shape[1] / kit.atlas.size_mm[0])
