"""The Clock in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.the_clock.events import Dealt, Event, Exchanged, Placed, Turned
from domain.games.the_clock.state import CENTRE, PLACE, State
from domain.kit.cards import name
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Turned():
            return f"The player turns up the {name(event.card)} from the pile {_where(event.source)}."
        case Placed():
            return f"The {name(event.card)} goes face up under the pile {_where(event.target)}."
        case Exchanged():
            laid = f"The player lays the {name(event.king)} face down on the pile {_where(event.target)}"
            return f"{laid} and turns up the {name(event.card)} for it."
        case Dealt():
            return "Thirteen piles of four cards are dealt face down: twelve round the clock and one in the middle."
        case _:
            assert_never(event)


def _where(zone: str) -> str:
    return "in the middle" if PLACE[zone] == CENTRE else f"at {PLACE[zone] + 1} o'clock"


RULES = """\
# The Clock

One player, one pack, and nothing to decide. **Aim:** the four kings must be the last to come: the 48 other cards are to
be shown before the fourth of them.

**Deal.** Four cards, face down, make a pile; twelve piles lie like the hours on the face of a clock, one, the hands, in
the middle. Each hour has its rank: aces 1, twos to tens their number, jacks 11, queens 12; kings belong in the
middle. The cards are dealt one at a time, from 1 o'clock round to 12 and then to the middle, four times over; the last
card of a pile is its top (our ruling).

**Play.** The top card of the middle pile is turned up and put face up under the pile to which it belongs; the top card
of that pile is turned up next, and so on. `step` turns up one card and puts it in its place, `run_to_end` does so until
the end. A pile that still has to give a card is never empty: an hour gets four cards and has four to give, and only the
fourth king finds the middle empty.

**Options**

* `take_from`: with `bottom` it is a pile's lowest face-down card that is turned up, as AisleRiot plays it.
* `pile_by_pile`: the first four cards of the deal make the pile at 1 o'clock, the next four that at 2, and so on; those
  of the middle come last.
* `watch`: the variant of that name. When the fourth king is turned up while other cards lie face down, it is laid face
  down in the place of the top card of a pile which the player chooses (`exchange`); that card is played instead. This
  happens once in a game, it cannot be declined, and the next time that the king is turned up it decides the game; the
  top card is meant with `take_from: bottom` too (all our rulings).

**End.** Won if the 52nd and last card to be shown is the fourth king, lost if that king shows earlier. Without `watch`
one deal in thirteen is won, exactly. The score is the number of other cards than kings that have been shown, 48 at
most. As the game is pure luck, it has statistics and no ranking, and nothing can be taken back (our ruling).

Sources: The Clock in the solitaire rules of Denexa Games; for the deal and the options PySolFC, AisleRiot and the Clock
Patience page of gamerules.com.
"""
