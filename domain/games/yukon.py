"""Yukon: seven columns without a stock, and a card moves with every card that lies on it (rules: yukon.md)."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import ROW_GAP, Boards, frame_board
from domain.capabilities import Chip, Chips
from domain.game_type import Concealed, Illegal
from domain.kit import patience
from domain.kit.boards import PHONE_ROOM, PHONE_STEP, columns, homes, in_column, in_row, pile
from domain.kit.cards import count_cards, name
from domain.kit.solo import read_rules, solo_game
from domain.kit.talon import COLUMN, lift_cards, list_home, list_to_columns, only_changes_place
from domain.view import Card, Viewer, Zone

Tableau = Literal["tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6"]

TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)
SIZES: Final = (1, 6, 7, 8, 9, 10, 11)
"""How many cards each column is dealt; column c has c of them face down."""

DEALING: Final = tuple((row, column) for row in range(max(SIZES)) for column, size in enumerate(SIZES) if row < size)
"""Row and column of each card in dealing order: row by row, each over the columns that are that long."""

FACE_UP_IN_DEAL = frozenset(place for place, (row, column) in enumerate(DEALING) if row >= column)
"""The places in the dealing order whose cards lie face up."""

ACCEPTS: dict[Card, frozenset[Card]] = patience.ALTERNATING | {patience.NO_CARD: patience.KINGS}
"""The cards that may be put on a column, by its top card: one lower in the other colour; a king on an empty one."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Yukon is played."""

    foundation_return: patience.FoundationReturn = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Columns run bottom to top; `face_down[c]` of column c, from the bottom, lie face down.

    `foundations` are the numbers of cards at home, by suit as in domain.kit.cards.SUITS.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    foundations: tuple[int, ...]


class Facts(Struct, frozen=True, tag="yukon/facts"):
    """How many cards lie face down."""

    face_down: int


Zones = patience.Foundation | Tableau


class Move(Struct, frozen=True, tag="yukon/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move a face-up card with all cards on it onto another column, or the top card onto its own foundation."""

    source: Annotated[Zones, Meta(description="The zone that the cards leave.")]
    target: Annotated[Zones, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=52)] = 1


class Dealt(Concealed, frozen=True, tag="yukon/dealt"):
    """The 52 cards in dealing order: row by row, each over the columns that are that long."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="yukon/moved"):
    """Cards, bottom to top, went from one zone onto another."""

    cards: tuple[Card, ...]
    source: Zones
    target: Zones


class Turned(Struct, frozen=True, tag="yukon/turned"):
    """A face-down card was uncovered and turned up."""

    source: Tableau
    card: Card


Event = Dealt | Moved | Turned


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(SIZES), (0,) * len(SIZES), (0,) * len(patience.FOUNDATIONS))


def decide(state: State, command: Move) -> tuple[Event, ...]:
    """The move and the turned card; raises Illegal."""
    if patience.all_home(state):
        raise Illegal("game_over", "All cards are home.")
    source, target = command.source, command.target
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    cards = lift_cards(_open_cards(state, source), source, command.count, _TOO_FEW)
    if target in patience.SUIT_PLACE:
        patience.check_home(state.foundations, cards, patience.SUIT_PLACE[target])
    else:
        top = patience.top_of(state.columns[COLUMN[target]])
        if top:
            patience.check_alternating(top, cards[0])
        elif cards[0] not in patience.KINGS:
            raise Illegal("king_on_empty_column", "An empty column takes only a king with the cards on it.")
    turned: tuple[Turned, ...] = ()
    if source in COLUMN:  # our ruling: the turning of an uncovered card is not left to the player
        place = COLUMN[source]
        left = state.columns[place][: -len(cards)]
        turned = (Turned(TABLEAU[place], left[-1]),) if left and len(left) == state.face_down[place] else ()
    return (Moved(cards, source, target), *turned)


_TOO_FEW = "face_up_only", "The column has not so many cards face up."


def _open_cards(state: State, source: Zones) -> tuple[Card, ...]:
    """The face-up cards of a zone; raises Illegal for a foundation from which no card may return."""
    if source in COLUMN:
        return state.columns[COLUMN[source]][state.face_down[COLUMN[source]] :]
    if not state.options.foundation_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    return patience.home_cards(patience.SUIT_PLACE[source], state.foundations[patience.SUIT_PLACE[source]])


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    match event:
        case Moved():
            columns, foundations, count = list(state.columns), list(state.foundations), len(event.cards)
            if event.source in COLUMN:
                columns[COLUMN[event.source]] = columns[COLUMN[event.source]][:-count]
            else:
                foundations[patience.SUIT_PLACE[event.source]] -= 1
            if event.target in COLUMN:
                columns[COLUMN[event.target]] += event.cards
            else:
                foundations[patience.SUIT_PLACE[event.target]] += 1
            return replace(state, columns=tuple(columns), foundations=tuple(foundations))
        case Turned():
            place = COLUMN[event.source]
            return replace(state, face_down=patience.with_value_at(state.face_down, place, state.face_down[place] - 1))
        case Dealt():
            dealt = tuple(
                tuple(card for card, (_, column) in zip(event.cards, DEALING, strict=True) if column == place)
                for place in range(len(SIZES))
            )
            return replace(state, columns=dealt, face_down=tuple(range(len(SIZES))))
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Move, ...]:
    """The moves by column, home first, then from the foundations; nothing once the game is over."""
    return () if patience.all_home(state) else tuple(moves(state))


def moves(state: State) -> Iterator[Move]:
    """The legal moves: the top card home, then each face-up card from the top down, onto columns 0 to 6."""
    tops = [patience.top_of(column) for column in state.columns]
    takers: dict[Card, list[Tableau]] = {}
    for target, top in zip(TABLEAU, tops, strict=True):
        for card in ACCEPTS[top]:
            takers.setdefault(card, []).append(target)
    for source, column, down in zip(TABLEAU, state.columns, state.face_down, strict=True):
        if column:
            yield from list_home(state.foundations, source, column[-1], Move)
        for count, card in enumerate(reversed(column[down:]), 1):
            for target in takers.get(card, ()):
                if target != source:  # a card may lie under one that would take it
                    yield Move(source, target, count)
    if state.options.foundation_return:
        for suit, home in enumerate(state.foundations):
            for card in patience.home_cards(suit, home)[-1:]:
                yield from list_to_columns(TABLEAU, tops, ACCEPTS, patience.FOUNDATIONS[suit], card, Move)


def stuck(state: State) -> bool:
    """Whether no card can move. Our ruling: a king's whole column that only changes its place does not count."""
    if patience.all_home(state) or not (any(state.columns) or any(state.foundations)):
        return False
    return all(only_changes_place(state.columns, move) for move in moves(state))


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The foundations above the last four columns, and the columns."""
    lying = patience.column_zones(state.columns, (0,) * len(SIZES) if open_cards else state.face_down)
    return (*patience.foundation_zones(state.foundations, (3, 4, 5, 6)), *lying)


def boards(options: Options, seats: int) -> Boards:
    """The foundations on the right of the columns; on a phone above them."""
    wide, tall = columns(len(SIZES), 0, 0, 4 + 3 * ROW_GAP), columns(len(SIZES), 0, 1.12, PHONE_ROOM, step=PHONE_STEP)
    step = wide[1].x - wide[0].x
    right = in_column(patience.FOUNDATIONS, pile("", len(SIZES) * step + 0.3, 0))
    above = in_row(patience.FOUNDATIONS, pile("", 3 * step, 0))
    return Boards(frame_board([*wide, *homes(right)]), frame_board([*homes(above), *tall]))


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Moved():
            if len(event.cards) == 1:
                return patience.say_move(event.cards, event.source, event.target)
            packet = f"the {name(event.cards[0])} with {count_cards(len(event.cards) - 1)} on it"
            source, target = patience.zone_name(event.source), patience.zone_name(event.target)
            return f"The player moves {packet} from {source} to {target}."
        case Turned():
            return f"The {name(event.card)} is turned up in {patience.zone_name(event.source)}."
        case Dealt():
            return "Seven columns of 1, 6, 7, 8, 9, 10 and 11 cards are dealt; 21 of the 52 cards lie face down."
        case _:
            assert_never(event)


YUKON = solo_game(
    key="yukon", name="Yukon", rules=read_rules(__file__), options=Options, state=State, commands=(Move,),
    events=(Dealt, Moved, Turned), facts=Facts, dealt=Dealt, face_up_in_deal=FACE_UP_IN_DEAL, initial=initial,
    decide=decide, evolve=evolve, legal_commands=legal_commands, won=patience.all_home, stuck=stuck, zones=zones,
    facts_of=lambda state: Facts(sum(state.face_down)), tell=tell,
    table="The foundations and the seven columns, and the pack.", score=patience.cards_home, layout=boards,
    capabilities=(Chips((Chip(fact="face_down", label="Face down"),)),),
)  # fmt: skip
