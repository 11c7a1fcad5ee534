"""One module per game type, found by looking; each has its `SOLVER`.

Not solved: Bridge Solitaire and Deck the Yard. Games of more than one player have no certificate.
"""
