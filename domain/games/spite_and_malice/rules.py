"""Spite & Malice: the rules as the API tells them."""

RULES = """\
# Spite & Malice

For two players. Be the first to play the last card of your stock.

**Sources.** The game types SNM A, SNM PZ, SNM PZ_NWIS and SNM A-SHORT of *Naglma's Spite & Malice* and its rules
page. The redeal on exhaustion and `wild_lowest` are the rules of goodsoft.biz. Where all are silent we say what we
ruled.

**Values.** Ace 1 to king 13, joker 14; suits do not count. The minimum wild value and everything above it is wild.
The highest value below it finishes a play deck: the queen where kings are wild, the king where only jokers are.

**Deal.** Each seat is dealt its stock, card by card in turn, seat 0 first. The last card dealt to each is turned up;
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
