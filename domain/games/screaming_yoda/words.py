"""Screaming Yoda: what happens, as sentences that say no more than their hearer may know, and the rules in prose."""

from typing import assert_never

from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules.plays import fits
from domain.games.screaming_yoda.state import Cards, State
from domain.kit.cards import name, names
from domain.view import ALL_SEEING, Seat, Viewer, player_name


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    match event:
        case ev.TurnStarted():
            return (
                f"{player_name(event.seat)} plays again." if event.again else f"{player_name(event.seat)} is on turn."
            )
        case ev.Played():
            return _say_play(event)
        case ev.PickedUp():
            return f"{player_name(event.seat)} picks up the pile: {names(event.cards)}."
        case ev.Drawn():
            return f"{player_name(event.seat)} draws {_name_unseen(event.cards, event.seat, viewer)}."
        case ev.Penalised():
            return _say_penalty(event, viewer)
        case ev.FalselyCalled():
            return f"{player_name(event.by)} calls {player_name(event.seat)} without cause."
        case ev.Cleared():
            by = "A ten" if event.reason == "ten" else "Four of a kind"
            return f"{by} clears the pile: {_count(len(event.cards))} removed from play."
        case ev.Flipped():
            sentence = f"{player_name(event.seat)} flips the {name(event.card)}"
            return f"{sentence}." if fits(state, event.card[0]) else f"{sentence}, which is too low."
        case ev.Dealt():
            columns, hand = len(event.face_up[0]), len(event.hands[0])
            return f"Everybody is dealt {columns} columns and {_count(hand)}; {player_name(event.first)} is the first."
        case ev.TurnedUp():
            return f"The {name(event.card)} is turned up."
        case ev.Swapped():
            return f"{player_name(event.seat)} lays down the {name(event.card)} and takes up the {name(event.taken)}."
        case ev.BecameReady():
            return f"{player_name(event.seat)} is ready."
        case ev.WentOut():
            return f"{player_name(event.seat)} has played its last card."
        case ev.OneLeft():
            return f"{player_name(event.seat)} has one card left and has not shouted."
        case ev.Shouted():
            return f"{player_name(event.seat)} shouts Yoda."
        case ev.Caught():
            return f"{player_name(event.by)} says Yoda first: {player_name(event.seat)} is caught."
        case ev.Skipped():
            return f"{player_name(event.seat)} loses a turn."
        case ev.Withdrawn():
            return f"{player_name(event.seat)} is out of the game and its cards are out of play."
        case _:
            assert_never(event)


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _say_play(event: ev.Played) -> str:
    held = event.cards[: len(event.cards) - len(event.columns)]
    if held and event.columns:
        return f"{player_name(event.seat)} plays {names(event.cards)}, from the hand and face up."
    return f"{player_name(event.seat)} plays {names(event.cards)}{'' if held else ', face up'}."


def _name_unseen(cards: Cards, seat: Seat, viewer: Viewer) -> str:
    """The cards for whom they are, and a number for all others."""
    return names(cards) if viewer in (seat, ALL_SEEING) else _count(len(cards))


def _say_penalty(event: ev.Penalised, viewer: Viewer) -> str:
    drawn = f"{_name_unseen(event.drawn, event.seat, viewer)} from the removed cards"
    taken = f"{names(event.from_pile)} from the pile"
    parts = [part for part, cards in ((drawn, event.drawn), (taken, event.from_pile)) if cards]
    return f"{player_name(event.seat)} has to take {' and '.join(parts) or 'nothing'}."


RULES = """\
# Screaming Yoda

For three to five players (two by option, our ruling), with one pack. Be the first to play your last card, and shout
Yoda when one is left.

**Sources.** *Screaming Yoda*, a game from a summer camp as it was posted at originaltrilogy.com. Where it is silent,
the rules of its family (Pagat's *Shithead*, and *Palace* as played in the Guardian and at whatgameworks.com) or what
we ruled.

**Deal.** Each player has four columns, three where five play: a face-down card with a face-up card on it. Then three
cards in hand. One card is turned up to start the pile, the rest is the draw pile. Seat `first_seat` is dealt to first
and leads; without it lots are drawn, and a given deal begins with Player 1 (our ruling). A ten that is turned up leaves
play at once, and the first player leads (our ruling).

**A turn.** Play one card or several of one rank, equal to or higher than the top of the pile; only ranks count, ace
high. A two goes on anything and anything goes on a two. A ten goes on anything. On an empty pile anything goes. Who
cannot or will not play picks up the whole pile, and the next player leads. A pile that is empty cannot be picked up.

**Clearing.** A ten removes the pile from play with itself. So do four cards of one rank anywhere in the pile, twos and
the card turned up counted; the play that makes four has to be allowed by itself. Who clears the pile plays again.

**Drawing.** After playing, and before playing again, a hand of fewer than three is filled to three while the draw pile
lasts.

**Order.** While there are cards in hand they are played. An empty hand is followed by the face-up cards, then by the
face-down ones: one is flipped blindly and played; if it may not be played it goes to the hand with the whole pile and
the turn ends. A pile may be picked up instead of flipping (our ruling). Who has cards in hand again plays these first.
Once the draw pile is gone, the last card of the hand and one face-up card of its rank may be played together. With
`combo_one_face_up` off several face-up cards of the rank may join, and with `combo_only_single` off two or more cards
that are all of one rank and all that is left of the hand may be joined (both our rulings; in games opened before this
was an option they hold).

**Yoda.** Who has one card left, in hand and on the table together, shouts: with the play itself, or later as long as
nobody has called. Whoever else says it first catches the player, who draws three cards and loses the next turn; caught
while on turn, that turn is lost and passes at once (our ruling). Shouts and calls are not bound to one's turn. The
danger ends when the number of cards changes. Who goes from two cards to none needs no shout. The three cards are drawn
from the removed cards, shuffled; what is missing is taken from the bottom of the pile, whose top card stays, and if
that is too little, what there is (our ruling). With `yoda_penalty_source` of `pile` they are the three on its top, or
what there is. A call without cause is refused; with `false_call_penalty` it costs its caller so many cards from the
same place, and is refused only while there is none to draw (our ruling).

**Swapping.** With `swap_phase` the players first exchange hand cards for their face-up cards, all at once and as often
as they like, until all are ready (our ruling; the family does so, this game does not).

**End.** The first to play the last card wins. With `play_for_places` the others play on until one is left; each scores
the number of players behind (our ruling). Who resigns is out: the cards stay where they lie and are out of play, turns
pass by, and if it was that player's turn the next one plays on the pile as it lies. The last player left wins (our
ruling).
"""
