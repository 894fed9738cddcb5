"""Hands a finished game to BG Stats, in the form that its makers document for other programs.

See https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
"""

import json
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from pi_app.history.story import Story, places

ADDRESSES: Final = {
    "app": "bgstats://app.bgstatsapp.com/createPlay.html?data=",
    "web": "https://app.bgstatsapp.com/createPlay.html?data=",
}
"""The first opens the app, whatever the network; cameras that read codes rather know the second, which opens it too."""

SHOWN: Final = ":,"
"""Characters that may stand in an address as they are: fewer letters make a code that is easier to read."""


def handover(story: Story) -> dict[str, str]:
    """The addresses that open the app with this play filled in."""
    data = quote(json.dumps(payload(story), ensure_ascii=False, separators=(",", ":")), safe=SHOWN)
    return {kind: address + data for kind, address in ADDRESSES.items()}


def payload(story: Story) -> dict[str, Any]:
    """The play; every truth value is told, because the app on Android insists on them."""
    stored = story.stored
    started, ended = (datetime.fromisoformat(at).astimezone(UTC) for at in (stored.started_at, stored.last_at))
    return {
        "sourceName": "All City",
        "sourcePlayId": f"{stored.id}-{started:%y%m%d%H%M%S}",
        "playDate": f"{ended:%Y-%m-%d %H:%M:%S}",
        "durationMin": story.minutes,
        "board": stored.profile,
        "game": {
            "name": story.play.game.title,
            "sourceGameId": stored.game,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [_player(story, seat) for seat in range(len(stored.players))],
    }


def _player(story: Story, seat: int) -> dict[str, Any]:
    stored = story.stored
    made, scores = places(stored), stored.scores
    assert made is not None
    assert scores is not None
    return {
        "name": stored.players[seat],
        # Not a number of ours: another table would give it to somebody else.
        "sourcePlayerId": stored.players[seat],
        "startPlayer": seat == story.first_player,
        "score": scores[seat],
        "winner": made[seat] == 1,
    }
