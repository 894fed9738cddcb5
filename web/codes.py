"""QR codes: for the table's own Wi-Fi, and for the page where people take a seat."""

import io

import segno
from segno.helpers import make_wifi_data


def join(address: str) -> segno.QRCode:
    """Leads a phone to the page where it takes a seat."""
    return segno.make(f"{address}/seat", micro=False)


def wifi(name: str, password: str) -> segno.QRCode:
    """Brings a phone into a network."""
    return segno.make(make_wifi_data(name, password, "WPA"), micro=False)


def picture(code: segno.QRCode) -> bytes:
    """As SVG."""
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", scale=4, border=2, dark="#000", light="#fff", xmldecl=False)
    return drawn.getvalue()


def in_terminal(code: segno.QRCode) -> str:
    drawn = io.StringIO()
    code.terminal(out=drawn, compact=True)
    return drawn.getvalue()
