"""The command line: `allcity`, also `python -m pi_app`."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from pi_app.commands import backups, bots, checkup, games, play, reading, record, setting_up, support
from pi_app.commands.console import CommandError, Commands, Parser, StartAnew, complain, one_line
from pi_app.config import ConfigError, load_config
from pi_app.engine.contract import BadData
from pi_app.storage.store import StoreError
from web.text import LANGUAGES, Text


def _parser() -> Parser:
    parser = Parser(prog="allcity", description="A table companion for board games.")
    parser.add_argument("--version", action="version", version=f"allcity {version('allcity')}")
    commands = Commands(parser)
    for part in (play, bots, reading, games, record, backups, checkup, support, setting_up):
        part.declare(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; bad input is one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    args = _parser().parse_args(arguments)
    language = LANGUAGES[0]
    try:
        config = load_config(args.config, LANGUAGES)
        language = config.language
        return args.action(args, config) or 0
    except StartAnew:
        # The very words that Python was started with, but that a new game is not begun a second time.
        os.execv(sys.executable, [sys.executable, *(word for word in sys.orig_argv[1:] if word != "--new")])
    except (CommandError, ConfigError) as error:
        complain(str(error))
        return 2
    except StoreError as error:
        complain(Text(language)(f"store.{error.code}", error.facts))
        return 2
    except BadData as error:
        complain(one_line(language, error))
        return 2
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - the reader left; say nothing more
        return 0
    except OSError as error:
        complain(f"{error.filename or 'input or output'}: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        complain("stopped")
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
