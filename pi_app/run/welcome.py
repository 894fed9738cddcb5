"""Where the dashboard of the installed table is, for a terminal: `python -m pi_app.run.welcome`."""

from contextlib import suppress

from pi_app.config import load_config
from pi_app.run.gate import answer_at
from pi_app.run.network import for_terminal
from web.serve import own_addresses
from web.text import LANGUAGES, Text


def main() -> int:
    config = load_config(None, LANGUAGES)
    port, shown = answer_at(config, "/api/state")
    if port is None:
        return 1
    pin = "?"
    with suppress(OSError):
        pin = config.store.with_name("pin").read_text(encoding="ascii").strip()
    told = shown.get("network") or {"addresses": own_addresses(port), "hotspot": None}
    print(for_terminal(told, pin, Text(config.language)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
