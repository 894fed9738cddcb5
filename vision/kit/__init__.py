"""Tools for the printable kit of any game: a sheet to draw on, markers on corners, pages, and the layout's file.

What is on its boards is the game's. Boards are drawn from the layout, so what is printed and what is read cannot drift
apart. For boards that somebody owns and measured, the kit is the stickers, a sheet per board to check the
measurements with, and the layout.
"""
