"""FreeCell: eight open columns, four free cells, nearly always to be won (rules after Denexa Games).

A run is carried by way of free cells and empty columns; we do it in one move. The notation is that of the Solitaire
Laboratory's FreeCell FAQ, the board in it that of Freecell Solver.
"""

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from operator import eq
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct

from domain.capabilities import Autoplay, Chip, Chips, Notation, Notations, Noted, NumberedDeals, Spelling
from domain.game_type import Concealed, Illegal
from domain.kit import cells, notations, patience
from domain.kit.boards import cell_boards
from domain.kit.cards import PACK, RANKS, SUITS, is_red
from domain.kit.patience import Foundation
from domain.kit.solo import read_rules, solo_game
from domain.view import Card, Seat, Viewer

Cell = Literal["cell_0", "cell_1", "cell_2", "cell_3"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6", "tableau_7"
]

CELLS: Final[tuple[Cell, ...]] = get_args(Cell)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

GAME: cells.CellGame[Cell, Tableau] = cells.CellGame(
    cells=CELLS, tableau=TABLEAU, accepts=patience.ALTERNATING, on=patience.ON_ALTERNATING,
    order="sequence and alternating colours", word="cell", spoken="free cell",
    one_card="Only its top card can be taken from there.",
)  # fmt: skip


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of FreeCell is played."""

    strict_single: Annotated[
        bool, Meta(description="Cards move one at a time; the player carries a run through the cells card by card.")
    ] = False
    foundation_return: patience.FoundationReturn = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Columns run bottom to top; a free cell holds a card or None.

    `foundations` are the numbers of cards at home, by suit as in domain.kit.cards.SUITS.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    cells: tuple[Card | None, ...]
    foundations: tuple[int, ...]


class Facts(Struct, frozen=True, tag="freecell/facts"):
    """How many cards of a run can move at once: onto a column with cards, and into an empty column."""

    run_limit: int
    run_limit_into_space: int


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that free cells and empty columns carry: (cells + 1) x 2 per empty column (KPatience handbook).

    An empty column that the run goes into cannot be used on the way.
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space
    return (state.cells.count(None) + 1) << max(spaces, 0)


Source = Cell | Foundation | Tableau
Target = Cell | Foundation | Tableau


class Move(Struct, frozen=True, tag="freecell/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move a card, or the top `count` cards of a column, to a column, a free cell or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Standard(Struct, frozen=True, tag="freecell/standard", forbid_unknown_fields=True):
    """A move in standard FreeCell notation; it stands for the `freecell/move` that it spells."""

    move: Annotated[
        str,
        Meta(
            description=(
                "From, then to: columns `1` to `8`, free cells `a` to `d`, `h` home. From column to column as many "
                "cards move as can, or those that a count after `v` says (hexadecimal): `26`, `a3`, `5h`, `26v3`."
            ),
            examples=["26"],
            pattern=r"^([1-8][1-8a-dh]|[a-d][1-8h])(v[1-9a-d])?$",
            max_length=4,
        ),
    ]


class Dealt(Struct, frozen=True, tag="freecell/dealt"):
    """The 52 cards in dealing order: row by row over the eight columns."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="freecell/moved", omit_defaults=True):
    """Cards, bottom to top, went from one zone to another.

    `standard` is the move in standard notation; it has none for a card that comes back from a foundation.
    """

    cards: tuple[Card, ...]
    source: Source
    target: Target
    standard: str | None = None


Command = Move | Standard
Event = Dealt | Moved


LAST_NUMBER = 2**31 - 1
"""The last deal that Microsoft's generator tells from the others: it keeps 31 bits."""

_LAST_OF_WINDOWS = 1_000_000
"""The last deal that Windows has: the numbers that a deal is looked for under."""

_MICROSOFT_PACK = tuple(rank + suit for rank in RANKS for suit in "CDHS")
_ANY = frozenset(PACK)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(CELLS), (0,) * 4)


def shuffle_by_number(number: int, options: Options) -> tuple[Card, ...]:
    """The cards, in dealing order, of a deal of Microsoft's FreeCell: 1 to 32,000, from Windows XP on to 1,000,000, and
    as far as other programs have gone on with the same generator, 2,147,483,647.

    Jim Horne's algorithm, as he published it: the pack lies ace of clubs, diamonds, hearts, spades, then the twos and
    so on; each card is drawn by lot, and the last card of the pack takes its place.
    """
    return tuple(_draw_pack(number))


def number_of(cards: Sequence[Card]) -> int | None:
    """The number of the deal of these cards in dealing order, None if it is none of the million; a tenth of a second.

    The first lot of every number tells all but one in 52 of them apart.
    """
    first = _MICROSOFT_PACK.index(cards[0])
    likely = (n for n in range(1, _LAST_OF_WINDOWS + 1) if ((n * 214013 + 2531011) % 2**31 >> 16) % 52 == first)
    return next((number for number in likely if all(map(eq, _draw_pack(number), cards))), None)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if state.foundations == cells.ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    move = canonical(state, 0, command)
    returns = move.source in patience.SUIT_PLACE
    if returns and move.source != move.target and not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    cards = cells.judge_move(GAME, state, move, state.options.strict_single, _check_column)
    standard = None if returns else cells.spell_standard(GAME, state, move, _count_into_space)
    return (Moved(cards, move.source, move.target, standard),)


def canonical(state: State, seat: Seat, command: Command) -> Move:
    """The move that a command in standard notation spells."""
    if isinstance(command, Move):
        return command
    return Move(*cells.read_standard(GAME, state, command.move, _count_into_space))


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Moved():
            return State(state.options, *cells.move_cards(GAME, state, event.source, event.target, event.cards))
        case Dealt():
            columns = cells.deal_columns(event.cards, len(TABLEAU))
            return State(state.options, columns, state.cells, state.foundations)
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Move, ...]:
    """The moves; nothing once the game is won."""
    return () if state.foundations == cells.ALL_HOME else tuple(_list_moves(state))


def stuck(state: State) -> bool:
    """Whether no card can move: all cells are full, no column is empty and no card fits.

    While a column is empty something can always be done: a cell is free for a card, or its card can go there.
    """
    return () not in state.columns and not _list_moves(state)


def _draw_pack(number: int) -> Iterator[Card]:
    """The cards of a numbered deal; each lot is Microsoft C's `rand()`, the upper bits of a congruential generator."""
    pack, seed = list(_MICROSOFT_PACK), number
    while pack:
        seed = (seed * 214013 + 2531011) % 2**31
        place = (seed >> 16) % len(pack)
        pack[place], pack[-1] = pack[-1], pack[place]
        yield pack.pop()


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if column:
        patience.check_alternating(column[-1], cards[0])
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"The free cells and empty columns carry {limit} cards there, not {len(cards)}.")


def _count_into_space(state: State, run: tuple[Card, ...]) -> int:
    """How many cards of a run are meant to go into an empty column where no count is said: as many as can."""
    return min(len(run), run_limit(state, into_space=True))


def _list_moves(state: State) -> list[Move]:
    """The legal moves: from cells, columns and foundations; home first, then to columns, then to cells."""
    limits = run_limit(state, into_space=False), run_limit(state, into_space=True)
    room = cells.find_room(GAME, state, *limits, _ANY)
    listed = cells.list_moves(GAME, state, room, Move)
    if state.options.foundation_return:
        for suit, count in enumerate(state.foundations):
            if count:
                listed += cells.list_to_columns(
                    room, patience.FOUNDATIONS[suit], patience.home_cards(suit, count), 1, Move
                )
    return listed


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence, with the move in standard notation behind it."""
    match event:
        case Dealt():
            return "Eight columns are dealt face up."
        case Moved():
            return cells.say_move(GAME, event.cards, event.source, event.target, event.standard)
        case _:
            assert_never(event)


_SIZES = (7, 7, 7, 7, 6, 6, 6, 6)


def _write(options: Options, deal: Sequence[Event], line: Sequence[Event]) -> str:
    cards = next(event.cards for event in deal if isinstance(event, Dealt))
    number = number_of(cards)
    lines = [f"#{number}"] if number else notations.deal_lines(cells.deal_columns(cards, len(TABLEAU)))
    words = [event.standard for event in line if isinstance(event, Moved) and event.standard]
    if len(words) < len(line):
        raise Illegal("not_in_notation", "Standard notation has no word for a card that comes back from a foundation.")
    return notations.write_text(lines, options, words)


def _read(text: str) -> Noted:
    parsed = notations.read_move_list(text)
    options = notations.read_options(parsed, Options)
    if parsed.number is None:
        if any(parsed.cells):
            raise Illegal("unreadable_notation", "At the deal of FreeCell the cells are empty.")
        deal = notations.deal_order(parsed.columns, _SIZES)
        return Noted(options=options, deal=deal, commands=_commands(parsed, options, deal))
    if parsed.columns or not 1 <= parsed.number <= LAST_NUMBER:
        raise Illegal("unreadable_notation", f"A deal has its cards, or a number from 1 to {LAST_NUMBER}.")
    commands = _commands(parsed, options, shuffle_by_number(parsed.number, options))
    return Noted(options=options, number=parsed.number, commands=commands)


def _commands(parsed: notations.MoveList, options: Options, cards: tuple[Card, ...]) -> tuple[Standard, ...]:
    """The moves, and those that the list leaves to its player's program."""
    words = [(word, cells.command_of(word, Standard, "26, a3, 5h or 26v3")) for word in parsed.words]
    if parsed.autoplay is None:
        return tuple(command for _, command in words)
    start, home = evolve(initial(options, 1), Dealt(cards)), partial(_home_by_itself, parsed.autoplay)
    return notations.with_autoplay(words, start, lambda state, move: reduce(evolve, decide(state, move), state), home)


def _home_by_itself(autoplay: notations.Autoplay, state: State) -> Standard | None:
    """The next card that the player's program moves home: any that can go, or one that none in play can need."""
    tops = [*zip("abcd", state.cells, strict=True), *zip("12345678", map(patience.top_of, state.columns), strict=True)]
    awaited = patience.next_home(state.foundations)
    for sign, card in tops:
        if card in awaited and (autoplay == "all" or _is_needless(state.foundations, card)):
            return Standard(f"{sign}h")
    return None


def _is_needless(foundations: tuple[int, ...], card: Card) -> bool:
    """Whether both cards that could lie on this one are home, as FreeCell for Windows asks; aces and twos always go."""
    others = [count for suit, count in zip(SUITS, foundations, strict=True) if is_red(card) != (suit in "HD")]
    return patience.HOME[card][1] < 2 or min(others) >= patience.HOME[card][1]


STANDARD = Notation(
    key="standard", name="Standard FreeCell notation", media_type="text/vnd.kibitz.freecell",
    example="#1\n\n6a 6b 6h\n", write=_write, read=_read,
)  # fmt: skip


_FOUNDATIONS_ABOVE = (4, 5, 6, 7)
"""The columns above which the foundations stand; the free cells stand above the first four (Denexa Games)."""

FREECELL = solo_game(
    key="freecell", name="FreeCell", rules=read_rules(__file__), options=Options, state=State,
    commands=(Move, Standard), events=(Dealt, Moved), facts=Facts, dealt=Dealt, face_up_in_deal=None,
    initial=initial, decide=decide, evolve=evolve, legal_commands=legal_commands, won=patience.all_home, stuck=stuck,
    zones=lambda state, open_cards: cells.table_zones(GAME, state, 0, _FOUNDATIONS_ABOVE),
    facts_of=lambda state: Facts(run_limit(state, into_space=False), run_limit(state, into_space=True)), tell=tell,
    table="The free cells, the foundations and the eight columns, and the pack.", score=patience.cards_home,
    layout=lambda options, seats: cell_boards(CELLS, len(TABLEAU)),
    capabilities=(
        Spelling(canonical), NumberedDeals(shuffle_by_number), Notations((STANDARD,)), Autoplay("alternate"),
        Chips((Chip(fact="run_limit", label="Cards at once", most=12),
               Chip(fact="run_limit_into_space", label="Into a space", most=12))),
    ),
)  # fmt: skip
