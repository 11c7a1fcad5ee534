"""Verifying the games of a store: one by one, in several processes, by sample, and where an interrupted run stopped."""
