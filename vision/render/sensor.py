"""From light to a picture file: lens blur, vignetting, noise, tone curve, JPEG."""

from functools import lru_cache

import cv2
import numpy as np

from vision.render.light import GAMMA, linear
from vision.render.noise import Array, chance
from vision.render.scene import Scene, Sensor
from vision.render.strokes import line_kernel

NOISE_TILE = 1024
SHARPENING_PX = 1.0
BLOTCHES_PX = (2.5, 6.0, 14.0)


def developed(linear_bgr: Array, scene: Scene) -> Array:
    """The light as the sensor measures it, but for its noise: half-encoded by a square root, 0 to 255.

    So encoded, photon noise is equally strong everywhere. Uses up its argument.
    """
    sensor, lights = scene.sensor, scene.lights
    light = _vignetted(_blurred(linear_bgr, sensor), sensor.vignette)
    light *= linear(lights.cast_bgr) * np.float32(lights.level)
    half: Array = np.asarray(cv2.sqrt(np.clip(light, 0, 1, out=light)))
    half *= 255
    return half


def delivered(developed_bgr: Array, scene: Scene) -> Array:
    """The frame (BGR uint8) that the camera delivers of it at this moment."""
    sensor, half = scene.sensor, developed_bgr
    if sensor.noise:
        half = half.copy()
        _add(half, _noise_tile(sensor.noise), scene)
        if sensor.blotches:
            _add(half, _blotch_tile(sensor.noise * sensor.blotches), scene)
    frame = np.asarray(cv2.LUT(cv2.convertScaleAbs(np.maximum(half, 0)), _tone_curve()))
    if sensor.sharpening:
        soft = cv2.GaussianBlur(frame, (0, 0), SHARPENING_PX)
        frame = np.asarray(cv2.addWeighted(frame, 1 + sensor.sharpening, soft, -sensor.sharpening, 0))
    return frame if sensor.jpeg_quality is None else _through_jpeg(frame, sensor.jpeg_quality)


def _blurred(light: Array, sensor: Sensor) -> Array:
    if sensor.blur_px:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur_px))
    if sensor.motion_px > 1:
        light = np.asarray(cv2.filter2D(light, -1, line_kernel(sensor.motion_px, sensor.motion_deg)))
    return light


def _vignetted(light: Array, vignette: float) -> Array:
    if vignette:
        y, x = (np.linspace(-1, 1, extent, dtype=np.float32) ** 2 for extent in light.shape[:2])
        light *= (1 - vignette * (x[None, :] + y[:, None]) / 2)[..., None]
    return light


def _add(picture: Array, noise_tile: Array, scene: Scene) -> None:
    """Adds a piece of a fixed field of noise: a new one would cost more than all the rest of the frame."""
    x, y = (int(n) for n in chance("noise", scene.seed, scene.moment).integers(0, NOISE_TILE, 2))
    height, width = picture.shape[:2]
    for top in range(y - NOISE_TILE, height, NOISE_TILE):
        for left in range(x - NOISE_TILE, width, NOISE_TILE):
            part = picture[max(top, 0) : top + NOISE_TILE, max(left, 0) : left + NOISE_TILE]
            rows, columns = part.shape[:2]
            part += noise_tile[max(-top, 0) :, max(-left, 0) :][:rows, :columns]


@lru_cache(maxsize=4)
def _noise_tile(strength: float) -> Array:
    """Noise of this standard deviation, slightly blotchy in colour as after demosaicing."""
    rng = chance("noise tile")
    grey = rng.standard_normal((NOISE_TILE, NOISE_TILE, 1)).astype(np.float32)
    colour = np.asarray(
        cv2.GaussianBlur(rng.standard_normal((NOISE_TILE, NOISE_TILE, 3)).astype(np.float32), (0, 0), 0.8)
    )
    return np.asarray(0.75 * grey + 0.66 * colour / colour.std(), np.float32) * np.float32(strength)


@lru_cache(maxsize=4)
def _blotch_tile(strength: float) -> Array:
    """Colour noise of this standard deviation at several sizes, none of them small."""
    rng, total = chance("blotch tile"), np.zeros((NOISE_TILE, NOISE_TILE, 3), np.float32)
    for size_px in BLOTCHES_PX:
        shrink = max(1, int(size_px // 2))
        side = NOISE_TILE // shrink
        fine = rng.standard_normal((side, side, 3)).astype(np.float32)
        coarse = cv2.GaussianBlur(fine, (0, 0), size_px / shrink, borderType=cv2.BORDER_REFLECT)
        total += np.asarray(cv2.resize(coarse / coarse.std(), (NOISE_TILE, NOISE_TILE)))
    return np.asarray(total / total.std(), np.float32) * np.float32(strength)


@lru_cache(maxsize=1)
def _tone_curve() -> Array:
    return np.round(255 * (np.arange(256) / 255) ** (2 / GAMMA)).astype(np.uint8)


def _through_jpeg(frame: Array, quality: int) -> Array:
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded)
