"""`allcity kit`, `read`, `dice` and `cards`: boards to print, and what pictures show."""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pi_app.commands.console import CommandError, Commands, add_game, add_profile, chosen_profile, note, steps
from pi_app.config import Config
from pi_app.games import GAMES


def declare(commands: Commands) -> None:
    about = "Write the printable boards, tokens and stickers of an edition, and their layout."
    sub = commands.add("kit", make_kit, about, "allcity kit my-kit --side B")
    sub.add_argument("folder", type=Path, metavar="DIR", help="where to write; made if missing")
    add_game(sub)
    add_profile(sub)

    about = "Read a picture of the table: boards, marks, pieces and dice."
    sub = commands.add(
        "read", read, about, "allcity read table.jpg --kit my-kit --reference clean.jpg --overlay seen.png"
    )
    sub.add_argument("image", type=Path, metavar="IMAGE", help="a JPEG or PNG picture")
    sub.add_argument("--kit", type=Path, required=True, metavar="DIR", help="the kit's folder, with layout.json")
    sub.add_argument("--reference", type=Path, metavar="IMAGE", help="a picture of the clean boards (reads better)")
    sub.add_argument("--json", action="store_true", help="print the reading as JSON")
    sub.add_argument("--overlay", type=Path, metavar="PNG", help="also draw what was read over the picture")

    sub = commands.add("dice", dice, "Read the dice in any photograph.", "allcity dice photo.jpg --json")
    sub.add_argument("image", type=Path, metavar="IMAGE", help="a JPEG or PNG picture")
    sub.add_argument("--json", action="store_true", help="print the dice as JSON")

    about = "Read the playing cards in any photograph."
    sub = commands.add("cards", cards, about, "allcity cards photo.jpg --overlay seen.png")
    sub.add_argument("image", type=Path, metavar="IMAGE", help="a JPEG or PNG picture")
    sub.add_argument("--json", action="store_true", help="print the cards as JSON")
    sub.add_argument("--overlay", type=Path, metavar="PNG", help="also draw what was read over the picture")


def make_kit(args: argparse.Namespace, config: Config) -> None:
    """Boards to print, and the layout that the reader reads them by."""
    from vision.kit.write import write_kit  # noqa: PLC0415 - other commands need not wait for OpenCV

    game = GAMES[args.game]
    edition = chosen_profile(args, game)
    profile = game.edition.resolve(edition, game.edition.on_side(args.side), random.Random())
    kit = game.edition.kit(profile, game.edition.measured(edition, args.side))
    args.folder.mkdir(parents=True, exist_ok=True)  # a place that cannot be written is told before the first step
    with steps(kit.files) as done:
        write_kit(kit, args.folder, lambda name: done())
    line = f"{args.folder}: print kit.pdf (A4) or kit-letter.pdf (US Letter) at 100 %, and measure the ruler"
    if kit.owned:
        line += "; your boards look different from these sheets: read them with a clean picture (--reference)"
    print(line)


def read(args: argparse.Namespace, config: Config) -> None:
    """What a picture of the table shows: boards, marks, dice."""
    from vision.layout import BadLayout, load_layout  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.overlay import overlay  # noqa: PLC0415
    from vision.pictures import BadPicture, load_picture, save_picture  # noqa: PLC0415
    from vision.read import Reader, reading_json  # noqa: PLC0415

    try:
        layout, picture = load_layout(args.kit), load_picture(args.image)
        reader = Reader(layout)
        if args.reference is not None:
            clean = reader.take_reference(load_picture(args.reference))
            compared = [board.id for board in layout.boards if board.drawn_regions or board.piece_regions]
            missing = [board for board in compared if board not in clean.boards]
            if missing:
                note(f"{args.reference}: does not show {', '.join(missing)}; compared with the kit's picture instead")
        reading = reader.read(picture)
        if args.overlay is not None:
            save_picture(args.overlay, overlay(picture, layout, reading))
    except (BadLayout, BadPicture) as error:
        raise CommandError(str(error)) from error
    result = reading_json(layout, reading)
    if args.json:
        print(json.dumps(result, indent=1))
        return
    for line in _told_reading(result):
        print(line)


def _told_reading(result: dict[str, Any]) -> Iterator[str]:
    for board in result["boards"]:
        if not board["found"]:
            yield f"{board['id']}: not found"
            continue
        kinds: dict[str, list[str]] = {}
        for region, mark in board["marks"].items():
            kinds.setdefault(mark["kind"], []).append(region)
        shown = [f"{kind} {' '.join(regions)}" for kind, regions in kinds.items() if kind != "empty"]
        yield f"{board['id']}: {'; '.join(shown) or 'found' + (', nothing drawn' if board['marks'] else '')}"
    yield from _told_dice(result["dice"])


def dice(args: argparse.Namespace, config: Config) -> None:
    """The dice in any photograph."""
    from vision.dice import read_dice  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.pictures import BadPicture, load_picture  # noqa: PLC0415
    from vision.read import dice_json  # noqa: PLC0415

    try:
        found = dice_json(read_dice(load_picture(args.image)))
    except BadPicture as error:
        raise CommandError(str(error)) from error
    if args.json:
        print(json.dumps({"dice": found}, indent=1))
        return
    for line in _told_dice(found):
        print(line)


def _told_dice(found: list[dict[str, Any]]) -> Iterator[str]:
    for die in found:
        x, y = die["centre_px"]
        where = f" on {die['section']}" if die["section"] else ""
        yield f"die {die['value']}{where} at ({x:.0f}, {y:.0f}), confidence {die['confidence']:.2f}"
    if not found:
        yield "no dice"


def cards(args: argparse.Namespace, config: Config) -> None:
    """The playing cards in any photograph."""
    from vision.cards import cards_json, read_cards  # noqa: PLC0415 - other commands need not wait for OpenCV
    from vision.overlay import cards_overlay  # noqa: PLC0415
    from vision.pictures import BadPicture, load_picture, save_picture  # noqa: PLC0415

    try:
        picture = load_picture(args.image)
    except BadPicture as error:
        raise CommandError(str(error)) from error
    seen = read_cards(picture)
    if args.overlay is not None:
        save_picture(args.overlay, cards_overlay(picture, seen))
    found = cards_json(seen)
    if args.json:
        print(json.dumps({"cards": found}, indent=1))
        return
    for line in _told_cards(found):
        print(line)


def _told_cards(found: list[dict[str, Any]]) -> Iterator[str]:
    for card in found:
        x, y = card["centre_px"]
        yield f"card {card['card']} at ({x:.0f}, {y:.0f}), confidence {card['confidence']:.2f}"
    if not found:
        yield "no cards"
