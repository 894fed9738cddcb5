"""The words that profiles, regions and pieces share."""

COLOURS = "RYBGK"
"""What a part may ask for: red, yellow, blue, green, black."""
PAINTS = ("R", "Y", "B", "G", "K", "RY", "RB", "YB")
"""The kinds of paint tiles; two letters pay for either colour or for both."""
BONUSES = ("points", "paint", "permit", "extra", "reserve", "add", "reduce", "save")
SEATS = ("red", "blue", "green", "yellow")
"""The colour of each seat, in the order of their sheets."""
CANS = 5
"""Cans of a seat."""
