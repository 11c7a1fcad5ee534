"""Megi 9, reconstructed: its source is silent, so everything here is ours.

Naglma's Spite & Malice lists MEGI 9 beside MEGIDDO without a rule. We take the nine for the size of the board: nine
rings, nine spokes, lines of nine, and nine captured stones for an arbatta. Stones fall in pairs, so it takes ten.
"""

SIZE = 9
"""Rings, spokes, and stones in a line."""

ARBATTA = 9
"""Captured stones that win."""
