"""The words that regions and pieces share."""

from typing import Final

SEATS: Final = ("cyan", "pink", "orange", "lime", "violet", "red", "blue", "yellow")
"""The colour of each seat."""
MALL, TILL = "mall", "till"
JOKER_KIND: Final = "joker"
"""In files it is "*", which means anything where things lie."""
STOPS: Final = 5
"""Places for stop cards on the till."""
CART: Final = 10
"""Places for cards on a cart strip."""


def cart_strip(seat: int) -> str:
    return f"cart-{seat + 1}"
