"""Hints: what whoever plays an unrated patience may ask, told by what they have seen alone."""
