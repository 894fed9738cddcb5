"""Where the dashboard of the installed table is, for a terminal: `python -m pi_app.run.welcome`."""

from contextlib import suppress

from pi_app.config import load_config
from pi_app.run.gate import answer_at
from web.serve import join_code, own_addresses
from web.text import LANGUAGES, Text


def main() -> int:
    config = load_config(None, LANGUAGES)
    port = answer_at(config, "/healthz")[0]
    if port is None:
        return 1
    addresses, pin = own_addresses(port), "?"
    with suppress(OSError):
        pin = config.store.with_name("pin").read_text(encoding="ascii").strip()
    print(Text(config.language)("web.open", {"addresses": list(addresses), "pin": pin}))
    print(join_code(addresses[0]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
