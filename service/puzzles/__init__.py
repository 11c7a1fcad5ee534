"""Puzzles: positions of finished games at which exactly one continuation still wins."""
