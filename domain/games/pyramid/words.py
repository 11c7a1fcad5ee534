"""Pyramid in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.pyramid.events import Dealt, Drawn, Event, Recycled, Removed, Turned
from domain.games.pyramid.state import PLACE, ROW_AND_CARD, State
from domain.kit.cards import name
from domain.kit.patience import the
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {the(event.cards)}."
        case Removed():
            return _say_removal(event)
        case Turned():
            return f"The {name(event.card)} is turned up on the stock."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            return "A pyramid of 28 cards is dealt face up, seven cards in its last row; the other 24 are the stock."
        case _:
            assert_never(event)


def _say_removal(event: Removed) -> str:
    if len(set(event.sources)) < len(event.cards):
        return f"The player removes {the(event.cards)} from the waste."
    pairs = zip(event.cards, event.sources, strict=True)
    return f"The player removes {' and '.join(f'the {name(card)} from {_zone(source)}' for card, source in pairs)}."


def _zone(zone: str) -> str:
    return f"row {ROW_AND_CARD[PLACE[zone]][0] + 1}" if zone in PLACE else f"the {zone}"


RULES = """\
# Pyramid

One player, one pack; a well-known computer version is called Tut's Tomb. **Aim:** take the pyramid away in pairs that
make thirteen.

**Deal.** 28 cards lie face up in seven rows of one to seven, each card partly covered by two of the next row. The
other 24 are the stock.

**Removing.** A card is available when nothing lies on it. Two available cards that make thirteen are removed
together: ace and queen, two and jack, three and ten, and so on; suits do not matter. A king counts thirteen and goes
alone. One of the two cards may be the top of the waste, and a king may be removed from there too; when the top of the
waste is gone, the card beneath it is available.

**Stock.** Drawing turns one card onto the waste, at any time, also while the pyramid offers a pair (our ruling). When
the stock is empty, the waste is turned over and drawn again in the same order, as often as wanted.

**Options**

* `passes`: how often the stock may be gone through.
* `clear_all`: won only when stock and waste are gone as well.
* `draw_only_when_stuck`: no drawing and no turning over while the pyramid alone offers a pair or a king.
* `waste_pairs`: right after a draw, and not later (our ruling), the drawn card may pair with the waste card beneath
  it.
* `tuts_tomb_pairing`: a card that is covered by its partner alone may be removed together with it.
* `draw`: with 3, three cards are turned at a time, or what is left, and only the last of them is available.
* `stock_top`: the top card of the stock lies face up and is available too, for the pyramid and for the top of the
  waste. With `passes` 3 these are the rules of Microsoft's Pyramid.
* `undo`: moves may be taken back.

**Naming cards.** A pair is named by its two zones, a king by its zone and the discard pile.

**End.** Won when the pyramid is gone, or with `clear_all` every card. Lost where nothing can be done any more, not
even drawing. With `undo` such a game stays open, told as stuck, until a move is taken back or the player resigns (our
ruling). The score is the number of cards that still had to go, so 0 is a win (our ruling).

Stuck is also told when drawing could go on but the pyramid offers nothing and no card of stock or waste that can come
up makes thirteen with an available one. Kings among them change nothing and do not count, save with `clear_all`. With
`waste_pairs`, and when three are drawn, it is told only where nothing can be done (our rulings).

Sources: the Pyramid page of Denexa Games; for the options also PySolFC, AisleRiot and the Microsoft Solitaire
Collection.
"""
