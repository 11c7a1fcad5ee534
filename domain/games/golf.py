"""Golf: seven columns played onto one discard pile, up or down in rank (rules after Denexa Games)."""

from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Board, Boards, frame_board
from domain.capabilities import Chip, Chips, LowestScore, Notations, OptionRules, RankNames, Resignation, Taps
from domain.game_type import Concealed, Illegal, Result
from domain.kit.boards import columns, fan, pile
from domain.kit.cards import PACK, RANK, name, turned_ranks_both_ways
from domain.kit.notations import SolverBoard, black_hole_solver, deal_order, read_options
from domain.kit.patience import DISCARD, STEP, STOCK, Discard, closed_pile, column_zone
from domain.kit.solo import read_rules, solo_game
from domain.view import Card, Seat, Viewer, Zone

Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
COLUMN: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a column, by zone."""
COLUMNS = len(TABLEAU)
IN_COLUMNS = 35
KING = 13


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Golf is played."""

    queens_on_kings: Annotated[bool, Meta(description="A queen may be played on a king; without, nothing may.")] = False
    wrap: Annotated[
        bool,
        Meta(description="Ace and king are next to each other, and queens go on kings too."),
    ] = False
    draw_only_when_stuck: Annotated[
        bool, Meta(description="The stock may be drawn from only while no card of the columns can be played.")
    ] = False
    negative_score: Annotated[
        bool, Meta(description="A won game scores one point below zero for every card left in the stock.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. All piles run bottom to top: the last card of the stock is drawn next."""

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    resigned: bool = False


class Facts(Struct, frozen=True, tag="golf/facts"):
    """The score if the game ended now: the fewer the better."""

    score: int


class Draw(Struct, frozen=True, tag="golf/draw", forbid_unknown_fields=True):
    """Turn the next card of the stock onto the discard pile."""


class Move(Struct, frozen=True, tag="golf/move", forbid_unknown_fields=True):
    """Play the top card of a column onto the discard pile."""

    source: Annotated[Tableau, Meta(description="The column that the card leaves.")]
    target: Annotated[Discard, Meta(description="Where it goes: the discard pile, in every case.")]


class Dealt(Concealed, frozen=True, tag="golf/dealt"):
    """The 52 cards in dealing order: five rows over the seven columns, the first discard, then the stock."""

    cards: tuple[Card, ...]


class Drawn(Struct, frozen=True, tag="golf/drawn"):
    """A card came from the stock to the discard pile."""

    card: Card


class Moved(Struct, frozen=True, tag="golf/moved"):
    """A card was played from a column onto the discard pile."""

    card: Card
    source: Tableau
    target: Discard


class Counted(Struct, frozen=True, tag="golf/counted"):
    """The player gave up: what is left in the columns is counted."""


Command = Draw | Move
Event = Dealt | Drawn | Moved | Counted

_DRAW = Draw()
_MOVES = tuple(Move(zone, DISCARD) for zone in TABLEAU)


def takers(options: Options) -> dict[Card, frozenset[Card]]:
    """The cards that may be played on each card. Nothing goes on a king, and only twos on an ace (Denexa Games)."""
    return _TAKES[options.queens_on_kings, options.wrap]


def _takes(top: Card, queens_on_kings: bool, wrap: bool) -> frozenset[Card]:
    """The cards one rank away; whether a king takes any, and whether the ace is next to it, the options say."""
    distances = (1, 12) if wrap else (1,)
    cards = frozenset(card for card in PACK if abs(RANK[card] - RANK[top]) in distances)
    return cards if RANK[top] != KING or queens_on_kings or wrap else frozenset()


_TAKES: dict[tuple[bool, bool], dict[Card, frozenset[Card]]] = {
    (queens, wrap): {top: _takes(top, queens, wrap) for top in PACK}
    for queens in (False, True)
    for wrap in (False, True)
}


def settle(options: Options, seats: int) -> Options:
    """The options; where ace and king are next to each other, queens go on kings as well."""
    return replace(options, queens_on_kings=options.queens_on_kings or options.wrap)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, columns=((),) * COLUMNS)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    if state.resigned or is_cleared(state):
        raise Illegal("game_over", "Nothing can be played any more.")
    match command:
        case Draw():
            # Our ruling: the source says when one draws, not that one must not before; that is left to an option.
            if not state.stock:
                raise Illegal("stock_empty", "The stock is empty.")
            if state.options.draw_only_when_stuck and plays(state):
                raise Illegal("draw_only_when_stuck", "A card of the columns can still be played.")
            return (Drawn(state.stock[-1]),)
        case Move():
            column = state.columns[COLUMN[command.source]]
            if not column:
                raise Illegal("source_empty", "No card lies there.")
            card, top = column[-1], state.discard[-1]
            takes = takers(state.options)[top]
            if not takes:
                raise Illegal("nothing_on_a_king", "No card may be played on a king.")
            if card not in takes:
                raise Illegal("adjacent_rank", f"The {name(card)} is not one rank above or below the {name(top)}.")
            return (Moved(card, command.source, command.target),)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Drawn():
            return State(state.options, state.columns, state.stock[:-1], (*state.discard, event.card))
        case Moved():
            place, columns = COLUMN[event.source], list(state.columns)
            columns[place] = columns[place][:-1]
            return State(state.options, tuple(columns), state.stock, (*state.discard, event.card))
        case Counted():
            return replace(state, resigned=True)
        case Dealt():
            cards = event.cards
            columns = [cards[column:IN_COLUMNS:COLUMNS] for column in range(COLUMNS)]
            return replace(state, columns=tuple(columns), discard=(cards[IN_COLUMNS],), stock=cards[:IN_COLUMNS:-1])
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """The plays from the first column on, then drawing; nothing once the game is over."""
    if state.resigned or is_cleared(state):
        return ()
    listed: list[Command] = [*plays(state)]
    if state.stock and not (listed and state.options.draw_only_when_stuck):
        listed.append(_DRAW)
    return tuple(listed)


def plays(state: State) -> list[Move]:
    """The plays of top cards."""
    if not state.discard:
        return []
    fitting = takers(state.options)[state.discard[-1]]
    return [_MOVES[place] for place, column in enumerate(state.columns) if column and column[-1] in fitting]


def result(state: State) -> Result | None:
    """Won with empty columns; lost, with a score, where the stock is empty and nothing can be played.

    Our ruling: with undo such a game stays open, as stuck, until a move is taken back or the player resigns.
    """
    if is_cleared(state):
        return Result("won", "columns_cleared", (0,), (score(state),))
    if state.resigned:
        return Result("lost", "resigned", (), (score(state),))
    dead = bool(state.discard) and not state.options.undo and not legal_commands(state)
    return Result("lost", "no_moves", (), (score(state),)) if dead else None


def score(state: State) -> int:
    """The cards left in the columns; with `negative_score`, once they are empty, minus the cards left in the stock."""
    if state.options.negative_score and is_cleared(state):
        return -len(state.stock)
    return sum(map(len, state.columns))


def is_cleared(state: State) -> bool:
    """Whether the columns are empty, after a deal."""
    return not any(state.columns) and bool(state.discard)


def stuck(state: State) -> bool:
    """Whether no card can be played, and on no card of the stock either. Our ruling.

    Which cards the stock holds the player can tell from those in view, and their order does not matter here.
    """
    if state.resigned or is_cleared(state) or not state.discard or plays(state):
        return False
    tops, takes = {column[-1] for column in state.columns if column}, takers(state.options)
    return all(tops.isdisjoint(takes[card]) for card in state.stock)


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock and discard pile above, the columns below."""
    stock = closed_pile(STOCK, "Stock", 0, 0, state.stock, known=open_cards)
    discard = Zone(DISCARD, "Discard", "pile", STEP, 0, cards=state.discard)
    return (stock, discard, *(column_zone(place, column) for place, column in enumerate(state.columns)))


def boards(options: Options, seats: int) -> Boards:
    """The columns above, stock and discards below; the last discards are fanned."""

    def board(room: float, step: float | None = None) -> Board:
        low = room + 0.14
        discard = fan(DISCARD, 1.38, low, 12, 0.46)
        return frame_board([*columns(COLUMNS, 0, 0, room, step=step), pile(STOCK, 0, low), discard])

    return Boards(board(2.15), board(3.4, 0.55))


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Moved():
            return (
                f"The player plays the {name(event.card)} from column {COLUMN[event.source] + 1} on the discard pile."
            )
        case Drawn():
            return f"The player draws the {name(event.card)}."
        case Counted():
            return f"The player gives up with {sum(map(len, state.columns))} cards left in the columns."
        case Dealt():
            first = name(event.cards[IN_COLUMNS])
            deal = f"Seven columns of five cards are dealt face up; the {first} is the first discard"
            return f"{deal}, 16 cards are the stock."
        case _:
            assert_never(event)


def resign(state: State, seat: Seat) -> tuple[Counted, ...]:
    """Our ruling: whoever gives up scores the cards left, for a lost game of Golf is worth what it comes to."""
    return (Counted(),)


def _read_deal(board: SolverBoard) -> tuple[Options, tuple[Card, ...]]:
    cards = (*deal_order(board.columns, (IN_COLUMNS // COLUMNS,) * COLUMNS), *board.foundation, *board.talon)
    return read_options(board, Options), cards


def _board(dealt: Dealt) -> SolverBoard:
    columns = tuple(dealt.cards[column:IN_COLUMNS:COLUMNS] for column in range(COLUMNS))
    return SolverBoard(
        columns=columns, foundation=dealt.cards[IN_COLUMNS : IN_COLUMNS + 1], talon=dealt.cards[IN_COLUMNS + 1 :]
    )


_EXAMPLE = (
    "Talon: 6D KC KS AH AC KD 4S 8D 8H JD TC AD QH 4C JS 2C|Foundations: 5S|9D TS 5C 7D 7H|3S 6S 5D QC 7S|"
    "9S 6C 3H JC 9H|QD 7C 5H 3C QS|AS KH 2H TH TD|4H 8C 6H 2D 2S|9C 4D 8S JH 3D|options: wrap=true|"
    "|Deal talon|Move a card from stack 1 to the foundations|"
).replace("|", "\n")

GOLF = solo_game(
    key="golf", name="Golf", rules=read_rules(__file__), options=Options, state=State, commands=(Draw, Move),
    events=(Dealt, Drawn, Moved, Counted), facts=Facts, dealt=Dealt, face_up_in_deal=range(IN_COLUMNS + 1),
    initial=initial, decide=decide, evolve=evolve, legal_commands=legal_commands, result=result, stuck=stuck,
    zones=zones, facts_of=lambda state: Facts(score(state)), tell=tell,
    table="The columns, stock and discard pile, and the pack.", score=score, layout=boards,
    capabilities=(
        OptionRules(settle), Resignation(resign), LowestScore(), Taps({"golf/draw": "stock"}),
        RankNames(turned_ranks_both_ways), Chips((Chip(fact="score", label="Score"),)),
        Notations((black_hole_solver("golf", _read_deal, _board, _MOVES, _DRAW, _EXAMPLE),)),
    ),
)  # fmt: skip
