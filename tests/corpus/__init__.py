"""Stored games of every game type and revision: what every build must still read, fold, decide and show alike."""
