"""Looking back: lists, stories and statistics say what was really played, and say no in words."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.engine.contract import Setup
from pi_app.engine.events import GameEnded, Record
from pi_app.games import GAMES
from pi_app.games.tag_city.rules.model import DiceRolled, DiePlaced, GameStarted, SocialChecked
from pi_app.games.tag_city.rules.sheet import sheet
from pi_app.history.history import PAGE, History
from pi_app.history.story import BREAK_S
from pi_app.storage.gamefile import check_game_file
from pi_app.storage.store import FORMER, Store
from tests.evenings import FIRST_EVENING, store_game
from web.history import GameFilter
from web.people import Refused
from web.wanted import wanted_games

AT = "2026-05-02T20:00:00Z"
ROME = timezone(timedelta(hours=2))
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Four finished games and one that was left; nothing here may be changed."""
    with Store(tmp_path_factory.mktemp("history") / "allcity.db") as store:
        for number, players in enumerate([("Ana", "Bo"), ("Bo", "Cy", "Ana"), ("Ana", "Cy"), ("Dee", "Ana")]):
            store_game(store, players, FIRST_EVENING + number * DAY, seed=number)
        store_game(store, ("Ana", "Bo"), FIRST_EVENING + 4 * DAY, most=30)
        yield store


@pytest.fixture
def history(shared: Store) -> History:
    return History(shared, ROME)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "allcity.db") as opened:
        yield opened


def ids(history: History, **wanted: Any) -> list[int]:
    return [game["id"] for game in history.games(GameFilter(**wanted))["games"]]


def refused(ask: Any) -> str:
    with pytest.raises(Refused) as caught:
        ask()
    return caught.value.refusal.key.removeprefix("history.")


# --- lists ------------------------------------------------------------------------------------


def test_the_newest_game_comes_first_unless_asked_otherwise(history: History) -> None:
    assert ids(history) == [5, 4, 3, 2, 1]
    assert ids(history, sort="oldest") == [1, 2, 3, 4, 5]
    best = {game["id"]: max(game["scores"] or [-1000]) for game in history.games(GameFilter())["games"]}
    assert [best[id_] for id_ in ids(history, sort="score")] == sorted(best.values(), reverse=True)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"player": 3}, [3, 2]),
        ({"player": 99}, []),
        ({"finished": True}, [4, 3, 2, 1]),
        ({"finished": False}, [5]),
        ({"since": date(2026, 5, 3)}, [5, 4, 3]),
        ({"until": date(2026, 5, 2)}, [2, 1]),
        ({"since": date(2026, 5, 2), "until": date(2026, 5, 2)}, [2]),
        ({"since": date(2026, 5, 3), "until": date(2026, 5, 2)}, []),
        ({"profile": "House edition"}, [5, 4, 3, 2, 1]),
        ({"profile": "House"}, []),
        ({"text": "DEE"}, [4]),
        ({"text": "house"}, [5, 4, 3, 2, 1]),
        ({"text": "nobody"}, []),
        ({"text": "cy", "player": 2}, [2]),
    ],
)
def test_filters_leave_what_they_say(history: History, wanted: dict[str, Any], found: list[int]) -> None:
    assert ids(history, **wanted) == found
    assert history.games(GameFilter(**wanted))["total"] == len(found)


def test_a_day_ends_at_midnight_where_the_table_stands(store: Store) -> None:
    store_game(store, at=FIRST_EVENING.replace(hour=22, minute=30), most=3)
    assert ids(History(store, ROME), since=date(2026, 5, 2)) == [1]
    assert ids(History(store, UTC), since=date(2026, 5, 2)) == []


def test_games_come_in_pages_and_a_page_too_far_is_the_last(store: Store) -> None:
    for _ in range(PAGE + 1):
        game_id = store.new_game("tag_city", Setup({"name": "x"}, {}, ("Ana", "Bo")), "2026-05-01T20:00:00Z")
        store.append(game_id, [Record(1, "2026-05-01T20:00:00Z", GameStarted(0))])
    history = History(store)
    first, last = history.games(GameFilter()), history.games(GameFilter(page=99))
    assert [len(first["games"]), len(last["games"])] == [PAGE, 1]
    assert (first["pages"], last["page"]) == (2, 2)


def test_a_game_in_which_nothing_happened_is_none(store: Store) -> None:
    store.new_game("tag_city", Setup({"name": "x"}, {}, ("Ana", "Bo")), "2026-05-01T20:00:00Z")
    assert History(store).games(GameFilter())["total"] == 0


def test_what_can_be_chosen_is_listed(history: History) -> None:
    page = history.games(GameFilter(player=4))
    assert [person["name"] for person in page["people"]] == ["Ana", "Bo", "Cy", "Dee"]
    assert page["profiles"] == ["House edition"]


@settings(max_examples=50)
@given(
    st.builds(
        GameFilter,
        player=st.none() | st.integers(1, 2**31 - 1),
        since=st.none() | st.dates(),
        until=st.none() | st.dates(),
        finished=st.none() | st.booleans(),
        text=st.text(max_size=80),
        profile=st.text(max_size=80),
        page=st.integers(1, 2**31 - 1),
    )
)
def test_any_filter_gives_a_page_and_comes_back_from_an_address(wanted: GameFilter) -> None:
    again = wanted_games(wanted.query())
    assert replace(again, text="", profile="") == replace(wanted, page=1, text="", profile="")
    assert (again.text, again.profile) == (wanted.text.strip(), wanted.profile.strip())


# --- one game ---------------------------------------------------------------------------------


def test_the_story_ends_with_the_result(history: History, shared: Store) -> None:
    for stored in shared.games()[:4]:
        told = history.game(stored.id)
        assert stored.scores is not None
        assert told["scores"] == told["race"][-1]["scores"] == list(stored.scores)
        assert told["steps"][-1]["scores"] == told["scores"]
        assert told["steps"][-1]["round"] == told["rounds"]
        assert told["places"][stored.winners[0] if stored.winners else 0] == 1
        assert json.loads(json.dumps(told)) == told


def test_what_was_taken_back_is_told_but_does_not_count(history: History) -> None:
    steps = history.game(1)["steps"]
    (undone,) = [step for step in steps if step["type"] == "undone"]
    assert [step["seq"] for step in steps if not step["counts"]] == list(range(undone["upto"] + 1, undone["seq"] + 1))
    again = steps[undone["seq"]]
    assert again["type"] == steps[undone["upto"]]["type"]


def test_the_race_is_the_sum_of_the_score_sheet(history: History, shared: Store) -> None:
    told = history.game(2)
    play = check_game_file(history.game_file(2))
    rows = list(sheet(play.setup, play.in_force))
    for point in told["race"]:
        for seat, score in enumerate(point["scores"]):
            assert score == sum(row.value for row in rows if row.seat == seat and row.seq <= point["seq"])
    assert [point["turn"] for point in told["race"]] == list(range(len(told["race"])))
    assert [point["round"] for point in told["race"]] == sorted(point["round"] for point in told["race"])


def test_the_table_can_be_seen_after_every_event(history: History) -> None:
    told = history.game(1)
    for seq in (0, 1, len(told["steps"]) // 2, len(told["steps"])):
        table = history.table_after(1, seq)
        assert table["scores"] == (told["steps"][seq - 1]["scores"] if seq else [0, 0])
        assert [board["score"]["total"] for board in table["game"]["boards"]] == table["scores"]
    assert table["players"] == [player["name"] for player in told["players"]]
    assert [surface["owner"] for surface in table["surfaces"]] == [0, 1, None]
    (undone,) = [step for step in told["steps"] if step["type"] == "undone"]
    assert history.table_after(1, undone["seq"]) == history.table_after(1, undone["upto"])


@pytest.mark.parametrize("seq", [-1, 10**6, 10**30])
def test_there_is_no_table_after_an_event_that_never_was(history: History, seq: int) -> None:
    assert refused(lambda: history.table_after(1, seq)) == "unknown_event"


@pytest.mark.parametrize("game_id", [0, -1, 6, 10**30])
def test_an_unknown_game_is_refused_everywhere(history: History, game_id: int) -> None:
    for ask in (history.game, history.game_file, history.game_csv, history.handover):
        assert refused(lambda ask=ask: ask(game_id)) == "unknown_game"


def test_breaks_do_not_count_as_play(store: Store) -> None:
    game_id = store.new_game("tag_city", store_game(store, most=1).setup, "2026-05-01T20:00:00Z")
    store.append(game_id, [Record(1, "2026-05-01T20:10:00Z", GameStarted(0))])
    later = FIRST_EVENING + timedelta(seconds=10 * 60 + BREAK_S + 1)
    store.append(game_id, [Record(2, later.isoformat(), GameStarted(0))])
    assert History(store).game(game_id)["minutes"] == 10


def test_a_game_that_goes_on_is_told_anew(store: Store) -> None:
    play = store_game(store, most=5)
    history = History(store)
    before = len(history.game(1)["steps"])
    play.undo()
    assert len(history.game(1)["steps"]) == before + 1


def test_a_game_that_cannot_be_understood_is_refused_and_hides_no_other(store: Store) -> None:
    store_game(store, ("Ana", "Bo"))
    setup = Setup({"name": "torn"}, {}, ("Ana", "Bo"))
    for name in ("tag_city", "chess"):
        game_id = store.new_game(name, setup, "2026-05-02T20:00:00Z")
        store.append(game_id, [Record(1, "2026-05-02T20:00:00Z", GameEnded((), (5, 3), (0,)))])
    history = History(store)
    assert [refused(lambda n=n: history.game(n)) for n in (2, 3)] == ["unreadable"] * 2
    assert history.games(GameFilter())["total"] == 3
    assert history.player(1)["games"] == 3
    assert len(history.games_csv(GameFilter()).splitlines()) == 1 + 6


# --- exports ----------------------------------------------------------------------------------


def test_records_that_are_no_game_are_refused_and_hide_no_other(store: Store) -> None:
    store_game(store, ("Ana", "Bo"), FIRST_EVENING)
    setup = store.setup(1)
    for events in ([SocialChecked(7, 7, 7)], [GameStarted(9), DiceRolled((9,)), DiePlaced(5, 99)]):
        records = [Record(seq, "2001-01-01T00:00:00Z", event) for seq, event in enumerate(events, 1)]
        store.new_game("tag_city", setup, "2001-01-01T00:00:00Z", records)
    history = History(store, ROME)
    assert ids(history) == [3, 2, 1]
    assert [refused(lambda n=n: history.game(n)) for n in (2, 3)] == ["unreadable"] * 2
    assert history.game(1)
    assert history.games_csv(GameFilter())
    assert history.players()


def test_a_game_file_is_right(history: History) -> None:
    for game_id in (2, 5):
        assert check_game_file(json.loads(json.dumps(history.game_file(game_id)))).records


def test_the_rows_of_a_game_add_up_to_its_scores(history: History) -> None:
    rows = list(csv.DictReader(io.StringIO(history.game_csv(2))))
    told = history.game(2)
    for player in told["players"]:
        total = sum(int(row["value"]) for row in rows if row["player"] == player["name"])
        assert total == told["scores"][player["seat"]]


def test_the_rows_of_all_games_tell_every_seat(history: History) -> None:
    rows = list(csv.DictReader(io.StringIO(history.games_csv(GameFilter(finished=True, sort="oldest")))))
    assert [(row["game"], row["player"]) for row in rows][:5] == [
        *(("1", "Ana"), ("1", "Bo")),
        *(("2", "Bo"), ("2", "Cy"), ("2", "Ana")),
    ]
    for row in rows:
        told = history.game(int(row["game"]))
        assert int(row["score"]) == told["scores"][int(row["seat"])]
        assert int(row["score"]) == sum(int(row[part]) for part in ("rows", "columns", "districts", "drone", "bubbles"))
        assert (int(row["rounds"]), int(row["minutes"])) == (told["rounds"], told["minutes"])
        assert row["won"] == ("yes" if int(row["seat"]) in told["winners"] else "no")
    left = list(csv.DictReader(io.StringIO(history.games_csv(GameFilter(finished=False)))))
    assert {(row["won"], int(row["rounds"])) for row in left} == {("", history.game(5)["rounds"])}


def test_no_name_is_a_formula_in_a_spreadsheet(store: Store) -> None:
    store_game(store, ('=HYPERLINK("x")', "+1"), most=40)
    for text in (History(store).games_csv(GameFilter()), History(store).game_csv(1)):
        cells = {cell for row in csv.reader(io.StringIO(text)) for cell in row}
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


# --- BG Stats ---------------------------------------------------------------------------------


def payload(links: dict[str, str]) -> dict[str, Any]:
    parts = urlsplit(links["app"])
    assert (parts.scheme, parts.netloc, parts.path) == ("bgstats", "app.bgstatsapp.com", "/createPlay.html")
    assert links["web"] == links["app"].replace("bgstats://", "https://")
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    told: dict[str, Any] = json.loads(data)
    return told


def test_a_finished_game_is_handed_to_bg_stats_in_its_form(history: History) -> None:
    play, told = payload(history.handover(2)), history.game(2)
    assert play["sourceName"] == "All City"
    assert play["playDate"] == told["last_at"].replace("T", " ").removesuffix("Z")
    assert play["durationMin"] == told["minutes"] > 0
    assert play["game"] == {"name": "Tag City", "sourceGameId": "tag_city", "highestWins": True, "noPoints": False}
    assert [(p["name"], p["score"], p["winner"]) for p in play["players"]] == [
        (one["name"], told["scores"][one["seat"]], one["seat"] in told["winners"]) for one in told["players"]
    ]
    assert [p["startPlayer"] for p in play["players"]].index(True) == told["first_player"]
    assert len({payload(history.handover(n))["sourcePlayId"] for n in (1, 2, 3, 4)}) == 4


def test_any_name_survives_the_address(store: Store) -> None:
    names = ('<script>&"#?', "نور 李 🎲")
    store_game(store, names)
    assert [p["name"] for p in payload(History(store).handover(1))["players"]] == list(names)


def test_an_unfinished_game_is_not_handed_over(history: History) -> None:
    assert refused(lambda: history.handover(5)) == "unfinished"
    assert refused(lambda: history.picture(5, "wide", {})) == "unfinished"


# --- players ----------------------------------------------------------------------------------


def test_players_are_counted_by_their_finished_games(history: History, shared: Store) -> None:
    listed = {player["name"]: player for player in history.players()}
    assert {name: player["games"] for name, player in listed.items()} == {"Ana": 4, "Bo": 2, "Cy": 2, "Dee": 1}
    games = [game for game in shared.games() if game.scores and "Ana" in game.players]
    scores = [game.scores[game.players.index("Ana")] for game in games if game.scores]
    assert listed["Ana"]["average"] == round(sum(scores) / 4, 1)
    assert listed["Ana"]["best"]["score"] == max(scores)
    assert listed["Ana"]["wins"] == sum(game.players.index("Ana") in (game.winners or ()) for game in games)


def test_a_player_page_adds_up(history: History) -> None:
    for player in history.players():
        page = history.player(player["id"])
        assert page["name"] == player["name"]
        assert len(page["form"]) == player["games"]
        [played] = page["by_game"]
        assert sum(played["parts"].values()) == pytest.approx(page["average"], abs=0.3)
        assert sum(one["won"] for one in page["form"]) == page["wins"]
        for one in page["opponents"]:
            assert one["ahead"] + one["behind"] + one["level"] == one["games"]


def test_head_to_head_is_seen_from_both_sides(history: History) -> None:
    numbers = {player["name"]: player["id"] for player in history.players()}
    ana = {one["name"]: one for one in history.player(numbers["Ana"])["opponents"]}
    bo = {one["name"]: one for one in history.player(numbers["Bo"])["opponents"]}
    assert (ana["Bo"]["ahead"], ana["Bo"]["behind"]) == (bo["Ana"]["behind"], bo["Ana"]["ahead"])
    assert ana["Bo"]["margin"] == -bo["Ana"]["margin"]
    assert ana["Bo"]["games"] == 2


def test_favourites_are_what_brought_most(history: History) -> None:
    rows = [row for n in (1, 2, 3, 4) for row in csv.DictReader(io.StringIO(history.game_csv(n)))]
    own = [row for row in rows if row["player"] == "Ana" and row["rank"]]
    [played] = history.player(1)["by_game"]
    for one in played["favourites"]:
        mine = [row for row in own if row["item"] == one["item"]]
        assert one["points"] == sum(int(row["value"]) for row in mine)
        assert one["times"] == len(mine)
        assert one["ranks"] == Counter(row["rank"] for row in mine)
    points = [one["points"] for one in played["favourites"]]
    assert points == sorted(points, reverse=True)


def test_a_shared_place_is_level(store: Store) -> None:
    game_id = store.new_game("tag_city", Setup({"name": "x"}, {}, ("Ana", "Bo", "Cy")), "2026-05-01T20:00:00Z")
    store.append(game_id, [Record(1, "2026-05-01T20:00:00Z", GameEnded((), (9, 9, 9), (0, 2)))])
    history = History(store)
    assert history.games(GameFilter())["games"][0]["places"] == [1, 3, 1]
    assert [(one["name"], one["level"], one["ahead"]) for one in history.player(1)["opponents"]] == [
        ("Bo", 0, 1),
        ("Cy", 1, 0),
    ]


@pytest.mark.parametrize("player_id", [0, -1, 99, 10**30])
def test_an_unknown_player_is_refused(history: History, player_id: int) -> None:
    assert refused(lambda: history.player(player_id)) == "unknown_player"
    assert refused(lambda: history.rename(player_id, "Zed", False)) == "unknown_player"
    assert refused(lambda: history.forget(player_id)) == "unknown_player"


# --- renaming and forgetting ------------------------------------------------------------------


def test_a_new_name_is_told_everywhere(store: Store) -> None:
    store_game(store, ("Ana", "Bo"))
    history = History(store)
    assert history.game(1)["players"][0]["name"] == "Ana"
    assert history.rename(1, "  Anna ", False) == 1
    assert history.game(1)["players"][0]["name"] == "Anna"
    assert history.game_file(1)["players"][0] == "Anna"
    assert "Anna" in history.game_csv(1)


def test_two_names_become_one_person_when_asked(store: Store) -> None:
    store_game(store, ("Ana", "Bo"))
    store_game(store, ("Anna", "Bo"))
    history = History(store)
    assert refused(lambda: history.rename(3, "Ana", False)) == "name_taken"
    assert history.rename(3, "Ana", True) == 1
    assert history.player(1)["games"] == 2
    assert refused(lambda: history.player(3)) == "unknown_player"


def test_a_forgotten_name_is_in_no_page_and_no_file(store: Store) -> None:
    store_game(store, ("Wilhelmina", "Bo"))
    history = History(store)
    scores = history.game(1)["scores"]
    history.forget(1)
    told = [history.game(1), history.game_file(1), history.games(GameFilter()), history.players(), history.player(2)]
    told += [history.table_after(1, 9), history.game_csv(1), history.games_csv(GameFilter()), history.handover(1)]
    assert "Wilhelmina" not in json.dumps(told)
    assert history.game(1)["players"][0] == {"seat": 0, "id": 1, "name": None, "bot": False}
    assert history.game(1)["scores"] == scores
    assert history.game_file(1)["players"] == [FORMER, "Bo"]
    assert check_game_file(history.game_file(1))
    assert refused(lambda: history.player(1)) == "unknown_player"


def test_whoever_sits_at_the_table_keeps_their_name_for_now(store: Store) -> None:
    store_game(store, ("Ana", "Bo"))
    store_game(store, ("Bo", "Cy"), most=5)
    history = History(store)
    assert refused(lambda: history.rename(2, "Beau", False)) == "playing"
    assert refused(lambda: history.forget(2)) == "playing"
    assert history.rename(1, "Anna", False) == 1


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81, "\x00", "\ud800"])
def test_a_name_that_is_none_is_refused(store: Store, name: str) -> None:
    store_game(store, ("Ana", "Bo"))
    assert refused(lambda: History(store).rename(1, name, False)) == "bad_name"


# --- games that say nothing about people ---------------------------------------------------------


def test_games_with_bots_are_practice_and_count_for_nobody_unless_somebody_says_so(store: Store) -> None:
    store_game(store, ("Ana", "Bo"), FIRST_EVENING, seed=1)
    setup, records = store.setup(1), store.records(1, GAMES["tag_city"].events)
    with_bot = store.new_game("tag_city", replace(setup, players=("Ana", "NEON")), AT, (), bots=[1])
    store.append(with_bot, records)
    history = History(store, ROME)
    assert [game["practice"] for game in history.games(GameFilter())["games"]] == [True, False]
    assert {one["name"]: one["games"] for one in history.players()} == {"Ana": 1, "Bo": 1}
    history.mark(with_bot, "counted")
    assert {one["name"]: one["games"] for one in history.players()} == {"Ana": 2, "Bo": 1}
    history.mark(1, "practice")
    assert {one["name"]: one["games"] for one in history.players()} == {"Ana": 1, "Bo": 0}


def test_a_game_out_of_sight_is_listed_only_where_somebody_looks_for_it(store: Store) -> None:
    for seed in range(2):
        store_game(store, ("Ana", "Bo"), FIRST_EVENING, seed=seed)
    history = History(store, ROME)
    history.mark(1, "hidden")
    assert (ids(history), ids(history, hidden=True)) == ([2], [1])
    assert history.player(1)["games"] == 1
    history.mark(1, "shown")
    assert (ids(history), ids(history, hidden=True)) == ([2, 1], [])
