"""Forty Thieves: two packs, ten columns of four, eight foundations, one card at a time (as it is commonly played)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Boards
from domain.capabilities import Chips, Spelling, Taps
from domain.game_type import Concealed, Illegal
from domain.kit import patience, talon
from domain.kit.boards import homes, in_row, pile, topped_boards
from domain.kit.cards import PACK, SUIT_NAMES
from domain.kit.solo import read_rules, solo_game
from domain.kit.talon import COLUMN, is_dealt, lift_cards, move_cards, only_changes_place
from domain.view import Card, Seat, Viewer, Zone

Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip
Foundation = Literal[
    "foundation_spades_0", "foundation_spades_1", "foundation_hearts_0", "foundation_hearts_1",
    "foundation_diamonds_0", "foundation_diamonds_1", "foundation_clubs_0", "foundation_clubs_1",
]  # fmt: skip
Build = Literal["suit", "alternating"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
FOUNDATIONS: Final[tuple[Foundation, ...]] = get_args(Foundation)

HOME_PLACE: dict[str, int] = {zone: place for place, zone in enumerate(FOUNDATIONS)}
"""The number of a foundation, by zone: twice the place of its suit in SUITS, and one more for the second of a suit."""

CARDS: tuple[Card, ...] = PACK * 2
"""The 104 cards. Copies of a card read the same."""

COLUMNS: Final = 10
IN_COLUMNS: Final = 40

ALL_HOME = (13,) * 8
"""The numbers of cards at home in a game that is won."""

ACCEPTS: dict[Build, Mapping[Card, frozenset[Card]]] = {"suit": patience.IN_SUIT, "alternating": patience.ALTERNATING}
"""The cards that may be put on a card."""

LIES_ON: dict[Build, Mapping[Card, tuple[Card, ...]]] = {
    "suit": patience.ON_IN_SUIT,
    "alternating": patience.ON_ALTERNATING,
}
"""The cards that a card may be put on."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Forty Thieves is played."""

    build: Annotated[
        Build, Meta(description="Columns are built down in suit, or in alternating colours (known as Streets).")
    ] = "suit"
    runs: Annotated[
        bool, Meta(description="Cards that lie in order on top of a column move together (known as Josephine).")
    ] = False
    passes: patience.Passes = 1
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True

    @property
    def draw(self) -> int:
        """Cards turned from the stock at a time."""
        return 1


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next.

    `foundations` are the numbers of cards at home, in the order of FOUNDATIONS. `recycles` is how often the waste has
    been turned over.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    foundations: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    recycles: int = 0


class Facts(Struct, frozen=True, tag="forty_thieves/facts"):
    """What the piles do not show: which pass this is, from 1, and how many recycles are left (null: any number)."""

    pass_number: int
    recycles_left: int | None


Source = talon.Waste | Tableau
Target = Foundation | Tableau


class Draw(Struct, frozen=True, tag="forty_thieves/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock onto the waste."""


class Recycle(Struct, frozen=True, tag="forty_thieves/recycle", forbid_unknown_fields=True):
    """Turn the waste over: it is the stock again, in unchanged order. Only where there is more than one pass."""


class Move(Struct, frozen=True, tag="forty_thieves/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move the top card, or with the option `runs` the top `count` cards of a column, onto a column or home."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Dealt(Concealed, frozen=True, tag="forty_thieves/dealt"):
    """The 104 cards in dealing order: four rows over the ten columns, then the stock, its next card first."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="forty_thieves/drawn"):
    """A card, the only one of these, came from the stock to the waste."""

    cards: tuple[Card, ...]


class Recycled(Struct, frozen=True, tag="forty_thieves/recycled"):
    """The waste was turned over and is the stock."""


class Moved(Struct, frozen=True, tag="forty_thieves/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Source
    target: Target


Command = Draw | Recycle | Move
Event = Dealt | Drawn | Recycled | Moved


Column = tuple[Card, ...]

_DRAW, _RECYCLE = Draw(), Recycle()
_CHECKS: dict[Build, Callable[[Card, Card], None]] = {
    "suit": patience.check_in_suit,
    "alternating": patience.check_alternating,
}


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS, foundations=(0,) * len(FOUNDATIONS))


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if state.foundations == ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    match command:
        case Draw():
            return (Drawn(talon.next_cards(state)),)
        case Move():
            return (_judge_move(state, _first_home(state, command)),)
        case Recycle():
            talon.check_recycle(state)
            return (Recycled(),)
        case _:
            assert_never(command)


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A move home names the first of two foundations that are equally far, because they look alike. Our ruling."""
    return _first_home(state, command) if isinstance(command, Move) else command


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Drawn():
            return talon.draw_cards(state, event.cards)
        case Moved():
            if event.target in COLUMN:
                return move_cards(state, event.source, event.target, event.cards)
            home = HOME_PLACE[event.target]
            foundations = patience.with_value_at(state.foundations, home, state.foundations[home] + 1)
            if event.source == talon.WASTE:
                return replace(state, foundations=foundations, waste=state.waste[:-1])
            place = COLUMN[event.source]
            columns = patience.with_value_at(state.columns, place, state.columns[place][:-1])
            return replace(state, foundations=foundations, columns=columns)
        case Recycled():
            return talon.turn_waste_over(state)
        case Dealt():
            columns = tuple(event.cards[place:IN_COLUMNS:COLUMNS] for place in range(COLUMNS))
            return replace(state, columns=columns, stock=event.cards[: IN_COLUMNS - 1 : -1])
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The moves, then drawing or recycling; nothing once the game is over."""
    if state.foundations == ALL_HOME:
        return ()
    return (*moves(state), *talon.list_draws(state, _DRAW, _RECYCLE))


def moves(state: State) -> Iterator[Move]:
    """The legal moves: from the waste, then from columns 0 to 9; home first, then onto cards and into empty columns."""
    room, options = dict[Card, list[int]](), state.options  # of the top cards two may be alike
    for place, column in enumerate(state.columns):
        room.setdefault(patience.top_of(column), []).append(place)
    lies_on, accepts = LIES_ON[options.build], ACCEPTS[options.build]
    if state.waste:
        yield from _go_home(state, talon.WASTE, state.waste[-1])
        yield from _go_to_columns(talon.WASTE, state.waste[-1:], lies_on, room)
    for source, column in zip(TABLEAU, state.columns, strict=True):
        if column:
            run = column[-patience.run_length(column, accepts) :] if options.runs else column[-1:]
            yield from _go_home(state, source, column[-1]) + _go_to_columns(source, run, lies_on, room)


def score(state: State) -> int:
    """The number of cards on the foundations."""
    return sum(state.foundations)


def _first_home(state: State, move: Move) -> Move:
    """The move as it is, or to the first foundation of the suit where the second has as many cards."""
    place = HOME_PLACE.get(move.target, 0)
    first, second = place - place % 2, place - place % 2 + 1
    if place == second and state.foundations[first] == state.foundations[second]:
        return replace(move, target=FOUNDATIONS[first])
    return move


def _judge_move(state: State, move: Move) -> Moved:
    source, target = move.source, move.target
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    lying = state.waste if source == talon.WASTE else state.columns[COLUMN[source]]
    cards = lift_cards(lying, source, move.count, ("column_too_short", "The column has not so many cards."))
    if move.count > 1 and not state.options.runs:
        raise Illegal("one_at_a_time", "Cards move one at a time in this game.")
    if move.count > 1 and move.count > patience.run_length(lying, ACCEPTS[state.options.build]):
        raise Illegal("no_run", "So many cards do not lie in order there.")
    if target in HOME_PLACE:
        suit, second = divmod(HOME_PLACE[target], 2)
        patience.check_home(state.foundations[second::2], cards, suit)
    elif column := state.columns[COLUMN[target]]:
        _CHECKS[state.options.build](column[-1], cards[0])
    return Moved(cards, source, target)


def _go_home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = patience.HOME[card]
    first, second = state.foundations[2 * suit : 2 * suit + 2]
    if needed not in (first, second):
        return []
    return [Move(source, FOUNDATIONS[2 * suit + (needed != first)])]


def _go_to_columns(
    source: Source, run: Column, lies_on: Mapping[Card, tuple[Card, ...]], room: Mapping[Card, list[int]]
) -> list[Move]:
    """The moves of parts of this run, from the top card alone on. No part fits the run's own top card."""
    listed = list[Move]()
    for count, card in enumerate(reversed(run), 1):
        for top in (*lies_on[card], patience.NO_CARD):
            if top in room:
                listed += [Move(source, TABLEAU[place], count) for place in room[top]]
    return listed


_LABELS = tuple(suit.capitalize() for suit in SUIT_NAMES.values())


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A whole column that only changes its place does not count as a move. Which cards the stock holds the player can tell
    from those in view, and their order does not matter here.
    """
    if state.foundations == ALL_HOME or not is_dealt(state):
        return False
    if any(not only_changes_place(state.columns, move) for move in moves(state)):
        return False
    playable, accepts = set(CARDS), ACCEPTS[state.options.build]
    if all(state.columns):
        homes = patience.next_home(state.foundations[::2]) | patience.next_home(state.foundations[1::2])
        playable = homes.union(*[accepts[column[-1]] for column in state.columns])
    return playable.isdisjoint(talon.find_awaited(state, ()))


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock, waste and the foundations, those of a suit side by side, in a row above the ten columns."""
    piles = [
        Zone(
            FOUNDATIONS[at],
            _LABELS[at // 2],
            "pile",
            patience.STEP * (2 + at),
            0,
            cards=patience.home_cards(at // 2, count),
        )
        for at, count in enumerate(state.foundations)
    ]
    columns = [patience.column_zone(place, column) for place, column in enumerate(state.columns)]
    return (*talon.zones(state, open_cards), *piles, *columns)


def boards(options: Options, seats: int) -> Boards:
    """Stock, waste and foundations, each above a column."""
    return topped_boards(
        COLUMNS,
        lambda step: [
            pile("stock", 0, 0), pile("waste", step, 0), *homes(in_row(FOUNDATIONS, pile("", 2 * step, 0), step - 1)),
        ],
    )  # fmt: skip


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Drawn():
            return f"The player draws {patience.the(event.cards)}."
        case Moved():
            return patience.say_move(event.cards, event.source, event.target)
        case Recycled():
            return "The player turns the waste over: it is the stock again."
        case Dealt():
            return "Ten columns of four cards are dealt face up; the other 64 cards are the stock."
        case _:
            assert_never(event)


FORTY_THIEVES = solo_game(
    key="forty_thieves", name="Forty Thieves", rules=read_rules(__file__), options=Options, state=State,
    commands=(Draw, Recycle, Move), events=(Dealt, Drawn, Recycled, Moved), facts=Facts, dealt=Dealt,
    face_up_in_deal=range(IN_COLUMNS), initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, won=patience.all_home, stuck=stuck, zones=zones,
    facts_of=lambda state: Facts(state.recycles + 1, talon.recycles_left(state)), tell=tell,
    table="The stock, the waste, the eight foundations and the ten columns, and the two packs.", pack=CARDS,
    score=score, layout=boards,
    capabilities=(
        Spelling(canonical), Chips(talon.CHIPS),
        Taps({"forty_thieves/draw": "stock", "forty_thieves/recycle": "stock"}),
    ),
)  # fmt: skip
