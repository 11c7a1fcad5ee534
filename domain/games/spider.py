"""Spider: two packs, ten columns, eight runs in suit to be removed (rules after Denexa Games)."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards, Place, frame_board
from domain.capabilities import Chip, Chips, Preset, Taps, Varieties
from domain.chance import Chance
from domain.game_type import Concealed, Illegal
from domain.kit.boards import Cards, columns, in_row, pack_cards, pile, topped_boards
from domain.kit.cards import PACK, RANK, RANKS, SUIT_NAMES, SUITS, name
from domain.kit.patience import IN_SUIT, STEP, check_one_lower, closed_pile, column_zones, run_length, say_move, the
from domain.kit.solo import read_rules, solo_game
from domain.kit.talon import COLUMN
from domain.view import Card, Viewer, Zone

Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip
Foundation = Literal[
    "foundation_0", "foundation_1", "foundation_2", "foundation_3",
    "foundation_4", "foundation_5", "foundation_6", "foundation_7",
]  # fmt: skip

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)

Column = tuple[Card, ...]

COLUMNS: Final = 10
RUNS: Final = 8
"""Runs from king to ace in two packs."""

RUN: dict[str, tuple[Card, ...]] = {suit: tuple(rank + suit for rank in reversed(RANKS)) for suit in SUITS}
"""The finished run of a suit as it lies in a column, king to ace."""

PACKS: dict[int, tuple[Card, ...]] = {1: PACK[:13] * 8, 2: PACK[:26] * 4, 4: PACK * 2}
"""The 104 cards by the number of suits: spades; spades and hearts; all four. Copies of a card read the same."""

IN_ROWS = 40
IN_COLUMNS = 54
"""Cards dealt to the columns: four rows of ten, four extra cards, and ten face up."""

FACE_UP_IN_DEAL = range(IN_COLUMNS - COLUMNS, IN_COLUMNS)
"""The places in the dealing order whose cards lie face up."""

EXTRA: dict[str, tuple[int, ...]] = {"first_4": (0, 1, 2, 3), "1_4_7_10": (0, 3, 6, 9)}
"""The columns that get a fifth face-down card. Denexa Games: the first four; PySolFC: every third."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Spider is played."""

    suits: Annotated[
        Literal[1, 2, 4],
        Meta(description="Suits in the 104 cards: 1 (spades), 2 (spades and hearts) or 4 (two ordinary packs)."),
    ] = 4
    extra_columns: Annotated[
        Literal["first_4", "1_4_7_10"],
        Meta(description="The columns with a card more: the first four, or the first, fourth, seventh and tenth."),
    ] = "first_4"
    manual_removal: Annotated[
        bool, Meta(description="A finished run stays until the player removes it, and may be built on or taken apart.")
    ] = False
    deal_with_spaces: Annotated[
        bool, Meta(description="A row may be dealt although a column is empty; the empty column gets its card too.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is dealt next.

    `face_down[c]` is how many cards of column c, from the bottom, lie face down. `finished` are the suits of the runs
    that have been removed, in the order of their going.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    finished: tuple[str, ...] = ()


class Facts(Struct, frozen=True, tag="spider/facts"):
    """What the piles do not show: the suits in play, how often a row can still be dealt, and the runs removed."""

    suits: int
    deals_left: int
    runs_removed: int


class Move(Struct, frozen=True, tag="spider/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or a run in suit of the top `count` cards, onto another column."""

    source: Annotated[Tableau, Meta(description="The column that the cards leave.")]
    target: Annotated[Tableau, Meta(description="The column that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class RemoveSuit(Struct, frozen=True, tag="spider/remove_suit", forbid_unknown_fields=True):
    """Remove the finished run, king to ace in suit, on top of a column; only where runs do not go by themselves."""

    source: Annotated[Tableau, Meta(description="The column that ends in the run.")]
    target: Annotated[Foundation, Meta(description="The first empty foundation.")]


class Deal(Struct, frozen=True, tag="spider/deal", forbid_unknown_fields=True):
    """Deal a row: one card of the stock, face up, onto each column."""


class Dealt(Concealed, frozen=True, tag="spider/dealt"):
    """The 104 cards in dealing order: four rows and four more, a row face up, the stock with its next card first."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="spider/moved"):
    """Cards, bottom to top, went from one column onto another."""

    cards: tuple[Card, ...]
    source: Tableau
    target: Tableau


class Turned(Struct, frozen=True, tag="spider/turned"):
    """A face-down card was uncovered and turned up."""

    source: Tableau
    card: Card


class RowDealt(Struct, frozen=True, tag="spider/row_dealt"):
    """Ten cards came from the stock, one onto each column, in the order of the columns."""

    cards: tuple[Card, ...]


class SuitRemoved(Struct, frozen=True, tag="spider/suit_removed"):
    """A finished run, king to ace, left its column for good."""

    cards: tuple[Card, ...]
    source: Tableau
    target: Foundation


Command = Move | RemoveSuit | Deal
Event = Dealt | Moved | Turned | RowDealt | SuitRemoved


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """Two packs shuffled together, or as many cards in fewer suits."""
    return (Dealt(chance.shuffle(PACKS[options.suits]).cards),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, face_down=(0,) * COLUMNS)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if len(state.finished) == RUNS:
        raise Illegal("game_over", "All eight runs are removed.")
    match command:
        case Move():
            return _move_cards(state, command)
        case Deal():
            if len(state.stock) < COLUMNS:
                raise Illegal("stock_empty", "No row is left in the stock.")
            if not state.options.deal_with_spaces and not all(state.columns):
                raise Illegal("empty_column", "While a column is empty no row is dealt.")
            row = state.stock[: -COLUMNS - 1 : -1]
            grown = [(*column, card) for column, card in zip(state.columns, row, strict=True)]
            return (RowDealt(row), *_remove_finished(state, enumerate(grown)))
        case RemoveSuit():
            place = COLUMN[command.source]
            if not state.options.manual_removal:
                raise Illegal("automatic_removal", "Finished runs are removed by themselves in this game.")
            if not _ends_in_run(state.columns[place], state.face_down[place]):
                raise Illegal("finished_run", "The column does not end in a run of one suit from king to ace.")
            if command.target != FOUNDATIONS[len(state.finished)]:
                raise Illegal("first_empty_foundation", "A finished run goes to the first empty foundation.")
            return tuple(_remove_run(state, place, state.columns[place], len(state.finished)))
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Moved():
            source, target, columns = COLUMN[event.source], COLUMN[event.target], list(state.columns)
            columns[source] = columns[source][: -len(event.cards)]
            columns[target] += event.cards
            return replace(state, columns=tuple(columns))
        case Turned():
            face_down = list(state.face_down)
            face_down[COLUMN[event.source]] -= 1
            return replace(state, face_down=tuple(face_down))
        case RowDealt():
            columns = [(*column, card) for column, card in zip(state.columns, event.cards, strict=True)]
            return replace(state, columns=tuple(columns), stock=state.stock[: -len(event.cards)])
        case SuitRemoved():
            source, columns = COLUMN[event.source], list(state.columns)
            columns[source] = columns[source][: -len(event.cards)]
            return replace(state, columns=tuple(columns), finished=(*state.finished, event.cards[0][1]))
        case Dealt():
            cards = event.cards
            columns = [cards[place:IN_ROWS:COLUMNS] for place in range(COLUMNS)]
            for place, fifth in zip(EXTRA[state.options.extra_columns], cards[IN_ROWS:], strict=False):
                columns[place] += (fifth,)
            down, face_up = tuple(map(len, columns)), cards[FACE_UP_IN_DEAL.start : IN_COLUMNS]
            columns = [(*column, card) for column, card in zip(columns, face_up, strict=True)]
            return replace(state, columns=tuple(columns), face_down=down, stock=cards[: IN_COLUMNS - 1 : -1])
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The moves by column, then removing and dealing; nothing once the game is over."""
    if len(state.finished) == RUNS:
        return ()
    listed: list[Command] = [*_list_moves(state)]
    if state.options.manual_removal:
        for place, column in enumerate(state.columns):
            if _ends_in_run(column, state.face_down[place]):
                listed.append(RemoveSuit(TABLEAU[place], FOUNDATIONS[len(state.finished)]))
    if len(state.stock) >= COLUMNS and (state.options.deal_with_spaces or all(state.columns)):
        listed.append(Deal())
    return tuple(listed)


def score(state: State) -> int:
    """The number of cards removed."""
    return 13 * len(state.finished)


def is_dealt(state: State) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.finished or any(state.columns))


def _move_cards(state: State, command: Move) -> tuple[Event, ...]:
    """The move, the turned card, then the run that the move has finished."""
    source, target, count = COLUMN[command.source], COLUMN[command.target], command.count
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    column, down = state.columns[source], state.face_down[source]
    if not column:
        raise Illegal("source_empty", "No card lies there.")
    if count > len(column) - down:
        raise Illegal("face_up_only", "The column has not so many cards face up.")
    if count > run_length(column[down:], IN_SUIT):
        raise Illegal("run_in_suit", "Only cards of one suit that go down without a gap move as one.")
    cards, onto = column[-count:], state.columns[target]
    if onto:
        check_one_lower(onto[-1], cards[0])
    turned, finished = _turn_up(state, source, column[:-count]), _remove_finished(state, [(target, onto + cards)])
    return (Moved(cards, command.source, command.target), *turned, *finished)


def _turn_up(state: State, place: int, left: Column) -> tuple[Turned, ...]:
    """The turned card, where what is left of a column lies face down altogether."""
    uncovered = left and len(left) == state.face_down[place]
    return (Turned(TABLEAU[place], left[-1]),) if uncovered else ()


def _remove_finished(state: State, grown: Iterable[tuple[int, Column]]) -> Iterator[Event]:
    """The removal of each run that these grown columns end in. Our ruling: the first column first."""
    if state.options.manual_removal:
        return
    number = len(state.finished)
    for place, column in grown:
        if _ends_in_run(column, state.face_down[place]):
            yield from _remove_run(state, place, column, number)
            number += 1


def _ends_in_run(column: Column, face_down: int) -> bool:
    """Whether the last thirteen cards of a column are face up and king to ace of one suit."""
    return len(column) - face_down >= 13 and column[-13:] == RUN[column[-1][1]]


def _remove_run(state: State, place: int, column: Column, number: int) -> Iterator[Event]:
    yield SuitRemoved(column[-13:], TABLEAU[place], FOUNDATIONS[number])
    yield from _turn_up(state, place, column[:-13])


def _list_moves(state: State) -> Iterator[Move]:
    """The moves of each column's run: onto a card one number of cards fits at most, into a space every number.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    tops = [RANK[column[-1]] if column else 0 for column in state.columns]
    for source, column, down, rank in zip(TABLEAU, state.columns, state.face_down, tops, strict=True):
        if not rank:
            continue
        length = run_length(column[down:], IN_SUIT)
        for target, top in enumerate(tops):
            if not top:
                for count in range(1, length + 1):
                    yield Move(source, TABLEAU[target], count)
            elif 0 < top - rank <= length:
                yield Move(source, TABLEAU[target], top - rank)


class PackOfSuits(Struct, frozen=True):
    """The 104 cards for one value of the option `suits`."""

    suits: Annotated[int, Meta(description="The option `suits` that it is for.")]
    cards: Cards


class Run(Struct, frozen=True):
    """A finished run, which leaves the columns."""

    suit: Annotated[str, Meta(description="Its suit: S, H, D or C.")]
    cards: Annotated[tuple[Card, ...], Meta(description="Its cards from the lowest one in the column, the king.")]


def stuck(state: State) -> bool:
    """Whether nothing is legal any more, or the stock can never be dealt. Our ruling.

    With fewer than ten cards in the columns one of them stays empty for ever and no run can be finished: whatever is
    still moved, the stock stays where it is.
    """
    if len(state.finished) == RUNS or not is_dealt(state):
        return False
    out_of_reach = state.stock and not state.options.deal_with_spaces and sum(map(len, state.columns)) < COLUMNS
    return bool(out_of_reach) or not legal_commands(state)


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The stock and the removed runs, in the order of their going, in a row above the ten columns."""
    stock = closed_pile("stock", "Stock", 0, 0, state.stock, known=open_cards)
    runs = (*[RUN[suit] for suit in state.finished], *[()] * RUNS)
    homes = [
        Zone(zone, f"Run {at + 1}", "pile", STEP * (2 + at), 0, cards=runs[at]) for at, zone in enumerate(FOUNDATIONS)
    ]
    return (stock, *homes, *column_zones(state.columns, (0,) * COLUMNS if open_cards else state.face_down))


def boards(options: Options, seats: int) -> Boards:
    """The runs and, below them, the stock on the right; on a phone above the columns."""
    runs = [
        place for pair in range(4)
        for place in in_row(FOUNDATIONS[2 * pair : 2 * pair + 2], Place("", 10.9, 0.68 * pair, scale=0.62, label=False))
    ]  # fmt: skip
    stock = pile("stock", 11.05, 3.4)
    phone = topped_boards(
        COLUMNS, lambda step: [pile("stock", 0, 0), *in_row(FOUNDATIONS, pile("", 2 * step, 0), step - 1)]
    )
    return Boards(frame_board([*columns(COLUMNS, 0, 0, 4.4), *runs, stock]), phone.tall)


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Moved():
            return say_move(event.cards, event.source, event.target)
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


SPIDER = solo_game(
    key="spider", name="Spider", rules=read_rules(__file__), options=Options, state=State,
    commands=(Move, RemoveSuit, Deal), events=(Dealt, Moved, Turned, RowDealt, SuitRemoved), facts=Facts, dealt=Dealt,
    face_up_in_deal=FACE_UP_IN_DEAL, deal=deal, initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, won=lambda state: len(state.finished) == RUNS, stuck=stuck, zones=zones, tell=tell,
    score=score, layout=boards,
    facts_of=lambda state: Facts(state.options.suits, len(state.stock) // COLUMNS, len(state.finished)),
    table="The ten columns, the stock, the places of the eight runs, and the packs.", pack=None,
    more_material=(
        ("packs", Annotated[tuple[PackOfSuits, ...], Meta(description="The cards by the number of suits.")],
         tuple(PackOfSuits(suits, pack_cards(cards)) for suits, cards in PACKS.items())),
        ("runs", Annotated[tuple[Run, ...], Meta(description="What is to be put together.")],
         tuple(Run(suit, cards) for suit, cards in RUN.items())),
    ),
    capabilities=(
        Taps({"spider/deal": "stock"}),
        Varieties((
            Preset(name="1", label="One suit", options=Options(suits=1)),
            Preset(name="2", label="Two suits", options=Options(suits=2)),
            Preset(name="4", label="Four suits", options=Options()),
        )),
        Chips((Chip(fact="deals_left", label="Deals left"), Chip(fact="runs_removed", label="Runs home"),
               Chip(fact="suits", shown="elsewhere"))),
    ),
)  # fmt: skip
