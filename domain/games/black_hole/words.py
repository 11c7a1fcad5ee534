"""Black Hole in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.black_hole.events import Dealt, Event, Moved
from domain.games.black_hole.state import PILE, State
from domain.kit.cards import name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence."""
    match event:
        case Moved():
            return f"The player moves the {name(event.card)} from pile {PILE[event.source] + 1} to the foundation."
        case Dealt():
            middle = f"The {name(event.start)} lies in the middle"
            return f"{middle}, and around it 17 piles of three cards are dealt face up."
        case _:
            assert_never(event)


RULES = """\
# Black Hole

One player, one pack; a game by David Parlett. **Aim:** bring all 52 cards onto the one foundation in the middle.

**Deal.** The ace of spades is taken out and laid in the middle. The other 51 cards are shuffled and dealt face up in
17 piles of three around it, so that every card can be read.

**Play.** There is one kind of move: the top card of a pile goes onto the foundation if it is one rank above or one
rank below the card that lies there. Suits do not matter, the direction may change with every card, and the ace is
next to both the king and the two. A card never goes on one of its own rank. An empty pile stays empty.

**Options**

* `start_card`: another card in the middle.
* `undo`: moves may be taken back.

A given deal names all 52 cards; the start card may stand anywhere among them and is left out of the piles (our
ruling).

**End.** Won with all 52 cards on the foundation; lost as soon as no top card fits. With `undo` such a game stays
open, told as stuck, until a move is taken back or the player resigns (our ruling). The score is the number of cards
on the foundation, the start card among them (our ruling).

Sources: the Black Hole page of Denexa Games, whose picture of the ace's suit is lost; for the ace of spades Wikipedia
and PySolFC; for the order of laying out and shuffling Jan Wolter's analysis of the game.
"""
