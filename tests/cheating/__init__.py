"""Simulated cheating accounts among honest players, and what the ladder and the boards then show."""
