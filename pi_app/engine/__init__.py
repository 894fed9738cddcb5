"""The part of All City that knows what a game is, and no particular game. Standard library only."""
