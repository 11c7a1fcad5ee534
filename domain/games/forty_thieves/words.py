"""Forty Thieves in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.forty_thieves.events import Dealt, Drawn, Event, Moved, Recycled
from domain.games.forty_thieves.state import HOME_PLACE, State
from domain.kit.cards import SUIT_NAMES
from domain.kit.patience import the, zone_name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {the(event.cards)}."
        case Moved():
            source, target = zone_name(event.source), zone_name(event.target)
            if event.target in HOME_PLACE:
                target = f"a foundation of {SUIT_NAMES[event.cards[0][1]]}"
            return f"The player moves {the(event.cards)} from {source} to {target}."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            return "Ten columns of four cards are dealt face up; the other 64 cards are the stock."
        case _:
            assert_never(event)


RULES = """\
# Forty Thieves

One player, two packs. Also known as Napoleon at St Helena. **Aim:** bring all 104 cards home, onto eight foundations,
two for each suit, from ace to king.

**Deal.** Ten columns of four cards, all face up, row by row: the forty thieves. The other 64 cards are the stock. The
two copies of a card read the same and are worth the same (our ruling).

**Columns** are built downwards in suit: on the nine of hearts goes only an eight of hearts. Cards move one at a time.
An empty column takes any card. Nothing goes on an ace.

**Foundations** begin with the ace and go up in suit. A card goes home from the waste or from the top of a column, never
by itself. What is home stays home. Where both foundations of a suit wait for the same card, it goes on the first, also
when the second is named (our rulings).

**Stock.** Drawing turns one card onto the waste, at any time, also while a card could be moved. The top card of the
waste can be played. There is one pass: the waste is not turned over.

**Options**

* `build`: with `alternating` the columns are built downwards in alternating colours, a game known as Streets.
* `runs`: cards on top of a column that lie in the order in which columns are built move together, as many as wanted,
  also into an empty column (our ruling on that). So in suit the game is known as Josephine. Cards go home one at a
  time.
* `passes`: how often the stock may be gone through. When it is empty and passes are left, the waste can be turned over
  and is drawn again in the same order. After the last pass the waste stays, and its top card can be played (our
  ruling).
* `undo`: moves may be taken back.

**End.** Won with 104 cards home. Lost where nothing at all can be done, not even drawing. With `undo` such a game stays
open, told as stuck, until a move is taken back or the player resigns (our ruling). Stuck is told as soon as no card can
be moved, apart from a whole column that changes places with an empty one, and no card that the allowed passes can bring
up has a place: which cards these are can be told from those in view (our ruling). The score is the number of cards
home.

Few deals are won: one in ten, it is said. Sources: the articles on Napoleon at St Helena in Wikipedia and of the United
States Playing Card Company (Bicycle), where aces have to go home at once; here they may wait (our ruling). The Forty
Thieves page of Denexa Games has the waste turned over, which `passes` allows.
"""
