"""Deck the Yard in words: events as sentences, and the rules, whose lists of cards are made from the data.

Cards are told by their names, with what stands for them beside.
"""

from collections.abc import Sequence
from typing import assert_never

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.state import (
    BROKEN,
    BUBBLE,
    CHARACTER,
    COLOUR,
    EVENT,
    NUMBER,
    PATTERNS,
    PLUG,
    Over,
    State,
    call_card,
    colours,
    hand_from,
)
from domain.view import Card, Viewer

_ENDS: dict[Over, str] = {
    "eight_claims": "The player has claimed eight cards.",
    "hand_empty": "The hand is empty, and the game is over.",
    "ended_by_player": "The player ends the game.",
}


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case ev.Drawn():
            return f"The player draws {_a(event.card)}."
        case ev.Discarded():
            return f"The player discards {_a(event.card)}."
        case ev.Dealt():
            first, second = map(_pattern, event.patterns[:2])
            hand = hand_from(event.cards[::-1])
            drawn = f"The player draws {_all(hand.kept)}{_set_aside(hand.aside)}."
            return f"The first two patterns are {first} and {second}. {drawn}"
        case ev.StockShuffled():
            return "The stock is shuffled with the cards that had been set aside."
        case ev.ColourPlayed():
            return f"The player adds {_a(event.card)} to the line-up."
        case ev.BubblePlayed():
            return f"The player puts {_a(event.card)} at the far right of the line-up."
        case ev.PatternClaimed():
            return f"The player has completed and claims {_pattern(event.pattern)}; the five bulbs are discarded."
        case ev.PatternRevealed():
            return f"The next pattern is {_pattern(event.pattern)}."
        case ev.EventCardResolved():
            if not event.power_outage:
                return "A plug is discarded with the event: nothing happens."
            gone = f"the player discards {_all(event.hand)}" if event.hand else "there is no hand to discard"
            return f"The power goes out: {gone}."
        case ev.HandRedrawn():
            hand = hand_from(event.cards[::-1])
            return f"The new hand is {_all(hand.kept) if hand.kept else 'empty'}{_set_aside(hand.aside)}."
        case ev.CharacterResolved():
            if event.claimed:
                return f"The player discards a plug and claims {_a(event.card)}."
            return f"Without a plug for {_a(event.card)}, the card is discarded."
        case ev.BrokenBulbResolved():
            if event.plug is not None:
                return "A plug is discarded with the broken bulb: nothing happens."
            if not event.lineup:
                return "The broken bulb meets no line-up and is discarded."
            return f"The broken bulb takes the whole line-up with it: {_all(event.lineup)}."
        case ev.PlayEnded():
            return _ENDS[event.reason]
        case _:
            assert_never(event)


def _set_aside(cards: Sequence[Card]) -> str:
    verb = "is" if len(cards) == 1 else "are"
    return f"; {_all(cards)} {verb} set aside and put back" if cards else ""


def _a(card: Card) -> str:
    """`a red bulb (AH)`, `Santa (KC)`."""
    article = "" if card in CHARACTER else "a "
    return f"{article}{call_card(card)} ({card})"


def _pattern(card: Card) -> str:
    return f"{call_card(card)} ({card}: {colours(PATTERNS[card])})"


def _all(cards: Sequence[Card]) -> str:
    """`a red bulb (AH), a plug (*2) and Santa (KC)`."""
    *first, last = map(_a, cards)
    return f"{', '.join(first)} and {last}" if first else last


_BULBS = ", ".join(f"`{card}` {colour}" for card, colour in COLOUR.items())
_CHARACTERS = ", ".join(f"`{card}` {name}" for card, name in CHARACTER.items())
_PATTERNS = "\n".join(f"* {NUMBER[card]} `{card}`: {colours(bulbs)}" for card, bulbs in PATTERNS.items())

RULES = f"""\
# Deck the Yard

A solitaire by Don Riddle for the cards of Christmas Lights. **Aim:** at least eight claimed cards when the game ends.

**Reconstructed.** The printed patterns are not public: all eighteen here are ours, and so are the names of two of the
six characters, the elves. They stand in for the originals, in number and in kind (five different colours out of six).

**Cards.** The stock has 70: seven bulbs of each colour ({_BULBS}), six bubble bulbs (`{BUBBLE}`), eight plugs
(`{PLUG}`), five broken bulbs (`{BROKEN}`), three draw-event cards (`{EVENT}`) and six characters ({_CHARACTERS}). Cards
are written as playing cards; like ones read the same (both our rulings). The Power Outage card only reminds of what an
event does and stays out.

**Deal.** Two of the shuffled patterns lie face up. Five cards are drawn as a hand; events, characters and broken bulbs
are set aside, replaced, and put back under the stock, which is shuffled before the next card is drawn (that moment is
our ruling).

**Turn.** One action, then cards are drawn until there are five in the hand; bubbles and plugs count (our ruling).

* `play_colour`: the bulb becomes the next from the left in the line-up, which must always be the beginning of a face-up
  pattern, the first bulb included; as long as it begins both, both are open (our rulings).
* `play_bubble`: it takes the last place of the pattern whatever its colour, the others fill up from the left. One in a
  line-up; it may be the first card of it, or the fifth (our ruling).
* `discard`: any one card of the hand. Plugs are not played, but may be discarded (our ruling).

Five right bulbs claim the pattern at once, without asking; they are discarded for good and the next pattern is turned
up (our rulings). Would the line-up complete both patterns, the player says which (`claim_pattern`; our ruling, not
possible with these patterns).

**Drawing.** What is no bulb and no plug is resolved as it comes. With a plug in the hand the player says each time
whether it is discarded (`use_plug`); that is never a duty.

* Event: with the plug nothing happens. Without, the power goes out: the whole hand is discarded, plugs included, and
  five cards are drawn; events, characters and broken bulbs among them have no effect and are shuffled back. Either way
  the event is spent, and after an outage the turn's drawing is over. With too few cards left what comes is kept; if
  nothing comes, the game is over (our rulings).
* Character: claimed with a plug, discarded without.
* Broken bulb: with a plug nothing happens; without, the whole line-up is discarded. If there is no line-up it is just
  discarded, and no plug is asked for (our ruling).

**End.** Won with the eighth claimed card, at once (our ruling). When the stock is empty the hand is played out, one
action a turn; `end_game` stops before (our ruling). Fewer than eight claims lose. The score is their number. Stuck is
told when the stock is empty and the hand completes no pattern (our ruling). A card drawn cannot be forgotten, so
nothing can be taken back (our ruling).

**Options**

* `free_first_bulb`: the first bulb of a line-up may be any. If it begins no face-up pattern, nothing but a broken bulb
  clears it away, and no bubble bulb can follow it (our ruling).
* `play_on`: the game goes on after the eighth claim, to its end.

**Patterns** (reconstructed), left to right:

{_PATTERNS}

Sources: Deck the Yard and Christmas Lights on gamerules.com; for the number of cards and the colours also the previews
of the game on geekdad.com, for four of the characters its campaign on crowdox.com.
"""
