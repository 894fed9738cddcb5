"""What is needed before the first evening: the camera's height, the Pico's program, the profile of an edition."""

import argparse
import json
import math
from pathlib import Path

from hardware.camera_height import mountings
from pi_app.commands.console import CommandError, Commands, add_game, printable, sentence
from pi_app.config import Config
from pi_app.games import GAMES
from pi_app.games.profile_files import read_profile
from vision.die import DIE_MM
from vision.kit.corners import MARKER_MM


def declare(commands: Commands) -> None:
    about = "Tell how high to hang which camera over a table, and what it makes out."
    sub = commands.add("camera-height", camera_height, about, "allcity camera-height --table 120x75")
    sub.add_argument("--table", type=_table_size, required=True, metavar="WxD", help="its size in centimetres")
    sub.add_argument("--json", action="store_true", help="print the list as JSON")

    firmware = commands.group("firmware", "Work with the program of the Pico that drives the lights.")
    about = "Copy the firmware to a Pico on a USB cable, and check that it runs."
    sub = firmware.add("install", firmware_install, about, "allcity firmware install --port /dev/ttyACM0")
    sub.add_argument("--port", default="auto", metavar="P", help="its port or USB serial number, if there are several")

    profile = commands.group("profile", "Work with profiles (the printed facts of an edition).")
    example = "allcity profile check my-copy.toml"
    sub = profile.add("check", profile_check, "Report every problem of a profile file.", example)
    sub.add_argument("file", type=Path, metavar="FILE", help="a profile (TOML)")
    add_game(sub)


def camera_height(args: argparse.Namespace, config: Config) -> None:
    """Where to hang which camera over a table."""
    width_mm, depth_mm = args.table
    found = list(mountings(width_mm, depth_mm, MARKER_MM, DIE_MM))
    if args.json:
        print(json.dumps([mounting.facts() for mounting in found], indent=1))
        return
    wide = 2 + max(len(mounting.camera.name) for mounting in found)
    print(f"{'camera':{wide}}{'view':12}{'height':>7}{'px per mm':>11}   smallest die")
    for mounting in found:
        camera, die = mounting.camera, f"{mounting.smallest_die_mm:.1f} mm"
        view, height = f"{camera.across_deg:.0f}° x {camera.along_deg:.0f}°", f"{math.ceil(mounting.height_mm / 10)} cm"
        note = "" if mounting.good else ", too coarse"
        print(f"{camera.name:{wide}}{view:12}{height:>7}{mounting.px_per_mm:11.2f}   {die}{note}")


def _table_size(text: str) -> tuple[float, float]:
    """Width and depth of a table in mm, from centimetres."""
    try:
        width, depth = (10 * float(side) for side in text.replace("×", "x").split("x"))
    except ValueError:
        width = depth = 0.0
    if not (200 <= width <= 5000 and 200 <= depth <= 5000):
        raise argparse.ArgumentTypeError("must be width and depth in centimetres (20 to 500), such as 120x75")
    return width, depth


def firmware_install(args: argparse.Namespace, config: Config) -> None:
    """Brings the Pico's program up to date."""
    from pi_app.setup.firmware_install import InstallError, install  # noqa: PLC0415 - other commands need no serial port

    try:
        install(args.port)
    except InstallError as error:
        raise CommandError(str(error)) from error


def profile_check(args: argparse.Namespace, config: Config) -> None:
    """Every problem of a profile file at once."""
    edition = GAMES[args.game].edition
    data = read_profile(edition, args.file)
    problems = edition.check(data)
    for problem in problems:
        print(printable(f"{'warning' if problem.warning else 'error'}: {sentence(config.language, problem)}"))
    errors = sum(not problem.warning for problem in problems)
    if errors:
        raise CommandError(f"{args.file.name}: {errors} problems to solve")
    print(printable(f"{args.file.name}: good ({data['name']}, source: {data['source']})"))
