"""FreeCell in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.freecell.events import Dealt, Event, Moved
from domain.games.freecell.state import GAME, State
from domain.kit.cells import say_move
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence, with the move in standard notation behind it."""
    match event:
        case Dealt():
            return "Eight columns are dealt face up."
        case Moved():
            return say_move(GAME, event.cards, event.source, event.target, event.standard)
        case _:
            assert_never(event)


RULES = """\
# FreeCell

One player, one pack, every card face up. **Aim:** bring all 52 cards home, each suit on its own foundation from ace
to king.

**Deal.** Row by row over eight columns: the first four get seven cards, the others six. Four free cells are empty.

**Columns** are built downwards in alternating colours: a red jack goes on a black queen. An empty column takes any
card.

**Free cells** hold one card each, any card. From a cell it may go to a column where it fits or home. From cell to
cell nothing would change, so that is no move (our ruling).

**Foundations** begin with the ace and go up in suit, one card at a time; each suit has its own place. Nothing goes
home by itself (our ruling).

**Runs.** Strictly, cards move one at a time, and a run in alternating colours is carried by way of free cells and
empty columns. That is done in one move here: at most (free cells + 1) cards, twice as many for every empty column; a
column that the run goes into does not count as empty.

**Notation.** Moves may also be said in standard notation, and every move is told in it: columns `1` to `8` from the
left, free cells `a` to `d`, `h` home. `26` is from the second column to the
sixth, `a3` from the first cell to the third column, `5h` from the fifth column home. From column to column as many
cards move as fit; into an empty column as many as can (our ruling), or `26v3` exactly three (the count is
hexadecimal, as Freecell Solver writes it).

**Numbered deals.** The deals of Microsoft's FreeCell, 1 to 1,000,000, can be asked for by number, and those that its
generator makes of further numbers, up to 2,147,483,647.

**Options**

* `strict_single`: cards move only one at a time.
* `foundation_return`: the top card of a foundation may go back to a column where it fits. This has no standard
  notation.
* `undo`: moves may be taken back.

**End.** Won with 52 cards home. Lost where no card can move. With `undo` such a game stays open, told as stuck, until
a move is taken back or the player resigns (our ruling). The score is the number of cards home.

Sources: the FreeCell page of Denexa Games; for runs the KPatience handbook; the FreeCell rules of PySolFC and
AisleRiot; the FreeCell FAQ of the Solitaire Laboratory.
"""
