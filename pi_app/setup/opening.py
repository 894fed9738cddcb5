"""Opens the workshop: everything behind the set-up pages, around one bench."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pi_app.engine.contract import Game
from pi_app.setup import doctor
from pi_app.setup.backup_page import Backups
from pi_app.setup.camera import CameraSetup, clean_file, lens_file
from pi_app.setup.kits import KitMaker
from pi_app.setup.lights import LightsSetup
from pi_app.setup.photos import Photos
from pi_app.setup.pieces import PiecesSetup
from pi_app.setup.profiles import Shelf, folder_of
from pi_app.setup.workbench import Workbench
from vision.layout import Layout
from web.workshop import Support, Wifi, Workshop


def open_workshop(
    bench: Workbench,
    store: Path,
    game: Game[Any],
    checks: Sequence[doctor.Check],
    backups: Backups,
    support: Support,
    simulated: bool = False,
    wifi: Wifi | None = None,
) -> Workshop:
    """Everything that the set-up pages need; what is kept lies beside the database. `checks` are the program's own.

    What a simulated camera is set up with must not be taken for the real one's, and has a folder of its own.
    """
    folder = store.parent
    camera_folder = folder / "simulated" if simulated else folder
    shelf = Shelf(folder, game)
    kits = KitMaker(shelf, folder)

    def layout() -> Layout:
        return kits.layout(*shelf.chosen(), our_print=simulated)

    camera = CameraSetup(
        bench.window,
        layout,
        camera_folder,
        lambda: bench.status("camera"),
        time.monotonic,
    )
    of_table: tuple[doctor.Check, ...] = (
        doctor.devices(bench.statuses),
        doctor.picture(camera.measured),
        doctor.simulated if simulated else doctor.kept_pictures(lens_file(camera_folder), clean_file(camera_folder)),
    )
    lights = LightsSetup(bench.lamps, lambda: bench.status("lights"))
    photos = Photos(folder_of(game, folder), game.edition.measurable)
    pieces = PiecesSetup(camera.frame, layout, camera_folder, game.name)
    looking = doctor.Doctor((*of_table, *checks))
    return Workshop(game.name, camera, lights, shelf, kits, photos, pieces, looking, backups, support, wifi)
