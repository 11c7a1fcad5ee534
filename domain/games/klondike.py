"""Klondike: seven columns, a stock, four foundations; the best-known patience (rules after Denexa Games)."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.capabilities import Autoplay, Chips, Notations, OptionRules, Preset, Taps, Varieties
from domain.game_type import Concealed, Illegal
from domain.kit import patience, talon
from domain.kit.boards import talon_boards
from domain.kit.cards import PACK, RANK, name
from domain.kit.notations import klondike_solver
from domain.kit.patience import Foundation
from domain.kit.solo import next_revision, read_rules, solo_game
from domain.kit.talon import COLUMN, judge_move, list_home, list_to_columns, lying_cards, move_cards, only_changes_place
from domain.view import Card, Viewer, Zone

Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
COLUMNS: Final = 7
IN_COLUMNS: Final = 28

ACCEPTS: dict[Card, frozenset[Card]] = patience.ALTERNATING | {patience.NO_CARD: patience.KINGS}
"""The cards that may be put on a column, by its top card: one lower in the other colour; a king on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Klondike is played."""

    draw: Annotated[Literal[1, 3], Meta(description="Cards turned from the stock at a time.")] = 1
    passes: patience.FewPasses = None
    end_on_last_pass: Annotated[
        bool, Meta(description="Lost once the last pass is through and the waste is empty or its top has no place.")
    ] = False
    whole_run_only: Annotated[
        bool, Meta(description="From column to column only all face-up cards of a column move, never a part of them.")
    ] = False
    foundation_return: patience.FoundationReturn = True
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `face_down[c]` is how many cards of column c, from the bottom, lie face down. `foundations` are the numbers of cards
    at home, by suit as in domain.kit.cards.SUITS. `recycles` is how often the waste has been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    foundations: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Options2(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: up to a hundred passes, and the last one ends a game later."""

    passes: patience.Passes = None
    end_on_last_pass: Annotated[
        bool,
        Meta(description="Lost once the last pass is through and nothing can be played, or the waste's top nowhere."),
    ] = False


class State2(State, frozen=True, omit_defaults=True):
    """A position of revision 2."""

    options: Options2


class Facts(Struct, frozen=True, tag="klondike/facts"):
    """What the piles do not show: which pass this is, from 1, and how many recycles are left (null: any number)."""

    draw: int
    pass_number: int
    recycles_left: int | None


def _place_in_deal(column: int, row: int) -> int:
    """Where in the dealing order the card of this column and row is: row k covers columns k to 6."""
    return COLUMNS * row - row * (row - 1) // 2 + column - row


def columns_dealt(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """The columns of a deal, bottom to top; the last card of each lies face up."""
    return tuple(tuple(cards[_place_in_deal(column, row)] for row in range(column + 1)) for column in range(COLUMNS))


FACE_UP_IN_DEAL = frozenset(_place_in_deal(column, column) for column in range(COLUMNS))
"""The places in the dealing order whose cards lie face up."""


Source = talon.Waste | Foundation | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="klondike/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock, or the next three, onto the waste."""


class Recycle(Struct, frozen=True, tag="klondike/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order."""


class Move(Struct, frozen=True, tag="klondike/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or the top `count` cards of a column, onto a column or the cards' own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Dealt(Concealed, frozen=True, tag="klondike/dealt"):
    """The 52 cards in dealing order: rows over the seven columns first, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="klondike/drawn"):
    """Cards came from the stock to the waste, in this order: the last is the top."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="klondike/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="klondike/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


class Turned(Struct, frozen=True, tag="klondike/turned"):
    """A face-down card was uncovered and turned up."""

    source: Tableau
    card: Card


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved | Turned


_LOWER: dict[Card, int] = {card: rank - 1 for card, rank in RANK.items()} | {patience.NO_CARD: 13}
"""The rank that a column takes, by its top card."""


def settle(options: Options, seats: int) -> Options:
    """The options as they are; raises Illegal for an ending on the last pass where no pass is the last."""
    if options.end_on_last_pass and options.passes is None:
        raise Illegal("last_pass_of_unlimited", "Without a limit of passes no pass is the last: set `passes` as well.")
    return options


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS, foundations=(0,) * 4)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if is_closed(state):
        how = (
            "All cards are home."
            if state.foundations == patience.ALL_HOME
            else "The last pass through the stock is over."
        )
        raise Illegal("game_over", how)
    match command:
        case Draw():
            return (Drawn(talon.next_cards(state)),)
        case Move():
            rule = _WHOLE_RUN if state.options.whole_run_only else None
            cards = judge_move(state, command, _face_up, _TOO_FEW, rule, _check_column)
            turned: tuple[Turned, ...] = ()
            if command.source in COLUMN:  # our ruling: the turning of an uncovered card is not left to the player
                place = COLUMN[command.source]
                left = state.columns[place][: -command.count]
                turned = (Turned(TABLEAU[place], left[-1]),) if left and len(left) == state.face_down[place] else ()
            return (Moved(cards, command.source, command.target), *turned)
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
            return move_cards(state, event.source, event.target, event.cards)
        case Turned():
            place = COLUMN[event.source]
            return replace(state, face_down=patience.with_value_at(state.face_down, place, state.face_down[place] - 1))
        case Recycled():
            return talon.turn_waste_over(state)
        case Dealt():
            columns, stock = columns_dealt(event.cards), event.cards[: IN_COLUMNS - 1 : -1]
            return replace(state, columns=columns, face_down=tuple(range(COLUMNS)), stock=stock)
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing once the game is over."""
    if is_closed(state):
        return ()
    return (*moves(state), *talon.list_draws(state, Draw(), Recycle()))


def moves(state: State) -> Iterator[Move]:
    """The legal moves: from the waste, from each column, from the foundations; home first, then columns 0 to 6."""
    tops, homes = _tops(state), state.foundations
    if state.waste:
        card = state.waste[-1]
        yield from list_home(homes, talon.WASTE, card, Move)
        yield from list_to_columns(TABLEAU, tops, ACCEPTS, talon.WASTE, card, Move)
    for place, column in enumerate(state.columns):
        if column:
            source, run = TABLEAU[place], column[state.face_down[place] :]
            yield from list_home(homes, source, column[-1], Move)
            for target, count in _fitting(run, tops, state.options.whole_run_only):
                yield Move(source, TABLEAU[target], count)
    if state.options.foundation_return:
        for suit, home in enumerate(homes):
            if home:
                card = PACK[13 * suit + home - 1]
                yield from list_to_columns(TABLEAU, tops, ACCEPTS, patience.FOUNDATIONS[suit], card, Move)


def find_wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    return patience.next_home(state.foundations).union(*[ACCEPTS[top] for top in _tops(state)])


def _tops(state: State) -> list[Card]:
    return [column[-1] if column else patience.NO_CARD for column in state.columns]


def is_closed(state: State) -> bool:
    """Whether nothing may be moved or drawn any more."""
    return state.foundations == patience.ALL_HOME or last_pass_over(state)


def last_pass_over(state: State) -> bool:
    """Whether `end_on_last_pass` ends the game here.

    The source ends the game after the last run through the stock. Our ruling: the run is over when the stock is empty
    and the top of the waste has no place; with the waste empty what can still be played is played. Revision 1 ended a
    game with the waste.
    """
    if state.stock or not _on_last_pass(state):
        return False
    return state.waste[-1] not in find_wanted(state) if state.waste else not isinstance(state, State2)


_TOO_FEW = "face_up_only", "The column has not so many cards face up."
_WHOLE_RUN = "whole_run_only", "All face-up cards of the column move together in this game."


def _face_up(state: State, source: str) -> tuple[Card, ...]:
    if source in COLUMN:
        return state.columns[COLUMN[source]][state.face_down[COLUMN[source]] :]
    return lying_cards(state, source, state.options.foundation_return)


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if cards[0] not in ACCEPTS[column[-1] if column else patience.NO_CARD]:
        if not column:
            raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")
        patience.check_alternating(column[-1], cards[0])


def _fitting(run: tuple[Card, ...], tops: list[Card], all_cards: bool) -> Iterator[tuple[int, int]]:
    """The columns that take a part of this run, and how many cards: ranks fall by one, so that one part fits at most.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    head, length = RANK[run[0]], 1 if all_cards else len(run)
    for place, top in enumerate(tops):
        deep = head - _LOWER[top]
        if 0 <= deep < length and run[deep] in ACCEPTS[top]:
            yield place, len(run) - deep


def _on_last_pass(state: State) -> bool:
    """Whether `end_on_last_pass` holds for the pass that goes on, or for none that is to come."""
    return state.options.end_on_last_pass and talon.recycles_left(state) == 0


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock, waste, foundations and columns, as the source lays them out: foundations above the last four columns."""
    columns = patience.column_zones(state.columns, (0,) * COLUMNS if open_cards else state.face_down)
    return (*talon.zones(state, open_cards), *patience.foundation_zones(state.foundations, (3, 4, 5, 6)), *columns)


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A king-headed whole column that only changes its place does not count as a move. Cards that have never been shown
    count as any that they could be, so the answer rests on what the player has seen and does not give them away.
    """
    if state.foundations == patience.ALL_HOME or not talon.is_dealt(state):
        return False
    if last_pass_over(state):
        return True
    unseen = (column[:down] for column, down in zip(state.columns, state.face_down, strict=True))
    return find_wanted(state).isdisjoint(talon.find_awaited(state, unseen)) and all(
        only_changes_place(state.columns, move) for move in moves(state)
    )


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {patience.the(event.cards)}."
        case Moved():
            return patience.say_move(event.cards, event.source, event.target)
        case Turned():
            return f"The {name(event.card)} is turned up in {patience.zone_name(event.source)}."
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            showing = [column[-1] for column in columns_dealt(event.cards)]
            return f"Seven columns are dealt, showing {patience.the(showing)}; the other 24 cards are the stock."
        case _:
            assert_never(event)


KLONDIKE_1 = solo_game(
    key="klondike", name="Klondike", rules=read_rules(__file__), options=Options, state=State,
    commands=(Draw, Recycle, Move), events=(Dealt, Drawn, Recycled, Moved, Turned), facts=Facts, dealt=Dealt,
    face_up_in_deal=FACE_UP_IN_DEAL, initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, stuck=stuck, zones=zones,
    won=patience.all_home, lost_by=lambda state: "last_pass" if _on_last_pass(state) else "no_moves",
    facts_of=lambda state: Facts(state.options.draw, state.recycles + 1, talon.recycles_left(state)), tell=tell,
    table="The stock, the waste, the foundations and the seven columns, and the pack.", score=patience.cards_home,
    layout=lambda options, seats: talon_boards(COLUMNS, options.draw),
    capabilities=(
        OptionRules(settle), Taps({"klondike/draw": "stock", "klondike/recycle": "stock"}), Autoplay("alternate"),
        Chips(talon.CHIPS),
    ),
)  # fmt: skip

KLONDIKE = next_revision(KLONDIKE_1, Options2, State2).with_capabilities(
    Notations((klondike_solver(Options2, Draw(), Recycle(), Move),)),
    Varieties(
        (
            Preset(name="1", label="One card at a time", options=Options2()),
            Preset(name="3", label="Three cards at a time", options=Options2(draw=3)),
        )
    ),
)
"""Revision 2: up to a hundred passes; a last pass with the waste empty does not end the game."""
