"""What installing and updating ask of a running table."""

from pathlib import Path

from pi_app.config import Config, WebSettings
from pi_app.run.gate import is_healthy, is_playing
from tests.browser.program import Program
from tests.web.house import opened
from web.serve import serve


def at(port: int, second: int | None = None) -> Config:
    return Config(Path("allcity.db"), web=WebSettings(port=port, second_port=second))


def test_bots_do_not_mind_an_update_and_people_do(tmp_path: Path) -> None:
    with opened(tmp_path, players=2) as table:
        port = serve(lambda taken: table.client.application, "127.0.0.1", 0)
        table.play(3)
        assert is_healthy(at(port))
        assert is_playing(at(port))
        table.table.bots = frozenset({0, 1})
        table.dashboard.publish()
        assert not is_playing(at(port))


def test_a_table_at_its_second_port_is_found_and_none_is_not_healthy(tmp_path: Path) -> None:
    with Program(tmp_path, "--sim") as program:
        assert is_healthy(at(9, program.site.port))
    assert not is_healthy(at(9))
    assert not is_playing(at(9))
