"""Golf in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.golf.events import Counted, Dealt, Drawn, Event, Moved
from domain.games.golf.state import COLUMN, IN_COLUMNS, State
from domain.kit.cards import name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Moved():
            return (
                f"The player plays the {name(event.card)} from column {COLUMN[event.source] + 1} on the discard pile."
            )
        case Drawn():
            return f"The player draws the {name(event.card)}."
        case Counted():
            return f"The player gives up with {sum(map(len, state.columns))} cards left in the columns."
        case Dealt():
            first = name(event.cards[IN_COLUMNS])
            deal = f"Seven columns of five cards are dealt face up; the {first} is the first discard"
            return f"{deal}, 16 cards are the stock."
        case _:
            assert_never(event)


RULES = """\
# Golf

One player, one pack. **Aim:** play the 35 cards of the columns onto the discard pile; as on the course, the lowest
score is the best.

**Deal.** Seven columns of five cards, all face up, row by row. The next card is turned as the first of the discard
pile; the other 16 are the stock.

**Play.** The top card of a column goes onto the discard pile if it is one rank above or one rank below the card
there. Suits do not matter. The ace is low: on an ace goes only a two, on a two an ace or a three. On a king goes
nothing.

**Stock.** Drawing turns the next card of the stock onto the discard pile. It may be done at any time, also while a
card could be played (our ruling). There is no second pass.

**Options**

* `queens_on_kings`: queens may be played on kings.
* `wrap`: ace and king are next to each other as well; this includes queens on kings.
* `draw_only_when_stuck`: nothing may be drawn while a card of the columns can be played.
* `negative_score`: a won game scores minus one for every card left in the stock.
* `undo`: moves may be taken back.

**End.** Won as soon as the columns are empty, with a score of 0. Lost when the stock is empty and nothing can be
played; the score is the number of cards left in the columns. With `undo` such a game stays open, told as stuck, until
a move is taken back or the player resigns; resigning scores the cards that are left (our rulings). Stuck is also told
earlier: when nothing can be played now and nothing could be played on any card of the stock (our ruling).

Sources: the Golf page of Denexa Games; for the options also PySolFC, AisleRiot and the Golf page of Traditional Game
Rules.
"""
