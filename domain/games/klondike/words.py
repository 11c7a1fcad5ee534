"""Klondike in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.klondike.events import Dealt, Drawn, Event, Moved, Recycled, Turned
from domain.games.klondike.state import State, columns_dealt
from domain.kit.cards import name
from domain.kit.patience import the, zone_name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {the(event.cards)}."
        case Moved():
            source, target = zone_name(event.source), zone_name(event.target)
            return f"The player moves {the(event.cards)} from {source} to {target}."
        case Turned():
            return f"The {name(event.card)} is turned up in {zone_name(event.source)}."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            showing = [column[-1] for column in columns_dealt(event.cards)]
            return f"Seven columns are dealt, showing {the(showing)}; the other 24 cards are the stock."
        case _:
            assert_never(event)


RULES = """\
# Klondike

One player, one pack. **Aim:** bring all 52 cards home, each suit on its own foundation from ace to king.

**Deal.** Seven columns hold one to seven cards; only the last card of each lies face up. The other 24 cards are the
stock.

**Columns** are built downwards in alternating colours: a red jack goes on a black queen. The face-up cards of a column
form a run; any part of it, down to the top card, moves as one. A face-down card that is uncovered is turned up at once
and without asking (our ruling). An empty column takes a king or a run headed by a king, nothing else.

**Foundations** begin with the ace and go up in suit, one card at a time. The top card of a foundation may go back to
a column where it fits.

**Stock.** Drawing turns one card onto the waste, whose top card can be played. When the stock is empty, the waste is
turned over and drawn again in the same order, as often as wanted.

**Options**

* `draw`: with 3, three cards are turned at a time, or what is left, and only the last of them can be played.
* `passes`: how often the stock may be gone through. After the last pass the waste stays; what can be played from it and
  between the columns may still be played (our ruling).
* `end_on_last_pass`: the stricter reading of that limit. Once the stock of the last pass is empty, the game is lost as
  soon as the top card of the waste has no place; with the waste empty, once nothing is left to be played (our ruling).
* `whole_run_only`: from column to column all face-up cards of a column move together. Single cards still go home.
* `foundation_return`: with false, what is home stays home.
* `undo`: moves may be taken back.

**End.** Won with 52 cards home. Lost where nothing at all can be done, not even drawing. With `undo` such a game stays
open, told as stuck, until a move is taken back or the player resigns (our ruling). Stuck is told as soon as no move is
legal, apart from a whole column headed by a king that changes places with an empty one, and no card that the allowed
passes can bring up has a place; cards not yet seen count as any card that they could be (our ruling). The score is the
number of cards home.

Sources: the Klondike page of Denexa Games; for the options also the Klondike and draw-three rules of PySolFC and of
AisleRiot.
"""
