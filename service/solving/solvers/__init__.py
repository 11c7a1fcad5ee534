"""One module per game type, each with its `SOLVER`, collected by `service.solving.verdict`.

Not solved: Bridge Solitaire and Deck the Yard. Games of more than one player have no certificate.
"""
