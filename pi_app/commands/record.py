"""`allcity record` and `allcity replay`: evenings and games again."""

import argparse
from pathlib import Path
from typing import Any

from pi_app.commands.console import CommandError, Commands, between, complain, one_line, printable, progress
from pi_app.config import Config
from pi_app.engine.contract import BadData
from pi_app.engine.log import Play
from pi_app.recording.hidden import game_with_secrets
from pi_app.storage.gamefile import read_game_file


def declare(commands: Commands) -> None:
    about = "Check game files move by move, or play a recorded evening again: what was seen, and what was decided."
    sub = commands.add("replay", replay, about, "allcity replay evening.zip --video evening.mp4")
    sub.add_argument("file", type=Path, nargs="+", metavar="FILE", help="a game file, or a bundle of 'record save'")
    sub.add_argument("--video", type=_video, metavar="FILE", help="write the bundle's pictures as .mp4 or .avi, too")

    record = commands.group("record", "Work with the recording of the last evening.")
    about = "Make one file of the last recorded evening, to keep, to replay or to show somebody what went wrong."
    sub = record.add("save", record_save, about, "allcity record save evening.zip")
    sub.add_argument("file", type=Path, metavar="FILE", help="where to write it")
    sub.add_argument(
        "--most-mb",
        type=between(10, 100_000),
        metavar="MB",
        help="leave out old pictures beyond this (default: keep all)",
    )


def _video(text: str) -> Path:
    if Path(text).suffix.lower() not in (".mp4", ".avi"):
        raise argparse.ArgumentTypeError("must end in .mp4 or .avi")
    return Path(text)


def record_save(args: argparse.Namespace, config: Config) -> None:
    """The last recorded evening as one file."""
    from pi_app.recording.bundle import PACKED, newest_frames, save_bundle  # noqa: PLC0415 - others need not wait for OpenCV
    from pi_app.recording.ring import evenings  # noqa: PLC0415

    _require_no_secrets(config)
    # One that was killed before its first input has none.
    recorded = [path for path in evenings(config.recordings) if (path / PACKED).is_file()]
    if not recorded:
        raise CommandError(f"there is no recording at {config.recordings}; 'allcity run' makes one")
    try:
        frames = None if args.most_mb is None else newest_frames(recorded[-1], args.most_mb * 1_000_000)
        save_bundle(recorded[-1], args.file, frames)
    except OSError as error:
        raise CommandError(f"{args.file}: cannot be written ({error.strerror})") from error
    print(printable(f"{args.file}: {args.file.stat().st_size / 1_000_000:.1f} MB; 'allcity replay' plays it again"))


def _require_no_secrets(config: Config) -> None:
    """A recording tells everything, also what a player of the running game may not know yet. Raises CommandError."""
    if (game := game_with_secrets(config.store)) is not None:
        raise CommandError(f"game {game} is still being played and has secrets; save its recording when it has ended")


def replay(args: argparse.Namespace, config: Config) -> int:
    """Checks game files completely; every wrong one is told in a line. A bundle is played again."""
    from pi_app.recording.bundle import is_bundle  # noqa: PLC0415 - other commands need not wait for OpenCV

    bundles = [path for path in args.file if path.is_file() and is_bundle(path)]
    if bundles and len(args.file) > 1:
        raise CommandError(f"{bundles[0]}: is a bundle; replay it by itself")
    if bundles:
        return _replay_bundle(bundles[0], args.video)
    if args.video is not None:
        raise CommandError(f"--video: {args.file[0]} is no bundle of 'allcity record save'")
    wrong = []
    with progress("files", len(args.file)) as done:
        for path in args.file:
            try:
                play = read_game_file(path)
            except BadData as error:
                line = one_line(config.language, error)
                wrong.append(line if line.startswith(str(path)) else f"{path}: {line}")
            else:
                if len(args.file) == 1:
                    _print_replayed(path, play)
            done()
    if len(args.file) == 1 and wrong:
        raise CommandError(wrong[0])
    for line in wrong:
        complain(line)
    if wrong:
        raise CommandError(f"{len(wrong)} of {len(args.file)} game files are wrong")
    if len(args.file) > 1:
        print(f"{len(args.file)} game files are right")
    return 0


def _replay_bundle(path: Path, video: Path | None) -> int:
    """Plays an evening again; 1 if anything comes out differently."""
    from pi_app.recording.bundle import BadBundle, Bundle  # noqa: PLC0415 - other commands need not wait for OpenCV
    from pi_app.recording.replay import VideoError, decide_again, look_again, write_video  # noqa: PLC0415

    try:
        with Bundle(path) as bundle:
            recorded_by = ", ".join(f"{name} {number}" for name, number in bundle.versions.items())
            print(printable(f"{path.name}: {len(bundle.setup.players)} players; recorded by {recorded_by}"))
            if video is not None:
                with progress("pictures", len(bundle.pictures)) as done:
                    write_video(bundle, video, done)
                print(printable(f"{video}: {len(bundle.pictures)} pictures"))
            decided = decide_again(bundle)
            with progress("pictures", len(bundle.pictures)) as done:
                looked = look_again(bundle, done)
    except (BadBundle, VideoError) as error:
        raise CommandError(str(error)) from error
    for line in (*decided.lines(), *looked.lines()):
        print(printable(line))
    return 0 if decided.same and looked.same else 1


def _print_replayed(path: Path, play: Play[Any]) -> None:
    outcome, players = play.game.outcome(play.state), play.setup.players
    print(f"{path.name}: right, {len(play.records)} events")
    for name, score in zip(players, play.game.scores(play.state), strict=True):
        print(printable(f"  {name}: {score}"))
    won = "unfinished" if outcome is None else "won by " + " & ".join(players[seat] for seat in outcome.winners)
    print(printable(f"  {won}"))
