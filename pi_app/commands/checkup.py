"""`allcity doctor`: how everything is, what that means for play, and what to do."""

import argparse
import json
import time
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

from hardware.build import build, found_camera
from hardware.ports import Picture
from hardware.settings import HardwareSettings
from hardware.sim.state import SimTableState, View
from hardware.sim.table import SimTable
from pi_app.commands.backups import place_of
from pi_app.commands.console import Commands, add_game, between, now, printable
from pi_app.config import Config
from pi_app.files import InUse, held
from pi_app.games import GAMES
from pi_app.run.checks import checks
from pi_app.setup import doctor as doctors
from pi_app.setup.backup_page import Backups
from pi_app.setup.opening import open_workshop
from pi_app.setup.workbench import Workbench
from web.serve import own_addresses
from web.setup import explained
from web.text import Text
from web.workshop import Said

MARKS = {"bad": "✕", "warn": "!", "good": "✓"}
FIRST_LOOK_S = 2.5
"""How long devices get to say that they are there."""
TURN_S = 0.05
ANSWER_S = 30.0


def declare(commands: Commands) -> None:
    about = "Check everything: power, disk, camera, lights, network, backups. Exit code 1 if something is to be mended."
    sub = commands.add("doctor", doctor, about, "allcity doctor --json")
    sub.add_argument("--json", action="store_true", help="print the findings as JSON")
    sub.add_argument("--port", type=between(1, 65_535), metavar="N", help="where the running table's dashboard is")
    add_game(sub)


def doctor(args: argparse.Namespace, config: Config) -> int:
    """Tells every finding, the worst first."""
    found = sorted(look(args, config), key=lambda finding: list(MARKS).index(finding["severity"]))
    if args.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        for finding in found:
            print(printable(f"{MARKS[finding['severity']]} {finding['text']}"))
            for more in filter(None, (finding["means"], finding["do"])):
                print(printable(f"    {more}"))
    return int(any(finding["severity"] == "bad" for finding in found))


def look(args: argparse.Namespace, config: Config) -> list[dict[str, Any]]:
    """Every finding in words. Where a table is running, that one is asked: it has the devices."""
    with ExitStack() as stack:
        try:
            holder = f"process of 'allcity doctor', since {time.strftime('%H:%M')}"
            stack.enter_context(held(config.store.with_name(f"{config.store.name}.lock"), holder))
        except InUse as used:
            return _asked(args, config, used.holder)
        except OSError:
            pass  # nobody can run a table there, and what is wrong is found below
        return _told(args, config, [Said("program", "good", "doctor.program.none"), *_looked(args, config)])


def _asked(args: argparse.Namespace, config: Config, holder: str) -> list[dict[str, Any]]:
    """What the running table finds; what can be found without it if it says nothing."""
    address = f"http://127.0.0.1:{args.port or config.web.port}/api/doctor"
    request = urllib.request.Request(address, headers={"Accept-Language": config.language})
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
            found: list[dict[str, Any]] = json.load(answer)
    except (OSError, ValueError):
        silent = Said("program", "bad", "doctor.program.silent", {"holder": holder or "?", "address": address})
        return _told(args, config, [silent, *doctors.Doctor(_of_machine(config)).findings()])
    running = Said("program", "good", "doctor.program.running", {"holder": holder or "?"})
    # A table that was started before an update may know less.
    return [*_told(args, config, [running]), *({"means": "", "do": "", **finding} for finding in found)]


def _told(args: argparse.Namespace, config: Config, found: Sequence[Said]) -> list[dict[str, Any]]:
    text = Text(config.language, (), GAMES[args.game].folder)
    return [explained(finding, text) for finding in found]


def _of_machine(config: Config) -> tuple[doctors.Check, ...]:
    return checks(
        config,
        lambda: doctors.Recording(config.recorder.enabled, config.recordings),
        lambda: doctors.Backups(config.backup.enabled, config.backups),
        lambda: own_addresses(config.web.port),
    )


def _looked(args: argparse.Namespace, config: Config) -> list[Said]:
    """With the devices in our own hands."""
    camera = found_camera(config.hardware.camera)
    if camera.kind == "sim":
        nothing = Said("camera", "warn", "doctor.camera.simulated")
        return [nothing, *doctors.Doctor(_of_machine(config)).findings()]
    settings = HardwareSettings(**{**vars(config.hardware), "camera": camera})
    bench = Workbench(time.monotonic, settings.lights.zones)
    backups = Backups(place_of(args, config), config.backups, now, lambda restored: None)
    shop = open_workshop(bench, config.store, GAMES[args.game], _of_machine(config), backups, lambda *_: b"")

    def turn() -> None:
        hardware.camera.small()
        bench.once()
        time.sleep(TURN_S)

    with (
        closing(build(settings, time.monotonic, SimTable(0, time.monotonic), _undrawn)) as hardware,
        bench.using(hardware),
        ThreadPoolExecutor(1) as worker,
    ):
        turn()
        until_s = time.monotonic() + FIRST_LOOK_S
        while time.monotonic() < until_s:
            turn()
        found = worker.submit(shop.doctor.findings)
        while not found.done():
            turn()
        return list(found.result())


def _undrawn(state: SimTableState, view: View) -> Picture:
    """A simulated camera is told above, and never opened."""
    raise AssertionError("only real cameras are looked through")
