"""What a viewer may see of Canfield: the table as zones, the events, when a game is told as stuck, and the material."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.games.canfield.events import Dealt, Event
from domain.games.canfield.rules import find_wanted, initial, moves, result
from domain.games.canfield.state import COLUMNS, FACE_UP_IN_DEAL, RESERVE, Facts, Options, State, lower
from domain.kit.boards import PHONE_ROOM, PHONE_STEP, beside, columns, fan, homes, pile
from domain.kit.cards import PACK, RANKS, hide_all_but, rank_name
from domain.kit.columns import only_changes_place
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import FOUNDATIONS, STEP, all_home, column_zone, count_needed, foundation_zones, solo_view
from domain.kit.talon import find_awaited, recycles_left, talon_zones
from domain.view import ALL_SEEING, View, Viewer, Zone


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    over, base = result(state) is not None, RANKS[state.base - 1] if state.base else None
    return solo_view(
        over,
        stuck(state),
        _zones(state, open_cards=viewer == ALL_SEEING),
        Facts(base, state.options.draw, state.recycles + 1, recycles_left(state)),
    )


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the top of the reserve, the base card and the columns; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return Dealt(hide_all_but(event.cards, FACE_UP_IN_DEAL))


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A whole column that only changes its place does not count as a move. Cards that have never been shown count as any
    that they could be, so the answer rests on what the player has seen and does not give them away.
    """
    if all_home(state.foundations) or not state.base:
        return False
    if any(not only_changes_place(state.columns, move) for move in moves(state)):
        return False
    return find_wanted(state).isdisjoint(find_awaited(state, (state.reserve[: state.covered],)))


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The reserve with the columns to its right, the foundations above these, stock and waste beside them."""
    hidden = 0 if open_cards else state.covered
    reserve = Zone(RESERVE, "Reserve", "pile", 0, STEP, face_down=hidden, cards=state.reserve[hidden:])
    homes = foundation_zones(state.foundations, (2, 3, 4, 5), state.base)
    columns = [column_zone(place, column, left=2) for place, column in enumerate(state.columns)]
    return (*talon_zones(state, open_cards), *homes, reserve, *columns)


def boards(options: Options, seats: int) -> Boards:
    """The reserve spread on the left with stock and waste below it; foundations above the columns."""
    reserve = Place(RESERVE, 0, 0, "down", 2.5, label=False)
    left = 1.3 + 0.3 * (options.draw - 1)
    return Boards(
        frame_board([
            reserve, pile("stock", 0, 2.6), fan("waste", 1.08, 2.6, options.draw),
            *homes(beside(FOUNDATIONS, pile("", left + 1.08, 0))), *columns(COLUMNS, left + 1.08, 1.1, 2.5),
        ]),
        frame_board([
            pile("stock", 0, 0), fan("waste", 1.08, 0, options.draw), *homes(beside(FOUNDATIONS, pile("", 3.24, 0))),
            replace(reserve, y=1.12, room=4), *columns(COLUMNS, 3.24, 1.12, PHONE_ROOM, step=PHONE_STEP),
        ]),
    )  # fmt: skip


class BaseRank(Struct, frozen=True):
    """A rank, as the base of the foundations and in a column."""

    id: Annotated[str, Meta(description="The rank in one character, as the fact `base` tells it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    order: Annotated[
        tuple[str, ...], Meta(description="If it is the base: the ranks of a foundation from the bottom up.")
    ]
    lower: Annotated[str, Meta(description="The rank that is laid on it in a column, in the other colour.")]


class Material(Struct, frozen=True, tag="canfield/material"):
    """The stock, the waste, the foundations, the reserve and the four columns, the ranks, and the pack."""

    places: Places
    ranks: Annotated[tuple[BaseRank, ...], Meta(description="The ranks, ace first; any may be the base.")]
    cards: Cards


def _describe_rank(rank: str, value: int) -> BaseRank:
    suit = PACK[: len(RANKS)]
    order = tuple(card[0] for card in sorted(suit, key=lambda card: count_needed(card, value)))
    return BaseRank(rank, rank_name(rank), order, RANKS[lower(value) - 1])


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    ranks=tuple(_describe_rank(rank, value) for value, rank in enumerate(RANKS, 1)),
    cards=pack_cards(),
)
