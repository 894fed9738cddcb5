"""A backup comes back onto a fresh card from the set-up page, into the program that is running."""

import json
import random
import urllib.request
from pathlib import Path
from typing import Any

from pi_app.engine.log import Play
from pi_app.setup.backup import Place, make_backup
from pi_app.storage.store import Store
from tests.browser.program import CONFIG, Program
from tests.playing import TAG_CITY, house_setup, play_on, ticking


def no_game(state: Any) -> bool:
    return state["table"] is not None


def test_a_running_table_starts_anew_with_what_was_brought_back(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    setup = house_setup(2)
    with Store(old / "allcity.db") as store:
        store.new_game("tag_city", setup, "2026-01-02T20:00:00Z")
        play_on(Play(TAG_CITY, setup, ticking(), save=lambda more: store.append(1, more)), random.Random(2))
    (old / "my.toml").write_text('[table]\nlanguage = "fr"\n', encoding="utf-8")
    make_backup(Place(old / "allcity.db", old / "my.toml"), tmp_path / "my-table.zip", "2026-01-03T20:00:00Z")
    # A real table without a camera: no game begins by itself.
    config = CONFIG.replace("[camera]", '[camera]\nkind = "none"')
    with Program(new, config=config, ready=no_game) as program:
        host = program.site.post("/api/host", {"pin": program.pin})["token"]
        before, process = program.site.get("/healthz")["version"], program.process_id
        request = urllib.request.Request(
            f"{program.site.address}/api/setup/restore",
            (tmp_path / "my-table.zip").read_bytes(),
            {"Authorization": f"Bearer {host}", "Content-Type": "application/octet-stream"},
        )
        with program.starting_anew(), urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["games"] == 1
        assert program.site.get("/healthz")["version"] > before
        [game] = program.site.get("/api/games")["games"]
        assert tuple(seat["name"] for seat in game["players"]) == setup.players
        assert program.process_id == process
        assert program.is_alive
    assert 'language = "fr"' in (new / "config.toml").read_text(encoding="utf-8")
    assert 'path = "allcity.db"' in (new / "config.toml").read_text(encoding="utf-8")
