"""Renders training pictures of dice with Blender's path tracer; needs Python 3.11 with `pip install bpy`.

    python tools/dice/render.py OUT --first 0 --count 1000 [--textures DIR]

Every picture has its number as its seed: dice of many makes among things that are no dice, on many
tables, under many lights, seen from above or at a slant. Beside NNNNN.jpg, NNNNN.json holds for each
die its value, the four corners of its top face (px), and its slant. `--textures` names a folder of PNG
files that may lie about as printed sheets (the boards of a kit). About 5 s a picture on one core.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy  # type: ignore[import-not-found]
import numpy as np
from bpy_extras.object_utils import world_to_camera_view  # type: ignore[import-not-found]
from mathutils import Matrix, Vector  # type: ignore[import-not-found]

SIZE = 400
FACE_PX = 96
"""Resolution of one face in a die's texture."""
GRID = 30
"""Squares along the edge of a face in a die's mesh: enough for drilled pips."""
SIDES = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, 1, 0), 5: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}
Rng = np.random.Generator


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--textures", type=Path)
    args = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else None)
    args.out.mkdir(parents=True, exist_ok=True)
    sheets = sorted(args.textures.glob("*.png")) if args.textures else []
    for number in range(args.first, args.first + args.count):
        target = args.out / f"{number:05}.jpg"
        if target.exists():
            continue
        truth = build(np.random.default_rng(number), sheets)
        bpy.context.scene.render.filepath = str(target)
        bpy.ops.render.render(write_still=True)
        target.with_suffix(".json").write_text(json.dumps(truth))


def build(rng: Rng, sheets: list[Path]) -> dict[str, Any]:
    """A whole scene; returns the truth about its dice."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _engine(rng)
    slant = float(rng.choice([rng.uniform(0, 12), rng.uniform(12, 35), rng.uniform(35, 58)], p=[0.42, 0.3, 0.28]))
    camera = _camera(rng, slant)
    _lights(rng)
    _table(rng)
    if sheets and rng.random() < 0.3:
        _sheet(rng, str(rng.choice([str(sheet) for sheet in sheets])))
    dice = _dice(rng)
    for _ in range(int(rng.integers(2, 16))):
        _thing(rng, [die for die, _ in dice])
    bpy.context.view_layer.update()
    found = [_truth(camera, die, value) for die, value in dice]
    return {"size": SIZE, "slant_deg": slant, "dice": [die for die in found if die]}


def _engine(rng: Rng) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = int(rng.integers(4, 9))
    scene.cycles.use_denoising = bool(rng.random() < 0.5)
    scene.cycles.max_bounces = 3
    scene.cycles.transmission_bounces = 4
    scene.cycles.seed = int(rng.integers(1 << 30))
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 1
    scene.render.use_persistent_data = False
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 95
    scene.view_settings.view_transform = str(rng.choice(["Standard", "AgX", "Filmic"], p=[0.6, 0.2, 0.2]))
    scene.view_settings.exposure = float(rng.normal(0.2, 0.5))


def _camera(rng: Rng, slant_deg: float) -> Any:
    data = bpy.data.cameras.new("camera")
    data.angle = math.radians(rng.uniform(18, 50))
    camera = bpy.data.objects.new("camera", data)
    bpy.context.collection.objects.link(camera)
    edges_across = rng.uniform(6.0, 12.5)
    distance = edges_across / 2 / math.tan(data.angle / 2)
    # With a strong slant the picture stands upright, as people hold cameras; from above it may be turned.
    upright = slant_deg > 33 or rng.random() < 0.4
    roll = rng.normal(0, 8) if upright else rng.uniform(-180, 180)
    turn = Matrix.Rotation(math.radians(slant_deg), 4, "X") @ Matrix.Rotation(math.radians(roll), 4, "Z")
    camera.matrix_world = turn @ Matrix.Translation((0, 0, distance))
    camera.matrix_world.translation = turn.to_3x3() @ Vector((0, 0, distance)) + Vector((0, 0, 0.5))
    if rng.random() < 0.35:
        data.dof.use_dof = True
        data.dof.focus_distance = distance * rng.uniform(0.93, 1.05)
        data.dof.aperture_fstop = rng.uniform(0.02, 0.2) * 50 / distance
    bpy.context.scene.camera = camera
    return camera


def _lights(rng: Rng) -> None:
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    sky = nodes.new("ShaderNodeTexEnvironment")
    sky.image = _image("sky", _sky(rng))
    background = nodes["Background"]
    background.inputs["Strength"].default_value = rng.uniform(0.15, 0.9)
    links.new(sky.outputs["Color"], background.inputs["Color"])
    for _ in range(int(rng.integers(0, 3))):
        sun = bpy.data.lights.new("lamp", "AREA")
        away = rng.uniform(8, 25)
        sun.size = float(np.exp(rng.uniform(np.log(0.3), np.log(10))))
        sun.energy = away * away * rng.uniform(2, 22)
        sun.color = _warmth(rng)
        lamp = bpy.data.objects.new("lamp", sun)
        around, up = rng.uniform(0, 2 * math.pi), rng.uniform(math.radians(18), math.radians(88))
        lamp.location = away * np.array(
            [math.cos(around) * math.cos(up), math.sin(around) * math.cos(up), math.sin(up)]
        )
        lamp.rotation_euler = (Vector((0, 0, 0)) - lamp.location).to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(lamp)


def _warmth(rng: Rng) -> tuple[float, float, float]:
    warm = rng.normal(0, 0.16)
    return (1.0, float(np.clip(1 - 0.35 * abs(warm), 0.5, 1)), float(np.clip(1 - 1.6 * max(warm, 0) + 0.3, 0.3, 1.3)))


def _sky(rng: Rng) -> np.ndarray:
    """A room around the table: grey walls with a few windows and lamps, for shiny dice to mirror."""
    sky = np.ones((64, 128, 3)) * rng.uniform(0.3, 0.9)
    sky *= np.linspace(rng.uniform(0.2, 0.8), 1, 64)[:, None, None]
    for _ in range(int(rng.integers(0, 7))):
        x, y, w, h = rng.integers(0, 120), rng.integers(25, 62), rng.integers(2, 30), rng.integers(2, 20)
        sky[y : y + h, x : x + w] = rng.uniform(0.02, 6)
    return sky * np.array(_warmth(rng))


def _table(rng: Rng) -> None:
    bpy.ops.mesh.primitive_plane_add(size=80)
    material = _material(rng, _colour(rng), roughness=rng.uniform(0.15, 1))
    kind = rng.choice(["plain", "noise", "wood", "pattern", "check", "weave"], p=[0.28, 0.17, 0.17, 0.18, 0.06, 0.14])
    nodes, links = material.node_tree.nodes, material.node_tree.links
    if kind == "pattern":
        _paint(material, _image("pattern", pattern(rng)), rng.uniform(3, 12) / 80)
    elif kind != "plain":
        texture = nodes.new(
            {"noise": "ShaderNodeTexNoise", "check": "ShaderNodeTexChecker"}.get(kind, "ShaderNodeTexWave")
        )
        texture.inputs["Scale"].default_value = float(np.exp(rng.uniform(np.log(0.4), np.log(9))))
        if kind == "wood":
            texture.inputs["Distortion"].default_value = rng.uniform(1, 14)
            texture.inputs["Detail"].default_value = 5
        if kind == "weave":
            texture.inputs["Scale"].default_value = rng.uniform(1, 6)
            texture.wave_profile = "SIN"
            texture.bands_direction = "DIAGONAL"
        where = nodes.new("ShaderNodeTexCoord")
        links.new(where.outputs["Object"], texture.inputs["Vector"])
        ramp = nodes.new("ShaderNodeValToRGB")
        first = _colour(rng)
        second = _colour(rng) if rng.random() < 0.35 else tuple(np.clip(np.array(first) * rng.uniform(0.4, 1.6), 0, 1))
        for stop, colour in zip(ramp.color_ramp.elements, (first, second), strict=True):
            stop.color = (*colour, 1)
        out = texture.outputs["Fac"] if "Fac" in texture.outputs else texture.outputs[1]
        links.new(out, ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    if rng.random() < 0.4:
        grain = nodes.new("ShaderNodeTexNoise")
        where = nodes.new("ShaderNodeTexCoord")
        grain.inputs["Scale"].default_value = rng.uniform(2, 40)
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = rng.uniform(0.1, 1)
        bump.inputs["Distance"].default_value = 0.05
        links.new(where.outputs["Object"], grain.inputs["Vector"])
        links.new(grain.outputs[0], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], nodes["Principled BSDF"].inputs["Normal"])
    bpy.context.object.data.materials.append(material)


def _sheet(rng: Rng, path: str) -> None:
    """A printed sheet, as large against the dice as the real one."""
    image = bpy.data.images.load(path)
    width = rng.uniform(11, 14)
    bpy.ops.mesh.primitive_plane_add(size=1, location=(*rng.uniform(-4, 4, 2), 0.01))
    sheet = bpy.context.object
    sheet.scale = (width, width * image.size[1] / image.size[0], 1)
    sheet.rotation_euler = (0, 0, rng.uniform(0, 6.3))
    material = _material(rng, (1, 1, 1), roughness=rng.uniform(0.2, 0.9))
    _paint(material, image, None)
    sheet.data.materials.append(material)


def _paint(material: Any, image: Any, repeat_per_unit: float | None) -> None:
    nodes, links = material.node_tree.nodes, material.node_tree.links
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    if repeat_per_unit is not None:
        where, scale = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
        scale.inputs["Scale"].default_value = (1 / (80 * repeat_per_unit),) * 3
        links.new(where.outputs["Object"], scale.inputs["Vector"])
        links.new(scale.outputs["Vector"], texture.inputs["Vector"])
    links.new(texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])


def _image(name: str, rgb: np.ndarray) -> Any:
    height, width = rgb.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = rgb
    image.pixels.foreach_set(rgba.ravel())
    image.update()
    return image


def _material(rng: Rng, colour: Any, roughness: float, clear: float = 0.0, metal: float = 0.0) -> Any:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Transmission Weight"].default_value = clear
    shader.inputs["Metallic"].default_value = metal
    shader.inputs["IOR"].default_value = rng.uniform(1.2, 1.55)
    return material


def _colour(rng: Rng) -> tuple[float, float, float]:
    """Linear RGB: greys, browns and colours, dark to light."""
    value = rng.uniform(0.02, 1) ** 1.6
    saturation = rng.choice([rng.uniform(0, 0.15), rng.uniform(0.3, 0.95)])
    hue = rng.choice([rng.uniform(0, 1), rng.normal(0.08, 0.03)])
    parts = np.abs((hue * 6 + np.array([0, 4, 2])) % 6 - 3) - 1
    return tuple(float(part) for part in value * (1 - saturation * (1 - np.clip(parts, 0, 1))))  # type: ignore[return-value]


def pattern(rng: Rng, size: int = 256) -> np.ndarray:
    """A printed or woven pattern: dots, rings, stripes, letters' strokes, outlined squares with dots."""
    picture = np.ones((size, size, 3)) * np.array(_colour(rng))
    y, x = np.mgrid[:size, :size]
    kind = rng.choice(["dots", "scatter", "stripes", "strokes", "weave"])
    ink = np.array(_colour(rng))
    if kind == "dots":
        step = size // int(rng.integers(6, 40))
        row = (y // step) % 2 * step / 2 * rng.integers(0, 2)
        away = np.hypot((x + row) % step - step / 2, y % step - step / 2)
        picture[away < step * rng.uniform(0.15, 0.42)] = ink
    elif kind == "weave":
        step = size // int(rng.integers(10, 50))
        over = ((x // step) + (y // step)) % 2
        round_ = np.where(over, np.sin(np.pi * (y % step) / step), np.sin(np.pi * (x % step) / step))
        picture *= (0.35 + 0.65 * round_)[..., None]
    elif kind == "stripes":
        step = size // int(rng.integers(5, 40))
        picture[(x // step) % 2 == 0] = ink
        if rng.random() < 0.6:
            picture[(y // step) % 2 == 0] *= rng.uniform(0.4, 1)
    else:
        for _ in range(int(rng.integers(30, 160))):
            cx, cy = rng.integers(0, size, 2)
            if kind == "scatter":
                away = np.hypot(x - cx, y - cy)
                radius = rng.uniform(2, 14)
                here = (away < radius) if rng.random() < 0.7 else np.abs(away - radius) < 1.5
            else:
                w, h = rng.integers(1, 4), rng.integers(4, 16)
                here = (np.abs(x - cx) < (w if rng.random() < 0.5 else h)) & (
                    np.abs(y - cy) < (h if rng.random() < 0.5 else w)
                )
            picture[here] = ink if rng.random() < 0.7 else np.array(_colour(rng))
    return picture


def pip_places(value: int, straight: bool) -> list[tuple[float, float]]:
    """Where the pips of a value sit, in steps from the middle."""
    corners = [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]
    if value == 2 and straight:
        return [(-0.8, 0.0), (0.8, 0.0)]
    places = corners[: value // 2 * 2 if value < 6 else 4]
    if value % 2:
        places = [*places, (0.0, 0.0)]
    if value == 6:
        places = [*corners, (-1.0, 0.0), (1.0, 0.0)]
    return places


class Make:
    """How the dice of one set look: shape, pips, material."""

    def __init__(self, rng: Rng) -> None:
        self.edge = rng.uniform(0.04, 0.36)
        self.ball = rng.uniform(1.28, 1.75) if rng.random() < 0.55 else 2.0
        self.step = rng.uniform(0.42, 0.6)
        self.radius = rng.uniform(0.13, 0.24)
        self.radius_of_one = self.radius * (rng.uniform(1.2, 2.0) if rng.random() < 0.2 else 1)
        self.depth = rng.choice([0.0, rng.uniform(0.15, 0.9)], p=[0.4, 0.6])
        self.straight = rng.random() < 0.07
        self.material = _die_material(rng, self)
        self.mesh = _die_mesh(self)


def _pip_layout(make: Make, value: int) -> list[tuple[float, float, float]]:
    radius = make.radius_of_one if value == 1 else make.radius
    return [(u * make.step, v * make.step, radius) for u, v in pip_places(value, make.straight)]


def _atlas(make: Make, special: bool) -> np.ndarray:
    """Pips of the six faces side by side: red channel pip, green channel pip of a special colour."""
    axis = (np.arange(FACE_PX) + 0.5) / FACE_PX * 2 - 1
    u, v = np.meshgrid(axis, axis)
    atlas = np.zeros((FACE_PX, FACE_PX * 6, 3))
    for value in range(1, 7):
        for pu, pv, radius in _pip_layout(make, value):
            inside = np.clip((radius - np.hypot(u - pu, v - pv)) * FACE_PX / 2 + 0.5, 0, 1)
            face = atlas[:, (value - 1) * FACE_PX : value * FACE_PX]
            face[..., 0] = np.maximum(face[..., 0], inside)
            if special and value in (1, 4):
                face[..., 1] = np.maximum(face[..., 1], inside)
    return atlas


def _die_mesh(make: Make) -> Any:
    """A rounded cube of edge 2 with pips pressed in, every face with its part of the atlas."""
    line = np.linspace(-1, 1, GRID + 1)
    # Denser toward the rim, where the surface bends.
    line = np.sign(line) * np.abs(line) ** 0.85
    v, u = np.meshgrid(line, line, indexing="ij")
    points, quads, uvs = [], [], []
    index = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1)
    square = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], -1).reshape(-1, 4)
    for value, side in SIDES.items():
        normal = np.array(side, float)
        first = np.array((1.0, 0, 0)) if abs(normal[0]) < 0.5 else np.array((0, 1.0, 0))
        second = np.cross(normal, first)
        flat = normal + u[..., None] * first + v[..., None] * second
        inner = np.clip(flat, -1 + make.edge, 1 - make.edge)
        out = flat - inner
        out /= np.maximum(np.linalg.norm(out, axis=2, keepdims=True), 1e-9)
        surface = inner + out * make.edge
        length = np.linalg.norm(surface, axis=2, keepdims=True)
        surface *= np.minimum(1, make.ball / length)
        if make.depth:
            for pu, pv, radius in _pip_layout(make, value):
                away = np.hypot(surface @ first - pu, surface @ second - pv) / radius
                surface -= (make.depth * 0.5 * radius * np.sqrt(np.clip(1 - away**2, 0, 1)))[..., None] * normal
        quads.append(square + len(points) * (GRID + 1) ** 2)
        points.append(surface.reshape(-1, 3))
        at = np.stack([((surface @ first + 1) / 2 + value - 1) / 6, (surface @ second + 1) / 2], -1).reshape(-1, 2)
        uvs.append(at[square.ravel()])
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(np.concatenate(points).tolist(), [], np.concatenate(quads).tolist())
    layer = mesh.uv_layers.new()
    layer.data.foreach_set("uv", np.concatenate(uvs).astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(make.material)
    return mesh


def _die_colours(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Body and pips, far enough apart to be told by eye."""
    kind = rng.choice(["classic", "black", "light pips", "dark pips", "any"], p=[0.27, 0.1, 0.33, 0.12, 0.18])
    light, dark = (
        rng.uniform(0.55, 1) * np.array([1, rng.uniform(0.9, 1), rng.uniform(0.65, 1)]),
        rng.uniform(0.0, 0.06) * np.ones(3),
    )
    while True:
        body, pips = np.array(_colour(rng)), np.array(_colour(rng))
        if kind == "classic":
            body, pips = light, dark if rng.random() < 0.8 else pips
        elif kind == "black":
            body, pips = dark, light if rng.random() < 0.8 else pips
        elif kind == "light pips":
            pips = light
        elif kind == "dark pips":
            pips = dark
        if abs(body.mean() ** 0.45 - pips.mean() ** 0.45) > 0.22 or np.abs(body**0.45 - pips**0.45).max() > 0.5:
            return body, pips


def _die_material(rng: Rng, make: Make) -> Any:
    body, pips = _die_colours(rng)
    finish = rng.choice(["plain", "clear", "marble", "wood", "metal"], p=[0.62, 0.18, 0.1, 0.07, 0.03])
    rough = rng.uniform(0.02, 0.3) if rng.random() < 0.6 else rng.uniform(0.3, 0.9)
    clear = rng.uniform(0.5, 1) if finish == "clear" else 0.0
    material = _material(rng, body, rough, clear, 1.0 if finish == "metal" else 0.0)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    atlas = nodes.new("ShaderNodeTexImage")
    special = rng.random() < 0.12
    atlas.image = _image("atlas", _atlas(make, special))
    parts = nodes.new("ShaderNodeSeparateColor")
    links.new(atlas.outputs["Color"], parts.inputs["Color"])
    mix, mix_special = nodes.new("ShaderNodeMixRGB"), nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value = (*body, 1)
    mix.inputs["Color2"].default_value = (*pips, 1)
    links.new(parts.outputs[0], mix.inputs["Fac"])
    links.new(mix.outputs["Color"], mix_special.inputs["Color1"])
    mix_special.inputs["Color2"].default_value = (0.6, 0.02, 0.02, 1)
    links.new(parts.outputs[1], mix_special.inputs["Fac"])
    links.new(mix_special.outputs["Color"], shader.inputs["Base Color"])
    if finish in ("marble", "wood"):
        veins = nodes.new("ShaderNodeTexNoise" if finish == "marble" else "ShaderNodeTexWave")
        veins.inputs["Scale"].default_value = rng.uniform(0.6, 3)
        veins.inputs["Distortion"].default_value = rng.uniform(0.5, 6)
        where = nodes.new("ShaderNodeTexCoord")
        links.new(where.outputs["Object"], veins.inputs["Vector"])
        ramp = nodes.new("ShaderNodeValToRGB")
        other = np.clip(body * rng.uniform(0.5, 1.5, 3), 0, 1)
        for stop, colour in zip(ramp.color_ramp.elements, (body, other), strict=True):
            stop.color = (*colour, 1)
        links.new(veins.outputs["Fac"] if "Fac" in veins.outputs else veins.outputs[1], ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], mix.inputs["Color1"])
    if clear:
        block = nodes.new("ShaderNodeMath")
        block.operation = "MULTIPLY_ADD"
        block.inputs[1].default_value = -clear
        block.inputs[2].default_value = clear
        links.new(parts.outputs[0], block.inputs[0])
        links.new(block.outputs[0], shader.inputs["Transmission Weight"])
        if rng.random() < 0.5:
            shader.inputs["Roughness"].default_value = rng.uniform(0, 0.12)
    return material


def _dice(rng: Rng) -> list[tuple[Any, int]]:
    makes = [Make(rng) for _ in range(int(rng.integers(1, 5)))]
    scales = [0.5 * rng.uniform(0.72, 1.3) for _ in makes]
    placed: list[tuple[Any, int]] = []
    taken: list[tuple[np.ndarray, float]] = []
    count = int(rng.integers(0, 26)) if rng.random() > 0.04 else 0
    touching = rng.random() < 0.35
    for _ in range(count):
        which = int(rng.integers(len(makes)))
        half = scales[which]
        spot = _free_spot(rng, taken, half, touching)
        if spot is None:
            continue
        at, spin = spot
        taken.append((at, half))
        value = int(rng.integers(1, 7))
        die = bpy.data.objects.new("die", makes[which].mesh)
        up = Vector(SIDES[value]).rotation_difference(Vector((0, 0, 1))).to_matrix().to_4x4()
        place = Matrix.Translation((at[0], at[1], half)) @ Matrix.Rotation(spin, 4, "Z")
        die.matrix_world = place @ Matrix.Scale(half, 4) @ up
        die["half"], die["spin"] = half, spin
        bpy.context.collection.objects.link(die)
        placed.append((die, value))
    return placed


def _free_spot(
    rng: Rng, taken: list[tuple[np.ndarray, float]], half: float, touching: bool
) -> tuple[np.ndarray, float] | None:
    for _ in range(30):
        spin = rng.uniform(0, 2 * math.pi)
        at = rng.uniform(-4.6, 4.6, 2)
        if touching and taken and rng.random() < 0.7:
            # Flush with a neighbour, side against side, sometimes slid along it.
            beside, other = taken[int(rng.integers(len(taken)))]
            spin = math.atan2(beside[1] + 17.3, beside[0] * 3.1) if rng.random() < 0.3 else 0.0
            way = (
                np.array([math.cos(spin), math.sin(spin)])
                if rng.random() < 0.5
                else np.array([-math.sin(spin), math.cos(spin)])
            )
            slide = np.array([-way[1], way[0]]) * rng.choice([0.0, rng.normal(0, 0.3)]) * half
            at = beside + way * rng.choice([-1, 1]) * (half + other) * rng.uniform(1.0, 1.06) + slide
        clear = 2.0 if touching else 2.83
        if all(
            np.abs(at - spot).max() >= (half + other) * 0.99 or np.hypot(*(at - spot)) > (half + other) * 1.42
            for spot, other in taken
        ) and (touching or all(np.hypot(*(at - spot)) > (half + other) * clear / 2 for spot, other in taken)):
            return at, spin
    return None


def _thing(rng: Rng, dice: list[Any]) -> None:
    """Something that is no die, clear of the dice."""
    for _ in range(20):
        at = rng.uniform(-5, 5, 2)
        if all(np.hypot(at[0] - die.location[0], at[1] - die.location[1]) > 1.35 for die in dice):
            break
    else:
        return
    kind = rng.choice(
        ["ball", "coin", "ring", "cube", "letter cube", "domino", "card", "solid", "rod", "screw", "beads"]
    )
    size = rng.uniform(0.25, 0.6)
    add = bpy.ops.mesh
    spin = rng.uniform(0, 6.3)
    if kind == "ball":
        add.primitive_uv_sphere_add(radius=size, location=(*at, size), segments=24, ring_count=16)
    elif kind == "coin":
        add.primitive_cylinder_add(radius=size, depth=0.1, location=(*at, 0.05))
    elif kind == "ring":
        add.primitive_torus_add(major_radius=size, minor_radius=size * rng.uniform(0.1, 0.4), location=(*at, 0.1))
    elif kind in ("cube", "letter cube"):
        add.primitive_cube_add(size=size * 2, location=(*at, size), rotation=(0, 0, spin))
    elif kind == "domino":
        add.primitive_cube_add(size=1, location=(*at, 0.1), rotation=(0, 0, spin))
        bpy.context.object.scale = (1, 2, 0.2)
    elif kind == "card":
        add.primitive_plane_add(size=1, location=(*at, 0.02), rotation=(0, 0, spin))
        bpy.context.object.scale = (rng.uniform(0.8, 2.5), rng.uniform(0.8, 2.5), 1)
    elif kind == "solid":
        add.primitive_ico_sphere_add(
            subdivisions=1, radius=size, location=(*at, size * 0.8), rotation=rng.uniform(0, 6, 3)
        )
    elif kind == "rod":
        add.primitive_cylinder_add(
            radius=size * 0.4, depth=rng.uniform(2, 9), location=(*at, size * 0.4), rotation=(math.pi / 2, 0, spin)
        )
    elif kind == "screw":
        add.primitive_cylinder_add(radius=size * 0.5, depth=0.3, location=(*at, 0.3), vertices=int(rng.choice([6, 24])))
    else:
        for _ in range(int(rng.integers(2, 9))):
            r = rng.uniform(0.05, 0.16)
            add.primitive_uv_sphere_add(
                radius=r, location=(*(at + rng.uniform(-0.5, 0.5, 2)), r * 0.7), segments=12, ring_count=8
            )
            bpy.context.object.data.materials.append(_material(rng, _colour(rng), 0.4))
        return
    material = _material(rng, _colour(rng), rng.uniform(0.05, 0.9), metal=float(rng.random() < 0.2))
    if kind in ("letter cube", "card", "domino", "coin", "solid") and rng.random() < 0.85:
        _paint(material, _image("sign", sign(rng, kind)), None)
    bpy.context.object.data.materials.append(material)


def sign(rng: Rng, kind: str) -> np.ndarray:
    """What is printed on a thing: strokes like letters, rings, outlined faces, or a domino's halves."""
    size = 96
    picture = np.ones((size, size, 3)) * np.array(_colour(rng))
    ink = np.array(_colour(rng))
    y, x = np.mgrid[:size, :size] / size * 2 - 1
    if kind == "domino":
        picture[np.abs(y) < 0.04] = ink
        for half in (-0.5, 0.5):
            for u, v in pip_places(int(rng.integers(1, 7)), False):
                picture[np.hypot(x - u * 0.5, (y - half - v * 0.25) * 2) < 0.18] = ink
        return picture
    style = rng.choice(["strokes", "rings", "outline"])
    if style == "strokes":
        for _ in range(int(rng.integers(2, 9))):
            cx, cy, turn = *rng.uniform(-0.7, 0.7, 2), rng.uniform(0, 3.2)
            along = (x - cx) * math.cos(turn) + (y - cy) * math.sin(turn)
            across = -(x - cx) * math.sin(turn) + (y - cy) * math.cos(turn)
            picture[(np.abs(along) < rng.uniform(0.1, 0.6)) & (np.abs(across) < rng.uniform(0.03, 0.12))] = ink
    elif style == "rings":
        for _ in range(int(rng.integers(1, 5))):
            away = np.hypot(x - rng.uniform(-0.5, 0.5), y - rng.uniform(-0.5, 0.5))
            radius = rng.uniform(0.1, 0.8)
            picture[np.abs(away - radius) < rng.uniform(0.03, 0.15)] = ink
    else:
        # A face only drawn on paper: an outline around pips, often within a ring.
        scale = rng.uniform(0.35, 0.6)
        rim = np.maximum(np.abs(x), np.abs(y))
        picture[np.abs(rim - scale) < 0.03] = ink
        for u, v in pip_places(int(rng.integers(1, 7)), False):
            picture[np.hypot(x - u * scale * 0.52, y - v * scale * 0.52) < scale * 0.17] = ink
        picture[np.abs(np.hypot(x, y) - scale * 1.55) < 0.03] = ink
    return picture


def _truth(camera: Any, die: Any, value: int) -> dict[str, Any] | None:
    half, spin = die["half"], die["spin"]
    corners = []
    for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        at = Matrix.Rotation(spin, 4, "Z") @ Vector((u * half, v * half, half))
        corners.append(die.location + at)
    middle = die.location + Vector((0, 0, half))
    toward = camera.location - middle
    slant = math.degrees(toward.angle(Vector((0, 0, 1))))
    edge = 2 * half / toward.length * (SIZE / 2) / math.tan(camera.data.angle / 2)
    seen = [world_to_camera_view(bpy.context.scene, camera, point) for point in (*corners, middle)]
    px = [(round(point.x * SIZE, 2), round((1 - point.y) * SIZE, 2)) for point in seen]
    if not (-edge < px[4][0] < SIZE + edge and -edge < px[4][1] < SIZE + edge):
        return None
    return {"value": value, "corners_px": px[:4], "centre_px": px[4], "edge_px": edge, "slant_deg": slant}


if __name__ == "__main__":
    main()
