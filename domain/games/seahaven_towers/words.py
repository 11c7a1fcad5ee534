"""Seahaven Towers in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.seahaven_towers.events import Dealt, Event, Moved
from domain.games.seahaven_towers.state import GAME, IN_COLUMNS, State
from domain.kit.cells import say_move
from domain.kit.patience import the
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence, with the move in standard notation behind it."""
    match event:
        case Dealt():
            return f"Ten columns are dealt face up, and {the(event.cards[IN_COLUMNS:])} to the middle towers."
        case Moved():
            return say_move(GAME, event.cards, event.source, event.target, event.standard)
        case _:
            assert_never(event)


RULES = """\
# Seahaven Towers

One player, one pack, every card face up. **Aim:** bring all 52 cards home, each suit on its own foundation from ace
to king. Art Cabral's game of 1988.

**Deal.** Ten columns of five cards, row by row (our ruling). The last two cards lie in the second and the third tower;
the first and the fourth tower are empty.

**Columns** are built downwards in suit: only the four of diamonds goes on the five of diamonds. An empty column takes
a king, from a column or from a tower, and nothing else.

**Towers** hold one card each, any card. From a tower it may go to a column where it fits or home. From tower to tower
nothing would change, so that is no move (our ruling).

**Foundations** begin with the ace and go up in suit, one card at a time; each suit has its own place. Nothing goes
home by itself, and nothing comes back (our rulings).

**Runs.** Strictly, cards move one at a time, and a run in suit is carried by way of the towers. That is done in one
move here: at most (free towers + 1) cards. Empty columns do not help, for they take only kings; a run headed by a king
goes into one as a whole.

**Notation.** Moves may also be said in standard FreeCell notation, and every move is told in it: columns `1` to `10`
from the left, towers `a` to `d`, `h` home. `26` is from the second column to the
sixth, `a10` from the first tower to the last column, `5h` from the fifth column home. From column to column as many
cards move as fit, into an empty column as many as can (our ruling), or `26v3` exactly three (the count is
hexadecimal, as Freecell Solver writes it).

**Options**

* `strict_single`: cards move only one at a time.
* `any_card`: an empty column takes any card. A run may then be carried by way of empty columns too: twice as many cards
  for every empty column, not counting one that the run goes into.
* `undo`: moves may be taken back.

**End.** Won with 52 cards home. Lost where no card can move. With `undo` such a game stays open, told as stuck, until
a move is taken back or the player resigns (our ruling). A whole column that only changes places with an empty one does
not count as a move when stuck is told (our ruling). The score is the number of cards home.

Sources: the Seahaven Towers page of Denexa Games; the Seahaven rules of PySolFC and AisleRiot; for runs by way of empty
columns the KPatience handbook on FreeCell; for the notation the FreeCell FAQ of the Solitaire Laboratory.
"""
