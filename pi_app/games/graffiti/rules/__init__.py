"""The rules of Graffiti: pure functions over plain values."""
