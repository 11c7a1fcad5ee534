"""Spider in words: events as sentences, and the rules."""

from typing import assert_never

from domain.games.spider.events import Dealt, Event, Moved, RowDealt, SuitRemoved, Turned
from domain.games.spider.state import COLUMN, FACE_UP_IN_DEAL, State
from domain.kit.cards import SUIT_NAMES, name
from domain.kit.patience import the
from domain.view import Viewer


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Moved():
            source, target = COLUMN[event.source] + 1, COLUMN[event.target] + 1
            return f"The player moves {the(event.cards)} from column {source} to column {target}."
        case Turned():
            return f"The {name(event.card)} is turned up in column {COLUMN[event.source] + 1}."
        case RowDealt():
            return f"The player deals a row: {the(event.cards)}."
        case SuitRemoved():
            suit = SUIT_NAMES[event.cards[0][1]]
            return f"The run of {suit} from king to ace is removed from column {COLUMN[event.source] + 1}."
        case Dealt():
            showing = event.cards[FACE_UP_IN_DEAL.start : FACE_UP_IN_DEAL.stop]
            return f"Ten columns are dealt, showing {the(showing)}; the other 50 cards are the stock."
        case _:
            assert_never(event)


RULES = """\
# Spider

One player, two packs. **Aim:** remove all 104 cards in eight runs of thirteen, each of one suit from king to ace.

**Deal.** Ten columns: six cards in each of the first four, five in the others, the last of each face up. The other 50
cards are the stock. The two copies of a card read the same and are worth the same (our ruling).

**Columns** are built downwards whatever the suit: any nine goes on any ten. Several cards move as one only if they are
of one suit and go down without a gap; any part of such a run down to the top card may be taken. The ace is low:
nothing goes on an ace, and a king goes only into an empty column, which takes any card or run. A face-down card that is
uncovered is turned up at once.

**Runs.** As soon as a column ends in thirteen face-up cards of one suit from king to ace, they are removed and the card
under them is turned up. Where one row finishes several runs, column 1 goes first (our ruling).

**Stock.** At any time, not only when nothing else is possible, a row may be dealt: one card, face up, on each column.
While a column is empty no row may be dealt. There are five rows.

**Options**

* `suits`: with 1 all cards are spades, with 2 half are spades and half hearts.
* `extra_columns`: the columns of six are the first four, or the first, fourth, seventh and tenth.
* `manual_removal`: a finished run stays where it is until the player removes it, with `remove_suit`; it may be taken
  apart or serve as a place for other cards until then.
* `deal_with_spaces`: the relaxed rule. A row may be dealt over empty columns.
* `undo`: moves may be taken back.

**End.** Won with eight runs removed. Without `undo` the game is lost as soon as nothing at all is legal; with `undo` it
stays open, told as stuck, until a move is taken back or the player resigns (our ruling). Stuck is also told where
fewer than ten cards are left in the columns and a row in the stock: one column stays empty for ever, so that the stock
cannot be dealt (our ruling). The score is the number of cards removed.

Sources: the Spider page of Denexa Games; for the options also the Spider rules of PySolFC, AisleRiot and KPatience.
"""
