"""How the Pico is wired. Whoever solders it differently changes these lines and installs the firmware again."""

PIXELS = 60  # at most 512
STRIP_PIN = 2
BUTTON_PINS = (10, 11, 12)  # confirm, undo, next: each connects its pin to ground
