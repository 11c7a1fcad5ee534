"""Bots: the house's own, which take an empty seat at a player's request, and the client that `kibitz bot` runs."""
