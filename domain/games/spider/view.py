"""What a viewer of Spider may see: the table as zones, events without unseen cards, and the material."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.games.spider.events import Dealt, Event
from domain.games.spider.rules import initial, is_dealt, legal_commands, result
from domain.games.spider.state import COLUMNS, FACE_UP_IN_DEAL, FOUNDATIONS, PACKS, RUN, Facts, Options, State, over
from domain.kit.boards import beside, columns, pile, topped_boards
from domain.kit.cards import hide_all_but
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import STEP, closed_pile, column_zone, solo_view
from domain.view import ALL_SEEING, Card, View, Viewer, Zone


class PackOfSuits(Struct, frozen=True):
    """The 104 cards for one value of the option `suits`."""

    suits: Annotated[int, Meta(description="The option `suits` that it is for.")]
    cards: Cards


class Run(Struct, frozen=True):
    """A finished run, which leaves the columns."""

    suit: Annotated[str, Meta(description="Its suit: S, H, D or C.")]
    cards: Annotated[tuple[Card, ...], Meta(description="Its cards from the lowest one in the column, the king.")]


class Material(Struct, frozen=True, tag="spider/material"):
    """The ten columns, the stock, the places of the eight runs, and the packs."""

    places: Places
    packs: Annotated[tuple[PackOfSuits, ...], Meta(description="The cards by the number of suits.")]
    runs: Annotated[tuple[Run, ...], Meta(description="What is to be put together.")]


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    facts = Facts(state.options.suits, len(state.stock) // COLUMNS, len(state.finished))
    return solo_view(result(state) is not None, stuck(state), _zones(state, viewer == ALL_SEEING), facts)


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the ten face-up cards; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return replace(event, cards=hide_all_but(event.cards, FACE_UP_IN_DEAL))


def stuck(state: State) -> bool:
    """Whether nothing is legal any more, or the stock can never be dealt. Our ruling.

    With fewer than ten cards in the columns one of them stays empty for ever and no run can be finished: whatever is
    still moved, the stock stays where it is.
    """
    if over(state) or not is_dealt(state):
        return False
    return _stock_out_of_reach(state) or not legal_commands(state, 0)


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The stock and the removed runs in a row above the ten columns."""
    stock = closed_pile("stock", "Stock", 0, 0, state.stock, known=open_cards)
    homes = tuple(_foundation(state, number) for number in range(len(FOUNDATIONS)))
    return (stock, *homes, *(_column(state, place, open_cards) for place in range(COLUMNS)))


def boards(options: Options, seats: int) -> Boards:
    """The runs and, below them, the stock on the right; on a phone above the columns."""
    runs = [
        place for pair in range(4)
        for place in beside(FOUNDATIONS[2 * pair : 2 * pair + 2], Place("", 10.9, 0.68 * pair, scale=0.62, label=False))
    ]  # fmt: skip
    stock = pile("stock", 11.05, 3.4)
    phone = topped_boards(
        COLUMNS, lambda step: [pile("stock", 0, 0), *beside(FOUNDATIONS, pile("", 2 * step, 0), step - 1)]
    )
    return Boards(frame_board([*columns(COLUMNS, 0, 0, 4.4), *runs, stock]), phone.tall)


def _foundation(state: State, number: int) -> Zone:
    """The removed runs lie in the order of their going, king at the bottom."""
    cards = RUN[state.finished[number]] if number < len(state.finished) else ()
    return Zone(FOUNDATIONS[number], f"Run {number + 1}", "pile", STEP * (2 + number), 0, cards=cards)


def _column(state: State, place: int, open_cards: bool) -> Zone:
    """The column, whose lower cards are shown as backs."""
    down = 0 if open_cards else state.face_down[place]
    return column_zone(place, state.columns[place][down:], down)


def _stock_out_of_reach(state: State) -> bool:
    return bool(state.stock) and not state.options.deal_with_spaces and sum(map(len, state.columns)) < COLUMNS


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    packs=tuple(PackOfSuits(suits, pack_cards(cards)) for suits, cards in PACKS.items()),
    runs=tuple(Run(suit, cards) for suit, cards in RUN.items()),
)
