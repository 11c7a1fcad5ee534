"""The games that are solved: one module for each, named by its key, with a `SOLVER`.

Not solved: Bridge Solitaire, Deck the Yard. Games of more than one player have no certificate.
"""
