"""Canfield in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.canfield.events import Dealt, Drawn, Event, Filled, Moved, Recycled, Uncovered
from domain.games.canfield.state import BASE_CARD, FIRST_COLUMN, FIRST_OF_STOCK, State
from domain.kit.cards import name
from domain.kit.patience import the, zone_name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that can be seen."""
    match event:
        case Drawn():
            return f"The player draws {the(event.cards)}."
        case Moved():
            source, target = zone_name(event.source), zone_name(event.target)
            return f"The player moves {the(event.cards)} from {source} to {target}."
        case Filled():
            return f"The {name(event.card)} of the reserve fills {zone_name(event.target)}."
        case Uncovered():
            return f"The {name(event.card)} comes to the top of the reserve."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            base, columns = event.cards[BASE_CARD], event.cards[FIRST_COLUMN:FIRST_OF_STOCK]
            return (
                f"The {name(base)} is dealt to the foundations, {the(columns)} to the columns; "
                f"the {name(event.cards[0])} lies on top of the reserve, and 34 cards are the stock."
            )
        case _:
            assert_never(event)


RULES = """\
# Canfield

One player, one pack; in England the game is called Demon. **Aim:** bring all 52 cards home, each suit on its own
foundation.

**Deal.** Thirteen cards are the reserve, a packet face up of which only the top card can be seen: the first card dealt.
The next card begins its foundation, and its rank is the base of all four. One card is dealt to each of four columns;
the other 34 are the stock.

**Foundations** begin with the base rank and go up in suit: an ace follows a king, and the last card is the one below
the base. Cards that are home stay there.

**Columns** are built downwards in alternating colours, a king going on an ace. Any part of a column, down to the top
card, moves as one. A card of the base rank need not go home at once: it may lie in a column like any other, and take
the card below it (our ruling).

**Reserve.** Its top card may always be played. A column that becomes empty is filled with it at once and without
asking. Once the reserve is used up, an empty column takes any card or run, or stays empty as long as the player likes.

**Stock.** Drawing turns one card onto the waste, whose top card can be played. When the stock is empty, the waste is
turned over and drawn again in the same order, as often as wanted.

**Options**

* `draw`: with 3, three cards are turned at a time, or what is left, and only the last of them can be played.
* `passes`: how often the stock may be gone through. After the last pass the waste stays; what can be played from it and
  between the columns may still be played (our ruling).
* `whole_column_only`: from column to column all cards of a column move together. Its top card alone still goes home
  (our ruling).
* `foundation_return`: the top card of a foundation may go back to a column where it fits, a card of the base rank too,
  and to an empty column once the reserve is used up (our ruling).
* `undo`: moves may be taken back.

**End.** Won with 52 cards home. Lost where nothing at all can be done, not even drawing. With `undo` such a game stays
open, told as stuck, until a move is taken back or the player resigns (our ruling). Stuck is told as soon as no move is
legal, apart from a whole column that changes places with an empty one, and no card that the allowed passes can bring up
has a place; cards not yet seen count as any card that they could be (our ruling). The score is the number of cards
home, the one that was dealt there among them.

Sources: the Canfield page of Denexa Games; for the options also the Canfield rules of PySolFC, of AisleRiot and of
Morehead and Mott-Smith.
"""
