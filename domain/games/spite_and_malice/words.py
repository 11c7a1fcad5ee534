"""Spite & Malice: what happens, as sentences that say no more than their hearer may know, and the rules in prose."""

from typing import assert_never

from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import HAND, LABEL, PLAY_INDEX, VALUE, State
from domain.kit.cards import PACK, name, names
from domain.view import ALL_SEEING, Viewer, player_name


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    match event:
        case ev.Drawn():
            cards = names(event.cards) if viewer in (event.seat, ALL_SEEING) else _count(len(event.cards))
            return f"{player_name(event.seat)} draws {cards}."
        case ev.Played():
            origin = "hand" if event.source in HAND else LABEL[event.source]
            what = _name_played(state, event)
            return f"{player_name(event.seat)} plays {what} from the {origin} to {LABEL[event.target]}."
        case ev.TurnStarted():
            if state.turn is None:
                return f"{player_name(event.seat)} has the higher card and begins."
            return f"{player_name(event.seat)} is on turn."
        case ev.Discarded():
            return f"{player_name(event.seat)} discards the {name(event.card)} on {LABEL[event.target]}."
        case ev.StockTurned():
            return f"{player_name(event.seat)} turns up the {name(event.card)}."
        case ev.DeckRemoved():
            sentence = f"{LABEL[event.deck].capitalize()} is complete and leaves the table"
            return sentence + (", shuffled into the draw deck." if event.draw is not None else ".")
        case ev.Reshuffled():
            if state.draw:
                return "The draw deck is shuffled."
            return f"The {_count(len(event.draw))} removed from the table are shuffled into a new draw deck."
        case ev.TurnEnded():
            return f"{player_name(event.seat)} has no card left and ends the turn."
        case ev.Dealt():
            tops = [f"{player_name(seat)} turns up the {name(stock[-1])}" for seat, stock in enumerate(event.stocks)]
            return f"{_count(len(event.stocks[0]))} each are dealt to the stocks: {' and '.join(tops)}."
        case ev.Redealt():
            cards = _count(len(event.draw))
            return f"The draw deck is exhausted: the {cards} outside the stocks are shuffled into a new one."
        case ev.Exhausted():
            return f"{player_name(event.seat)} cannot complete its draw: the game is over."
        case ev.Deadlocked(reason="three_idle_redeals"):
            return "No stock card has been played since the cards were dealt again three times: the game is over."
        case ev.Deadlocked():
            return "Two turns in a row have passed without a play or a discard: the game is over."
        case _:
            assert_never(event)


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _name_played(state: State, event: ev.Played) -> str:
    """The card, and for a wild what it counts as."""
    height = len(state.play_decks[PLAY_INDEX[event.target]]) + 1
    if VALUE[event.card] == height:
        return f"the {name(event.card)}"
    rank = name(PACK[height - 1]).split()[0]
    return f"the {name(event.card)} as {'an' if rank in ('ace', 'eight') else 'a'} {rank}"


RULES = """\
# Spite & Malice

For two players. Be the first to play the last card of your stock.

**Sources.** The game types SNM A, SNM PZ, SNM PZ_NWIS and SNM A-SHORT of *Naglma's Spite & Malice* and its rules
page. The redeal on exhaustion and `wild_lowest` are the rules of goodsoft.biz. Where all are silent we say what we
ruled.

**Values.** Ace 1 to king 13, joker 14; suits do not count. The minimum wild value and everything above it is wild.
The highest value below it finishes a play deck: the queen where kings are wild, the king where only jokers are.

**Deal.** Each player is dealt a stock, card by card in turn, Player 1 first. The last card dealt to each is turned up;
the higher one begins. A wild counts its plain value, or lowest with `wild_lowest`, where two wilds are equal (our
ruling). Equal cards: everything is shuffled and dealt again. With `wilds_in_stock` off the stocks are dealt without
the wilds, which are then shuffled into the draw deck.

**A turn.** The player on turn draws up to a full hand; the second player's first hand is dealt at his first turn (our
ruling). He may play any number of cards to the shared play decks, from his hand, the top of his stock or the tops of
his discard piles. A play deck takes the value that is one more than its number of cards, or any wild; an empty one
takes an ace or a wild. A wild stands for its place, also in the first and the last one, and wilds may follow each
other (our ruling). A finished deck is taken away. The next stock card is turned up at once. A hand emptied by plays
is filled again and the turn goes on. Discarding a hand card, wild or not, on any pile of one's own ends the turn.
Nothing else moves: no card goes to a hand or a stock, from pile to pile, or off a play deck. A card played without a
target goes to the lowest-numbered play deck that takes it; a wild needs a target.

**Shuffles.** `draw_empty`: finished decks wait aside and become the draw deck, shuffled, when a card is needed and it
is empty, even in the middle of a draw. `deck_removed`: a finished deck is shuffled into the draw deck at once.
`any_draw`: it joins the draw deck at once, which is shuffled before every draw.

**When the cards run out** the source is undecided. `drawn`: the game is drawn at once, no card being taken (our
ruling). `partial_draw`: the player takes what there is; a hand left empty is filled as soon as a play brings cards
back, an empty hand may end its turn without a discard, and two turns in a row so ended without a play draw the game
(our ruling). `redeal_hands_and_discards`: everything outside the stocks is shuffled into a new draw deck, the player
on turn draws a full hand, the other at his next turn; once this has been done three times since a stock card was last
played, the next time draws the game (our ruling). `fewest_stock_wins`: fewer stock cards left win, equal ones draw
(our ruling).

**Options.** With `must_play_ace` a turn cannot end while an own ace in hand, on the stock or on a discard pile can be
played (our ruling). `minimum_wild` of joker without jokers means that nothing is wild. Tables that cannot be dealt
are refused.

**End.** Won with the last stock card, in the middle of the turn. No points are scored; the cards left in the loser's
stock are shown for those who count them.

The source's list also names MEGIDDO and MEGI 9 with every number zero and the ace as lowest wild: nothing can be
dealt so, and no option expresses it.
"""
