"""The set-up wizard, the profile editor and the doctor, as browsers and strangers meet them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_app.games.tag_city.edition.profile import HOUSE
from tests.playing import TAG_CITY
from tests.profiles import load_profile
from tests.setup.test_workshop import BOMBS, CORNERS, JSON, a_photo, mangled_profiles
from tests.web.workshop import AT, Dashboard, dashboard
from vision.pictures import jpeg_of
from web.people import Refused
from web.text import LANGUAGES, load
from web.workshop import Said

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def table(tmp_path: Path) -> Dashboard:
    return dashboard(tmp_path)


def new_profile(table: Dashboard, title: str = "My copy", copy_of: str = "house") -> str:
    return str(table.post("/api/profiles", {"title": title, "copy_of": copy_of, "profile": None}).get_json()["name"])


# --- who may do what --------------------------------------------------------------------------

PAGES = ["/setup", "/wifi", "/doctor", "/setup/profiles", "/setup/profiles/house"]
CHANGES: list[tuple[str, Any]] = [
    ("/api/setup/boards", {"name": "house", "side": "B"}),
    ("/api/setup/kit", {}),
    ("/api/setup/lens", {"action": "take"}),
    ("/api/setup/clean", {"anyway": False}),
    ("/api/setup/pieces", {"action": "learn"}),
    ("/api/setup/lights", {"zone": None}),
    ("/api/setup/wifi", {"name": "Home", "password": "correct horse", "hidden": False}),
    ("/api/setup/wifi/own", {"open": True}),
    ("/api/setup/restore", b"PK"),
    ("/api/profiles", {"title": "x", "copy_of": "house", "profile": None}),
    ("/api/profile-check", {"profile": {}}),
    ("/api/profile-import", b"name = 'x'"),
    ("/api/profiles/mine", {"profile": {}}),
    ("/api/profiles/mine/delete", {}),
    ("/api/photos", b"\xff\xd8"),
    ("/api/profiles/mine/flat", {"board": "hq", "photo": "x", "corners": CORNERS, "size_mm": [200, 200]}),
]


@pytest.mark.parametrize(("path", "send"), CHANGES, ids=[path for path, _ in CHANGES])
def test_only_the_host_changes_things(table: Dashboard, path: str, send: Any) -> None:
    before = [entry.name for entry in table.shelf.entries()]
    assert table.post(path, send, host=False).status_code == 401
    assert table.post(path, send, Origin="http://evil.example").status_code == 403
    assert [entry.name for entry in table.shelf.entries()] == before
    assert not table.camera.asked
    assert not table.wifi.asked


@pytest.mark.parametrize(
    "path",
    ["/api/setup/camera.jpg", "/api/setup/camera", "/api/setup", "/api/setup/backup.zip", "/api/setup/support.zip"],
)
def test_nobody_but_the_host_sees_the_room(table: Dashboard, path: str) -> None:
    told = table.get(path, host=False)
    assert told.status_code == 401
    assert b"room" not in told.data
    assert table.get(path).status_code == 200


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_come_in_every_language_without_inline_script_or_style(
    table: Dashboard, path: str, language: str
) -> None:
    table.client.set_cookie("lang", language)
    told = table.get(path, host=False)
    assert told.status_code == 200
    assert f'<html lang="{language}"' in told.text
    assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son\w+=", told.text)
    assert "script-src" not in told.headers["Content-Security-Policy"]  # falls back to default-src 'self'


def test_a_title_is_only_text_to_a_browser(table: Dashboard) -> None:
    name = new_profile(table, "<script>alert(1)</script>")
    assert name == "script-alert-1-script"
    page = table.get(f"/setup/profiles/{name}").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_set_up_stays_with_its_game_whichever_is_on_the_table(table: Dashboard) -> None:
    table.hub.publish("table", {"name": "another", "game": {}, "result": None, "last_seq": 0})
    for path in PAGES:
        assert f'data-game="{TAG_CITY.name}"' in table.get(path).text


# --- the wizard -------------------------------------------------------------------------------


def test_the_overview_tells_how_far_set_up_is(table: Dashboard) -> None:
    told = table.get("/api/setup").get_json()
    assert (told["profile"], told["side"], told["kit"]) == ("house", "A", "missing")
    assert told["lens"]["wanted"] == 6
    assert told["clean"]["taken_at"] is None
    assert told["zones"]["seat.1"] == "rgb(40, 200, 220)"
    assert told["sided"]


def test_boards_are_chosen_and_their_kit_is_printed(table: Dashboard) -> None:
    assert table.post("/api/setup/boards", {"name": "house", "side": "B"}).status_code == 200
    assert table.get("/setup/kit/kit.pdf", host=False).status_code == 404
    assert table.post("/api/setup/kit", {}).get_json() == {"state": "ready"}
    told = table.get("/setup/kit/kit.zip", host=False)
    assert told.data.startswith(b"PK")
    assert "house-B-kit.zip" in told.headers["Content-Disposition"]
    assert table.get("/setup/kit/..%2Fsetup.json", host=False).status_code == 404


def test_findings_are_told_in_the_words_of_whoever_asks(table: Dashboard) -> None:
    table.camera.found = [
        Said("board", "good", "check.board.good", {"board": "hq"}),
        Said("edge", "bad", "check.edge.bad", {"board": "city-2", "edges": ["left", "top"]}),
    ]
    table.client.set_cookie("lang", "fr")
    good, bad = table.get("/api/setup/camera").get_json()
    assert good["text"] == "Le QG\u00a0: les quatre coins sont vus."
    assert "à gauche, en haut" in bad["text"]
    assert bad["severity"] == "bad"


def test_a_lost_camera_is_told_in_words(table: Dashboard) -> None:
    table.camera.trouble = Refused("hardware.camera.lost", why="cable")
    told = table.get("/api/setup/camera.jpg")
    assert told.status_code == 409
    assert told.get_json()["message"].startswith("CAMERA LOST (cable)")


def test_pieces_are_learned_shown_and_forgotten(table: Dashboard) -> None:
    assert table.get("/api/setup").get_json()["pieces"]["wanted"] == []
    told = table.post("/api/setup/pieces", {"action": "learn"}).get_json()
    assert told["alike"] == [["red", "ruby"]]
    assert table.get("/api/setup/pieces/ruby.jpg").data.startswith(b"\xff\xd8")
    assert table.get("/api/setup/pieces/ruby.jpg", host=False).status_code == 401, "it is of somebody's room"
    assert table.get("/api/setup/pieces/other.jpg").status_code == 404
    assert table.get("/setup/samples.pdf", host=False).data.startswith(b"%PDF")
    assert table.post("/api/setup/pieces", {"action": "forget"}).get_json()["learned"] == []


def test_lens_clean_picture_and_lights(table: Dashboard) -> None:
    for action in ("take", "measure", "forget"):
        assert table.post("/api/setup/lens", {"action": action}).status_code == 200
    assert table.post("/api/setup/clean", {"anyway": True}).get_json()["missing"] == ["city-2"]
    assert table.camera.asked == ["take", "measure", "forget", "clean True"]
    assert table.post("/api/setup/lights", {"zone": "seat.2"}).get_json() == {"seconds": 3.0}
    assert list(table.lamps.over({})) == ["seat.2"]


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ({"game": {}, "result": None, "last_seq": 4}, 409),
        ({"game": {}, "result": None, "last_seq": 0}, 200),
        ({"game": {}, "result": {"winners": [0]}, "last_seq": 90}, 200),
        ({"game": None, "last_seq": 0}, 200),
        ({"game": {}, "result": None, "last_seq": 4, "preparing": {"reason": "sight.clean_gone"}}, 200),
        ({"game": {}, "result": None, "last_seq": 4, "preparing": {"reason": "sight.board_missing"}}, 409),
    ],
)
def test_ink_of_a_game_is_never_taken_for_print(table: Dashboard, shown: dict[str, Any], status: int) -> None:
    table.hub.publish("table", shown)
    assert table.post("/api/setup/clean", {"anyway": True}).status_code == status
    assert table.camera.asked == (["clean True"] if status == 200 else [])


@pytest.mark.parametrize(
    ("path", "send"),
    [
        ("/api/setup/boards", {"name": "house"}),
        ("/api/setup/boards", {"name": 7, "side": "A"}),
        ("/api/setup/lens", {"action": "smash"}),
        ("/api/setup/clean", {"anyway": "yes"}),
        ("/api/setup/pieces", {"action": "guess"}),
        ("/api/setup/lights", {"zone": 7}),
        ("/api/setup/lights", {"zone": None, "more": 1}),
        ("/api/profiles/mine/flat", {"board": "hq", "photo": "x", "corners": CORNERS[:3], "size_mm": [200, 200]}),
        ("/api/profiles/mine/flat", {"board": "hq", "photo": "x", "corners": CORNERS, "size_mm": [200, 1e9]}),
        ("/api/profiles/mine/flat", {"board": "hq", "photo": "x", "corners": [[0, "a"]] * 4, "size_mm": [200, 200]}),
    ],
)
def test_what_no_page_would_send_is_refused(table: Dashboard, path: str, send: Any) -> None:
    assert table.post(path, send).status_code == 400


@pytest.mark.parametrize(
    ("path", "send", "status"),
    [
        ("/api/setup/boards", {"name": "house", "side": "C"}, 409),
        ("/api/setup/lights", {"zone": "ceiling"}, 404),
        ("/api/profiles/my-copy/flat", {"board": "moon", "photo": "x", "corners": CORNERS, "size_mm": [200, 200]}, 409),
    ],
)
def test_what_the_game_and_its_table_do_not_have_is_refused(
    table: Dashboard, path: str, send: Any, status: int
) -> None:
    new_profile(table)
    assert table.post(path, send).status_code == status


# --- profiles ---------------------------------------------------------------------------------


def test_a_profile_is_copied_changed_checked_exported_and_deleted(table: Dashboard) -> None:
    name = new_profile(table)
    told = table.get(f"/api/profiles/{name}").get_json()
    assert list(told["profile"]["city"]["districts"]) == list("RBGYP")  # in their own order
    profile = {**told["profile"], "name": "Zweite Stadt"}
    profile["city"]["drone"] = [1, "", -3]
    wheres = {problem["where"] for problem in table.post("/api/profile-check", {"profile": profile}).get_json()}
    assert {"city.drone 1", "city.drone 2"} <= wheres
    assert table.post(f"/api/profiles/{name}", {"profile": profile}).status_code == 200
    export = table.get(f"/setup/profiles/{name}/export.toml", host=False)
    assert b"Zweite Stadt" in export.data
    assert "attachment" in export.headers["Content-Disposition"]
    assert table.post(f"/api/profiles/{name}/delete", {}).status_code == 200
    assert table.get(f"/api/profiles/{name}").status_code == 404


def test_problems_are_told_in_the_readers_language(table: Dashboard) -> None:
    table.client.set_cookie("lang", "es")
    problems = table.post("/api/profile-check", {"profile": {"name": ""}}).get_json()
    texts = {problem["where"]: problem["text"] for problem in problems}
    assert texts["name"] == load("es", TAG_CITY.folder)["problem.blank"]


def test_an_exported_profile_can_be_imported(table: Dashboard) -> None:
    name = new_profile(table)
    export = table.get(f"/setup/profiles/{name}/export.toml").data
    table.post(f"/api/profiles/{name}/delete", {})
    again = table.post("/api/profile-import", export).get_json()
    assert again == {"name": "my-copy", "added": True}
    assert table.get("/setup/profiles/my-copy/export.toml").data == export


def test_the_same_file_twice_is_one_profile(table: Dashboard) -> None:
    name = new_profile(table)
    export = table.get(f"/setup/profiles/{name}/export.toml").data
    before = [entry.name for entry in table.shelf.entries()]
    assert table.post("/api/profile-import", export).get_json() == {"name": name, "added": False}
    house = json.dumps(load_profile(HOUSE)).encode()
    assert table.post("/api/profile-import", house).get_json() == {"name": "house", "added": False}
    assert [entry.name for entry in table.shelf.entries()] == before


def changed(table: Dashboard, name: str) -> bytes:
    """A file of that profile with something else in it."""
    return json.dumps({**table.shelf.read(name), "source": "measured"}).encode()


def test_another_file_of_the_same_title_is_asked_about(table: Dashboard) -> None:
    name = new_profile(table)
    told = table.post("/api/profile-import?existing=ask", changed(table, name))
    assert (told.status_code, told.get_json()["error"]) == (409, "setup.profile_exists")
    assert len(table.shelf.entries()) == 3
    told = table.post("/api/profile-import?existing=replace", changed(table, name))
    assert told.get_json() == {"name": name, "added": True}
    assert table.shelf.read(name)["source"] == "measured"
    assert len(table.shelf.entries()) == 3
    assert table.post("/api/profile-import?existing=burn", b"name = 'x'").status_code == 400


def test_two_profiles_never_have_one_title(table: Dashboard) -> None:
    name = new_profile(table)
    kept = table.post("/api/profile-import", changed(table, name)).get_json()["name"]
    titles = [entry.title for entry in table.shelf.entries()]
    assert kept == f"{name}-2"
    assert len(set(titles)) == len(titles)
    house = json.dumps({**load_profile(HOUSE), "source": "measured"}).encode()
    told = table.post("/api/profile-import?existing=replace", house).get_json()
    assert told["name"] not in ("house", name), "what comes with the program is never replaced"


def test_what_comes_with_the_program_cannot_be_saved_over(table: Dashboard) -> None:
    for name in ("house", "retail-template"):
        assert table.post(f"/api/profiles/{name}", {"profile": {}}).status_code == 409
        assert table.post(f"/api/profiles/{name}/delete", {}).status_code == 409


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fpin", "people.json", "pin", "A", "x" * 300])
def test_no_address_leads_to_another_file(table: Dashboard, name: str) -> None:
    for path in (f"/api/profiles/{name}", f"/setup/profiles/{name}", f"/setup/profiles/{name}/export.toml"):
        told = table.get(path)
        assert told.status_code in (404, 405, 409)
        assert b"123456" not in told.data


@pytest.mark.parametrize("data", BOMBS)
def test_files_that_are_no_profile_are_told_so(table: Dashboard, data: bytes) -> None:
    told = table.post("/api/profile-import", data)
    assert told.status_code in (409, 413)


@given(sent=mangled_profiles() | JSON)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_profile_makes_the_server_stumble(table: Dashboard, sent: Any) -> None:
    body = json.dumps({"profile": sent}).encode()
    for path in ("/api/profile-check", "/api/profiles/any"):
        told = table.client.post(
            path, data=body, content_type="application/json", headers={"Authorization": f"Bearer {table.token}"}
        )
        assert told.status_code < 500


@given(data=st.binary(max_size=400))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_upload_makes_the_server_stumble(table: Dashboard, data: bytes) -> None:
    assert table.post("/api/photos", data).status_code in (200, 409)


def test_uploads_are_bounded(table: Dashboard) -> None:
    assert table.post("/api/profile-import", b"#" * 400_000).status_code == 413
    assert table.post("/api/photos", b"\xff" * 25_000_001).status_code == 413
    huge = {"profile": {"name": "x" * 300_000}}
    assert table.post("/api/profile-check", huge).status_code == 413
    deep = b'{"profile":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001
    told = table.client.post(
        "/api/profile-check",
        data=deep,
        content_type="application/json",
        headers={"Authorization": f"Bearer {table.token}"},
    )
    assert told.status_code in (200, 400)


def test_a_photo_is_measured(table: Dashboard) -> None:
    name = new_profile(table)
    taken = table.post("/api/photos", jpeg_of(a_photo(), 95)).get_json()
    assert table.get(f"/api/photos/{taken['photo']}.jpg").data.startswith(b"\xff\xd8")
    assert table.get(f"/api/photos/{taken['photo']}.jpg", host=False).status_code == 401
    sent = {"board": "city", "photo": taken["photo"], "corners": CORNERS, "size_mm": [280, 200]}
    told = table.post(f"/api/profiles/{name}/flat", sent).get_json()
    assert len(told["markers"]) == 4
    assert table.get(f"/api/profiles/{name}").get_json()["flats"] == ["city"]
    assert table.get(f"/api/profiles/{name}/flat/city.jpg").data.startswith(b"\xff\xd8")
    assert table.get(f"/api/profiles/{name}/flat/city.jpg", host=False).status_code == 401
    assert table.get(f"/api/profiles/{name}/flat/hq.jpg").status_code == 404


# --- the doctor -------------------------------------------------------------------------------


def test_the_doctor_tells_everybody_and_leaks_no_path(table: Dashboard, tmp_path: Path) -> None:
    found = table.get("/api/doctor", host=False)
    assert {"version", "system", "python", "opencv", "disk", "network"} <= {said["name"] for said in found.get_json()}
    assert str(tmp_path) not in found.text


# --- backups ----------------------------------------------------------------------------------


def test_a_backup_that_was_saved_can_be_brought_back(table: Dashboard, tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir(exist_ok=True)
    (tmp_path / "profiles" / "mine.toml").write_text("name = 'mine'")
    saved = table.get("/api/setup/backup.zip")
    assert (saved.status_code, saved.content_type) == (200, "application/zip")
    back = table.post("/api/setup/restore", saved.data)
    assert (back.status_code, back.get_json()) == (200, {"games": 0, "made_at": AT})
    assert [restored.games for restored in table.begun] == [0]
    assert (tmp_path / "restoring" / "table" / "profiles" / "mine.toml").is_file()


@pytest.mark.parametrize(("data", "key"), [(b"hello", "backup.no_backup"), (b"", "backup.no_backup")])
def test_what_is_no_backup_is_told_and_nothing_begins_anew(table: Dashboard, data: bytes, key: str) -> None:
    refused = table.post("/api/setup/restore", data)
    assert (refused.status_code, refused.get_json()["error"]) == (409, key)
    assert table.begun == []


def test_no_backup_is_brought_back_under_a_running_game(table: Dashboard) -> None:
    saved = table.get("/api/setup/backup.zip").data
    table.hub.publish("table", {"game": {}, "result": None, "last_seq": 4})
    assert table.post("/api/setup/restore", saved).get_json()["error"] == "backup.game"
    assert table.begun == []


def test_a_support_file_has_pictures_only_if_that_is_said(table: Dashboard) -> None:
    for asked, pictures in (("", False), ("?pictures=no", False), ("?pictures=yes", True)):
        made = json.loads(table.get(f"/api/setup/support.zip{asked}").data)
        assert made["pictures"] == pictures
        assert {"name", "severity", "text", "means", "do"} == made["findings"][0].keys()
    assert table.get("/api/setup/support.zip?pictures=perhaps").status_code == 400


# --- the pages' own scripts -------------------------------------------------------------------


SHELL, OWN = ROOT / "web" / "static" / "js" / "setup", TAG_CITY.folder / "screens" / "editor"


def scripts(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))


@pytest.mark.parametrize(("folder", "game", "many"), [(SHELL, None, 80), (OWN, TAG_CITY.folder, 40)])
def test_every_sentence_that_the_scripts_say_is_there(folder: Path, game: Path | None, many: int) -> None:
    text = scripts(folder)
    said = set(re.findall(r'say\("([a-z_.]+)"', text)) | set(re.findall(r'"((?:editor|setup)\.[a-z_]+)"', text))
    assert len(said) > many
    assert said - set(load("en", game)) == set()


def test_no_sentence_of_these_pages_is_left_over() -> None:
    rooms = [ROOT / "web", ROOT / "pi_app"]
    files = [path for room in rooms for suffix in ("*.py", "*.js", "*.html") for path in room.rglob(suffix)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    composed = re.compile(
        r"editor\.(source|tab|series|area|value|row|col|rows|cols|drone|bubbles|row_values|col_values)"
        r"|setup\.lens_|setup\.(profile|kit|camera|lens|clean|pieces|lights|done|almost)(_how)?$|doctor\.(disk|lens|clean)\.|doctor\.\w+\.(means|do)$"
    )
    known = load("en", TAG_CITY.folder)
    keys = [key for key in known if key.startswith(("setup.", "editor.", "doctor."))]
    assert [key for key in keys if not re.search(rf"{re.escape(key)}\b(?!_)", text) and not composed.match(key)] == []
