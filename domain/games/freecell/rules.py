"""The rules of FreeCell: the deal and Microsoft's numbered ones, what a command does, what may be done, the ending.

A run is carried by way of free cells and empty columns; we do it in one move.
"""

from collections.abc import Iterator, Sequence
from operator import eq
from typing import assert_never

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.freecell.events import Command, Dealt, Event, Move, Moved, Standard
from domain.games.freecell.state import CELLS, GAME, TABLEAU, Options, State, run_limit
from domain.kit.cards import PACK, RANKS
from domain.kit.cells import ALL_HOME, deal_columns, find_room, judge_move, list_moves, list_to_columns, move_cards
from domain.kit.patience import FOUNDATIONS, SUIT_PLACE, cards_home, check_alternating, home_cards
from domain.kit.standard_notation import read_standard, spell_standard
from domain.kit.turns import not_the_player
from domain.view import Card, Seat

LAST_NUMBER = 2**31 - 1
"""The last deal that Microsoft's generator tells from the others: it keeps 31 bits."""

_LAST_OF_WINDOWS = 1_000_000
"""The last deal that Windows has: the numbers that a deal is looked for under."""

_MICROSOFT_PACK = tuple(rank + suit for rank in RANKS for suit in "CDHS")
_ANY = frozenset(PACK)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(CELLS), (0,) * 4)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """One shuffled pack."""
    return (Dealt(chance.shuffle(PACK).cards),)


def shuffle_by_number(number: int, options: Options) -> tuple[Card, ...]:
    """The cards, in dealing order, of a deal of Microsoft's FreeCell: 1 to 32,000, from Windows XP on to 1,000,000, and
    as far as other programs have gone on with the same generator, 2,147,483,647.

    Jim Horne's algorithm, as he published it: the pack lies ace of clubs, diamonds, hearts, spades, then the twos and
    so on; each card is drawn by lot, and the last card of the pack takes its place.
    """
    return tuple(_cards(number))


def number_of(cards: Sequence[Card]) -> int | None:
    """The number of the deal of these cards in dealing order, None if it is none of the million; a tenth of a second.

    The first lot of every number tells all but one in 52 of them apart.
    """
    first = _MICROSOFT_PACK.index(cards[0])
    likely = (n for n in range(1, _LAST_OF_WINDOWS + 1) if ((n * 214013 + 2531011) % 2**31 >> 16) % 52 == first)
    return next((number for number in likely if all(map(eq, _cards(number), cards))), None)


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise not_the_player("FreeCell")
    if state.foundations == ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    move = canonical(state, seat, command)
    returns = move.source in SUIT_PLACE
    if returns and move.source != move.target and not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    cards = judge_move(GAME, state, move, state.options.strict_single, _check_column)
    standard = None if returns else spell_standard(GAME, state, move, _count_into_space)
    return (Moved(cards, move.source, move.target, standard),)


def canonical(state: State, seat: Seat, command: Command) -> Move:
    """The move that a command in standard notation spells."""
    match command:
        case Move():
            return command
        case Standard():
            return Move(*read_standard(GAME, state, command.move, _count_into_space))
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Moved():
            return State(state.options, *move_cards(GAME, state, event.source, event.target, event.cards))
        case Dealt():
            columns = deal_columns(event.cards, len(TABLEAU))
            return State(state.options, columns, state.cells, state.foundations)
        case _:
            assert_never(event)


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves; nothing for another seat or once the game is won."""
    return () if seat != 0 or state.foundations == ALL_HOME else tuple(_list_moves(state))


def result(state: State) -> Result | None:
    """Won with all cards home; lost where no card can move any more, unless moves may be taken back.

    The score is the number of cards on the foundations. Our ruling: with undo a game without a move stays open and is
    told as stuck.
    """
    if state.foundations == ALL_HOME:
        return Result("won", "all_home", (0,), (cards_home(state),))
    return None if state.options.undo or not stuck(state) else Result("lost", "no_moves", (), (cards_home(state),))


def stuck(state: State) -> bool:
    """Whether no card can move: all cells are full, no column is empty and no card fits.

    While a column is empty something can always be done: a cell is free for a card, or its card can go there.
    """
    return () not in state.columns and not _list_moves(state)


def _cards(number: int) -> Iterator[Card]:
    pack, lots = list(_MICROSOFT_PACK), _lots(number)
    return (_draw_card(pack, next(lots)) for _ in PACK)


def _draw_card(pack: list[Card], lot: int) -> Card:
    place = lot % len(pack)
    pack[place], pack[-1] = pack[-1], pack[place]
    return pack.pop()


def _lots(seed: int) -> Iterator[int]:
    """The numbers of Microsoft C's `rand()`: the upper bits of a linear congruential generator."""
    while True:
        seed = (seed * 214013 + 2531011) % 2**31
        yield seed >> 16


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if column:
        check_alternating(column[-1], cards[0])
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"The free cells and empty columns carry {limit} cards there, not {len(cards)}.")


def _count_into_space(state: State, run: tuple[Card, ...]) -> int:
    """How many cards of a run are meant to go into an empty column where no count is said: as many as can."""
    return min(len(run), run_limit(state, into_space=True))


def _list_moves(state: State) -> list[Move]:
    """The legal moves: from cells, columns and foundations; home first, then to columns, then to cells."""
    limits = run_limit(state, into_space=False), run_limit(state, into_space=True)
    room = find_room(GAME, state, *limits, _ANY)
    listed = list_moves(GAME, state, room, Move)
    if state.options.foundation_return:
        for suit, count in enumerate(state.foundations):
            if count:
                listed += list_to_columns(room, FOUNDATIONS[suit], home_cards(suit, count), 1, Move)
    return listed
