"""Canfield: a reserve, four columns, foundations that begin anywhere (rules after Denexa Games)."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.capabilities import Chip, Chips, RankNames, Taps
from domain.game_type import Concealed, Illegal
from domain.kit import patience, talon
from domain.kit.boards import PHONE_ROOM, PHONE_STEP, columns, fan, homes, in_row, pile
from domain.kit.cards import PACK, RANK, RANKS, is_red, name, rank_name, turned_ranks
from domain.kit.patience import Foundation
from domain.kit.solo import next_revision, read_rules, solo_game
from domain.kit.talon import COLUMN, judge_move, list_home, list_to_columns, lying_cards, move_cards, only_changes_place
from domain.view import Card, Viewer, Zone

Reserve = Literal["reserve"]
Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3"]

RESERVE: Final[Reserve] = "reserve"
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

COLUMNS: Final = 4

IN_RESERVE: Final = 13
BASE_CARD: Final = 13
FIRST_COLUMN: Final = 14
FIRST_OF_STOCK: Final = FIRST_COLUMN + COLUMNS
"""Places in the dealing order: the reserve, the base card, one card for each column, then the stock."""

FACE_UP_IN_DEAL = frozenset({0, *range(BASE_CARD, FIRST_OF_STOCK)})
"""The places in the dealing order whose cards are seen: the top of the reserve, the base card and the columns."""

RESERVED: Card = "-"
"""What stands on top of an empty column that the reserve is about to fill: no card may go there."""

_LOWER: dict[Card, int] = {card: (rank - 2) % 13 + 1 for card, rank in RANK.items()}
"""The rank that lies below a card's: a king below an ace."""

ACCEPTS: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if RANK[card] == _LOWER[top] and is_red(card) != is_red(top)) for top in PACK
} | {patience.NO_CARD: frozenset(PACK), RESERVED: frozenset()}
"""The cards that a column takes, by its top card: one lower in the other colour; any on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Canfield is played."""

    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    passes: patience.FewPasses = None
    whole_column_only: Annotated[
        bool, Meta(description="From column to column only all cards of a column move, never a part of them.")
    ] = False
    foundation_return: patience.FoundationReturn = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `base` is the rank on which every foundation begins, ace 1 to king 13, 0 before the deal. `foundations` are the
    numbers of cards at home, by suit as in SUITS. `covered` is how many cards of the reserve, from the bottom, cannot
    be seen. `recycles` is how often the waste has been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, ...]
    base: int = 0
    reserve: tuple[Card, ...] = ()
    covered: int = 0
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes."""

    passes: patience.Passes = None


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="canfield/facts"):
    """What the piles do not show: the rank that begins a foundation (one character), the pass and what is left of them.

    Passes count from 1; `recycles_left` is null where any number is allowed.
    """

    base: str | None
    draw: int
    pass_number: int
    recycles_left: int | None


def tops(state: State) -> tuple[Card, ...]:
    """The top card of every column; an empty one takes any card, but while the reserve has cards it takes none."""
    space = RESERVED if state.reserve else patience.NO_CARD
    return tuple([column[-1] if column else space for column in state.columns])


def reserve_top(state: State) -> Card | None:
    """The card of the reserve that can be seen and played."""
    return state.reserve[-1] if len(state.reserve) > state.covered else None


Source = Reserve | talon.Waste | Foundation | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="canfield/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="canfield/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Move(Struct, frozen=True, tag="canfield/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or the top `count` cards of a column, onto a column or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[
        int, Meta(description="How many cards, from the top; columns go on from ace to king.", ge=1, le=52)
    ] = 1


class Dealt(Concealed, frozen=True, tag="canfield/dealt"):
    """The 52 cards in dealing order: 13 of the reserve, the base card, four columns, the stock.

    The first card is the top of the reserve, for the packet is turned over; the stock's next card comes first.
    """

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="canfield/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="canfield/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="canfield/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


class Filled(Struct, frozen=True, tag="canfield/filled"):
    """The top card of the reserve went into an empty column, as it must."""

    card: Card
    target: Tableau


class Uncovered(Struct, frozen=True, tag="canfield/uncovered"):
    """The next card of the reserve came to its top and is seen."""

    card: Card


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved | Filled | Uncovered
_DRAW, _RECYCLE = Draw(), Recycle()


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, foundations=(0,) * 4)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if state.foundations == patience.ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    match command:
        case Draw():
            return (Drawn(talon.next_cards(state)),)
        case Move():
            rule = _WHOLE_COLUMN if state.options.whole_column_only else None
            cards = judge_move(state, command, _lying, _TOO_FEW, rule, _check_column, state.base, "base rank")
            return (Moved(cards, command.source, command.target), *_open_reserve(state, command))
        case Recycle():
            talon.check_recycle(state)
            return (Recycled(),)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Drawn():
            return talon.draw_cards(state, event.cards)
        case Moved():
            moved = move_cards(state, event.source, event.target, event.cards)
            return replace(moved, reserve=state.reserve[:-1]) if event.source == RESERVE else moved
        case Uncovered():
            return replace(state, covered=state.covered - 1)
        case Filled():
            return replace(move_cards(state, RESERVE, event.target, (event.card,)), reserve=state.reserve[:-1])
        case Recycled():
            return talon.turn_waste_over(state)
        case Dealt():
            # The packet of the reserve is turned over: its first card comes to lie on top.
            cards, base = event.cards, event.cards[BASE_CARD]
            return replace(
                state, columns=tuple((card,) for card in cards[FIRST_COLUMN:FIRST_OF_STOCK]), base=RANK[base],
                foundations=patience.with_value_at(state.foundations, patience.HOME[base][0], 1),
                covered=IN_RESERVE - 1, reserve=cards[IN_RESERVE - 1 :: -1], stock=cards[: FIRST_OF_STOCK - 1 : -1],
            )  # fmt: skip
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing once the game is over."""
    if state.foundations == patience.ALL_HOME:
        return ()
    return (*moves(state), *talon.list_draws(state, _DRAW, _RECYCLE))


def moves(state: State) -> Iterator[Move]:
    """The legal moves: from the reserve, the waste, each column, the foundations; home first, then columns 0 to 3."""
    heads, homes, base, top = tops(state), state.foundations, state.base, reserve_top(state)
    if top is not None:
        yield from list_home(homes, RESERVE, top, Move, base)
        yield from list_to_columns(TABLEAU, heads, ACCEPTS, RESERVE, top, Move)
    if state.waste:
        yield from list_home(homes, talon.WASTE, state.waste[-1], Move, base)
        yield from list_to_columns(TABLEAU, heads, ACCEPTS, talon.WASTE, state.waste[-1], Move)
    for place, column in enumerate(state.columns):
        if column:
            source, part = TABLEAU[place], column[:1] if state.options.whole_column_only else column
            yield from list_home(homes, source, column[-1], Move, base)
            for target, head in enumerate(heads):
                if target != place:
                    for deep in _fitting(part, head):
                        yield Move(source, TABLEAU[target], len(column) - deep)
    if state.options.foundation_return:
        for suit, count in enumerate(homes):
            if count:
                card = patience.home_cards(suit, count, base)[-1]
                yield from list_to_columns(TABLEAU, heads, ACCEPTS, patience.FOUNDATIONS[suit], card, Move)


_TOO_FEW = "column_too_short", "The column has not so many cards."
_WHOLE_COLUMN = "whole_column_only", "All cards of the column move together in this game."


def _lying(state: State, source: str) -> tuple[Card, ...]:
    if source == RESERVE:
        top = reserve_top(state)
        return () if top is None else (top,)
    return lying_cards(state, source, state.options.foundation_return, state.base)


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if column:
        patience.check_alternating(column[-1], cards[0], king_on_ace=True)
    elif state.reserve:
        raise Illegal("reserve_fills", "While the reserve has cards, it alone fills an empty column.")


def _open_reserve(state: State, command: Move) -> tuple[Filled | Uncovered, ...]:
    """The fill of the column that the move empties, then the card that comes to the top of the reserve, if any."""
    source = command.source
    fill: tuple[Filled, ...] = ()
    if source in COLUMN and state.reserve and command.count == len(state.columns[COLUMN[source]]):
        fill = (Filled(state.reserve[-1], TABLEAU[COLUMN[source]]),)
    elif source != RESERVE:
        return ()
    return (*fill, *[Uncovered(card) for card in state.reserve[-2:-1]])


def _fitting(run: tuple[Card, ...], top: Card) -> list[int]:
    """The cards of this run, by number from its lower end, that may go onto this top card.

    Ranks fall by one and go on from ace to king, so that a card that fits may come again 26 cards above.
    """
    if top == patience.NO_CARD:
        return list(range(len(run)))
    first = (RANK[run[0]] - _LOWER.get(top, 0)) % 13
    return [deep for deep in range(first, len(run), 13) if run[deep] in ACCEPTS[top]]


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A whole column that only changes its place does not count as a move. Cards that have never been shown count as any
    that they could be, so the answer rests on what the player has seen and does not give them away.
    """
    if state.foundations == patience.ALL_HOME or not state.base:
        return False
    if any(not only_changes_place(state.columns, move) for move in moves(state)):
        return False
    playable = patience.next_home(state.foundations, state.base).union(*[ACCEPTS[top] for top in tops(state)])
    return playable.isdisjoint(talon.find_awaited(state, (state.reserve[: state.covered],)))


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The reserve with the columns to its right, the foundations above these, stock and waste beside them."""
    hidden = 0 if open_cards else state.covered
    reserve = Zone(RESERVE, "Reserve", "pile", 0, patience.STEP, face_down=hidden, cards=state.reserve[hidden:])
    homes = patience.foundation_zones(state.foundations, (2, 3, 4, 5), state.base)
    columns = [patience.column_zone(place, column, left=2) for place, column in enumerate(state.columns)]
    return (*talon.zones(state, open_cards), *homes, reserve, *columns)


def boards(options: Options, seats: int) -> Boards:
    """The reserve spread on the left with stock and waste below it; foundations above the columns."""
    reserve = Place(RESERVE, 0, 0, "down", 2.5, label=False)
    left = 1.3 + 0.3 * (options.draw - 1)
    return Boards(
        frame_board([
            reserve, pile("stock", 0, 2.6), fan("waste", 1.08, 2.6, options.draw),
            *homes(in_row(patience.FOUNDATIONS, pile("", left + 1.08, 0))), *columns(COLUMNS, left + 1.08, 1.1, 2.5),
        ]),
        frame_board([
            pile("stock", 0, 0), fan("waste", 1.08, 0, options.draw),
            *homes(in_row(patience.FOUNDATIONS, pile("", 3.24, 0))), replace(reserve, y=1.12, room=4),
            *columns(COLUMNS, 3.24, 1.12, PHONE_ROOM, step=PHONE_STEP),
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


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that can be seen."""
    match event:
        case Drawn():
            return f"The player draws {patience.the(event.cards)}."
        case Moved():
            return patience.say_move(event.cards, event.source, event.target)
        case Filled():
            return f"The {name(event.card)} of the reserve fills {patience.zone_name(event.target)}."
        case Uncovered():
            return f"The {name(event.card)} comes to the top of the reserve."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            base, columns = event.cards[BASE_CARD], event.cards[FIRST_COLUMN:FIRST_OF_STOCK]
            return (
                f"The {name(base)} is dealt to the foundations, {patience.the(columns)} to the columns; "
                f"the {name(event.cards[0])} lies on top of the reserve, and 34 cards are the stock."
            )
        case _:
            assert_never(event)


CANFIELD_1 = solo_game(
    key="canfield", name="Canfield", rules=read_rules(__file__), options=Options, state=State,
    commands=(Draw, Recycle, Move), events=(Dealt, Drawn, Recycled, Moved, Filled, Uncovered), facts=Facts, dealt=Dealt,
    face_up_in_deal=FACE_UP_IN_DEAL, initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, won=patience.all_home, stuck=stuck, zones=zones, tell=tell,
    facts_of=lambda state: Facts(
        RANKS[state.base - 1] if state.base else None, state.options.draw, state.recycles + 1,
        talon.recycles_left(state),
    ),
    table="The stock, the waste, the foundations, the reserve and the four columns, the ranks, and the pack.",
    more_material=((
        "ranks",
        Annotated[tuple[BaseRank, ...], Meta(description="The ranks, ace first; any may be the base.")],
        tuple(BaseRank(rank, rank_name(rank), tuple(RANKS[at:] + RANKS[:at]), RANKS[at - 1])
              for at, rank in enumerate(RANKS)),
    ),),
    score=patience.cards_home, layout=boards,
    capabilities=(
        Taps({"canfield/draw": "stock", "canfield/recycle": "stock"}), RankNames(turned_ranks),
        Chips((Chip(fact="base", label="Foundations from", shown="words"), *talon.CHIPS)),
    ),
)  # fmt: skip

CANFIELD = next_revision(CANFIELD_1, Options2, State2)
"""Revision 2: up to a hundred passes."""
