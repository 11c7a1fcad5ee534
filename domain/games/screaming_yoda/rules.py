"""Screaming Yoda: the rules as the API tells them."""

RULES = """\
# Screaming Yoda

For three to five players (two by option, our ruling), with one pack. Be the first to play your last card, and shout
Yoda when one is left.

**Sources.** *Screaming Yoda*, a game from a summer camp as it was posted at originaltrilogy.com. Where it is silent,
the rules of its family (Pagat's *Shithead*, and *Palace* as played in the Guardian and at whatgameworks.com) or what
we ruled.

**Deal.** Each player has four columns, three where five play: a face-down card with a face-up card on it. Then three
cards in hand. One card is turned up to start the pile, the rest is the draw pile. Seat `first_seat` is dealt to first
and leads; without it lots are drawn, and a given deal begins at seat 0 (our ruling). A ten that is turned up leaves
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
Once the draw pile is gone, face-up cards may be played together with all that is left of the hand if every card is of
one rank (with `combo_only_single`, only with a single last card).

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
