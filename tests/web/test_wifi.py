"""The page of the table's Wi-Fi, the codes on the big screen, and who may see what of them."""

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.web.house import Table4Web, opened
from tests.web.workshop import Dashboard, dashboard, opened_workshop
from web import codes
from web.refusal import Refusal
from web.workshop import WifiState

HOTSPOT = {"name": "allcity-1a2b", "password": "w7xkq2mzpa"}
WHERE = {"addresses": ["http://10.42.0.1"], "hotspot": HOTSPOT}
SECRET = "a pass;word"


@pytest.fixture
def table(tmp_path: Path) -> Dashboard:
    return dashboard(tmp_path)


def read(svg: bytes) -> str:
    """What a phone reads from a code as it is drawn."""
    width = int(re.search(rb'width="(\d+)"', svg)[1])  # type: ignore[index]
    drawn = np.full((width, width), 255, np.uint8)
    path = re.search(rb'stroke="#000"[^>]* d="([^"]+)"', svg)
    assert path is not None
    x = y = 0.0
    for kind, told in re.findall(r"([Mmh])([-\d. ]+)", path[1].decode()):
        steps = [float(step) for step in told.split()]
        if kind == "h":
            drawn[int(y * 4 - 2) : int(y * 4 + 2), int(x * 4) : int((x + steps[0]) * 4)] = 0
            x += steps[0]
        else:
            x, y = (steps[0], steps[1]) if kind == "M" else (x + steps[0], y + steps[1])
    found: str = cv2.QRCodeDetector().detectAndDecode(cv2.resize(drawn, None, fx=3, fy=3, interpolation=0))[0]
    return found


def test_the_host_sees_the_networks_and_asks_for_one(table: Dashboard) -> None:
    told = table.get("/api/setup/wifi").get_json()
    assert (told["state"], told["trouble"]) == ("alone", None)
    assert [one["name"] for one in told["networks"]] == ["Home", "Café", "Office"]
    assert table.get("/api/setup/wifi", host=False).status_code == 401
    assert table.post("/api/setup/wifi", {"name": "Home", "password": SECRET, "hidden": False}).status_code == 200
    assert table.post("/api/setup/wifi/own", {"open": True}).status_code == 200
    assert table.wifi.asked == [("Home", SECRET, False), (True,)]


@pytest.mark.parametrize(
    "sent",
    [
        {"name": "x" * 33, "password": "", "hidden": False},
        {"name": "Home", "password": "x" * 64, "hidden": False},
        {"name": "Home", "password": 12345678, "hidden": False},
        {"name": "Home", "password": "correct horse"},
        {"name": "Home", "password": "correct horse", "hidden": False, "more": 1},
        {},
    ],
)
def test_what_is_sent_is_bounded(sent: object, table: Dashboard) -> None:
    assert table.post("/api/setup/wifi", sent).status_code == 400
    assert table.wifi.asked == []


def test_why_it_did_not_work_is_told_in_the_hosts_language_and_the_password_is_not(table: Dashboard) -> None:
    table.wifi.now = WifiState("hotspot", trouble=Refusal("wifi.wrong_password", {"name": "Home"}))
    told = table.client.get(
        "/api/setup/wifi", headers={"Authorization": f"Bearer {table.token}", "Accept-Language": "es"}
    )
    assert "no ha aceptado la contraseña" in told.get_json()["trouble"]
    table.post("/api/setup/wifi", {"name": "Home", "password": SECRET, "hidden": False})
    assert SECRET not in table.get("/api/setup/wifi").text
    assert SECRET not in table.get("/api/state").text


def test_where_the_table_may_not_change_it_nothing_is_offered(tmp_path: Path) -> None:
    without = replace(opened_workshop(tmp_path).workshop, wifi=None)
    with opened(tmp_path, workshop=without) as at:
        assert at.client.get("/wifi").status_code == 404
        assert at.get("/api/setup/wifi").status_code == 404
        assert "/wifi" not in at.client.get("/setup").text


def test_the_big_screens_codes_lead_into_the_network_and_to_a_seat(web: Table4Web) -> None:
    assert web.client.get("/wifi.svg").status_code == 404
    web.house.hub.publish("network", WHERE)
    assert read(web.client.get("/wifi.svg").data) == "WIFI:T:WPA;S:allcity-1a2b;P:w7xkq2mzpa;;"
    assert read(web.client.get("/join.svg").data) == "http://10.42.0.1/seat"
    web.house.hub.publish("network", {"addresses": ["http://192.0.2.9:8080"], "hotspot": None})
    assert web.client.get("/wifi.svg").status_code == 404
    assert read(web.client.get("/join.svg").data) == "http://192.0.2.9:8080/seat"


def test_what_a_code_cannot_say_plainly_is_escaped() -> None:
    assert (
        read(codes.picture(codes.wifi('Ana; "home"', "a:b\\c,dd")))
        == 'WIFI:T:WPA;S:Ana\\; \\"home\\";P:a\\:b\\\\c,dd;;'
    )
