"""The printable kit of an edition: boards with markers, tokens, stickers, and the layout that tells where all is.

Boards are drawn from the layout, so what is printed and what is read cannot drift apart. For boards that somebody
owns and measured, the kit is the stickers, a sheet per board to check the measurements with, and the layout.
"""
