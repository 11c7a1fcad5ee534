"""The rules of Bridge Solitaire in our own words."""

RULES = """\
# Bridge Solitaire

Contract bridge for one, against the stock, invented by Stephen Rogers and published by Denexa. Scored by the Laws
of Contract Bridge for rubber bridge (Laws 72 to 74, 80 and 81). The player's column is ME, the house's is IT.

**Deal.** 52 cards and two jokers: seven face down, thirteen face up, 34 as the stock, which plays for the house.
Aces are high. Of the thirteen the player keeps six, any joker among them, before seeing the seven. The rest is
discarded; only the top discard, which the player chooses (else the last dealt), may be seen from then on. Six and
seven make the hand.

**The house calls first.** In each suit the player's sure tricks are counted from the ace down: a rank the player
holds wins, any other is the house's and takes the player's lowest card. The house bids six less that many tricks,
or passes if nothing is left. It names the suit of which the player has fewest; a void is the fewest (our ruling),
and of equals it is the highest ranking suit (our ruling; option `house_tie`). Discards count as the house's cards
(our ruling; with `exclude_discards` they are nobody's).

**The player calls once.** After a pass the player must bid; otherwise a higher bid makes the player declarer, and a
pass leaves the house to declare. Suits rank clubs, diamonds, hearts, spades, then no trump, which needs a hand of
4-3-3-3, 3-3-3-3 with a joker or 3-3-3-2 with both. One joker in the hand doubles the contract, two redouble it,
whoever declares.

**Play.** The defender leads first, then whoever won. The house leads the top of the stock; the player follows suit,
or if void plays anything, jokers included. When the player leads, stock cards are turned until one can answer: the
suit led, a trump or a joker. The others are skipped to the discards, seen when turned and, but for the top one, not
after the player's next card (our ruling). At no trump at most four are turned (also skipped to the discards: our
ruling); if none answers, the player wins. The highest trump wins, else the highest of the suit led.

**Jokers.** The house wins any trick with a joker, unless it led one and the player answers with the other. To a
joker the house leads, the player may play any card. If the player leads one, the next stock card answers whatever
it is and the house wins, even with the other joker (our ruling).

**Stock out.** The last stock card is the house's card though it could not answer, at no trump too (our ruling).
With no stock left when a trick should start, each card in the hand is a trick for the player.

**Score.** Tricks bid and made go below the line: 20 in clubs and diamonds, 30 in hearts and spades, 40 then 30 at
no trump, doubled or redoubled. Above it: overtricks, 50 or 100 for making a doubled or redoubled contract, slams
500 and 1000 (vulnerable 750 and 1500), undertricks to the other side, and honours, which only the player can hold
(our ruling). Option `old_undertricks` scores doubled undertricks not vulnerable as before 1987. 100 below is a
game, which makes its side vulnerable and ends both part scores. Two games end the rubber and earn 700, or 500 if
the other side has one.

**The end.** More points win, whoever took the two games; equal points draw. Between hands the rubber may be closed:
300 to the only side with a game, 100 to the only side with a part score, and the game counts as abandoned.
Resigning loses it: a hand in play is scored with all unfinished tricks to the house, one without a contract not at
all, then the premiums follow (our ruling). With `length` `hand` one hand is played, not vulnerable and without
premiums of a rubber; its points decide (our ruling). Either way the score is ME less IT. There is no claiming and
no undo.

**Memory.** At a table the lower discards, the skipped cards and the tricks could not be inspected again. Here the
earlier steps of a hand are shown as they were seen: nothing has to be remembered, and option `memory`, which is
always false, says so (our ruling).

**Boards.** With `board` 1 to 4 the single hand is a board of duplicate bridge (Law 77): vulnerable are nobody, ME, IT,
both. A contract that is made earns 50, or 300 (vulnerable 500) if its tricks alone give 100, honours count nothing,
and all points are simply added up. So all players of one deal can be compared: the day's deal is such a board, the
four in turn from UTC day to UTC day, board 1 on 1970-01-01 (our ruling).
"""
