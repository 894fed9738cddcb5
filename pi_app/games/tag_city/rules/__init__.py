"""The rules of Tag City: pure functions over plain values. How open questions are read is told in RULINGS.md."""
