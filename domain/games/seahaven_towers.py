"""Seahaven Towers: ten open columns built in suit, four towers (rules after Denexa Games)."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct

from domain.board import Boards, Place
from domain.capabilities import Autoplay, Chip, Chips, Notation, Notations, Noted, Spelling
from domain.game_type import Concealed, Illegal
from domain.kit import cells, notations, patience
from domain.kit.boards import homes, pile, topped_boards
from domain.kit.cards import PACK
from domain.kit.solo import read_rules, solo_game
from domain.kit.talon import only_changes_place
from domain.view import Card, Seat, Viewer

Tower = Literal["tower_0", "tower_1", "tower_2", "tower_3"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4",
    "tableau_5", "tableau_6", "tableau_7", "tableau_8", "tableau_9",
]  # fmt: skip

TOWERS: Final[tuple[Tower, ...]] = get_args(Tower)
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

GAME: cells.CellGame[Tower, Tableau] = cells.CellGame(
    cells=TOWERS, tableau=TABLEAU, accepts=patience.IN_SUIT, on=patience.ON_IN_SUIT, order="sequence and suit",
    word="tower", spoken="tower", one_card="A tower holds one card.",
)  # fmt: skip

IN_COLUMNS = 50
"""So many cards are dealt to columns, the other two to towers."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Seahaven Towers is played."""

    strict_single: Annotated[
        bool, Meta(description="Cards move one at a time; the player carries a run through the towers card by card.")
    ] = False
    any_card: Annotated[
        bool, Meta(description="An empty column takes any card, not only a king; runs then also go by way of it.")
    ] = False
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. Columns run bottom to top; a tower holds a card or None.

    `foundations` are the numbers of cards at home, by suit as in domain.kit.cards.SUITS.
    """

    options: Options
    columns: tuple[tuple[Card, ...], ...]
    towers: tuple[Card | None, ...]
    foundations: tuple[int, ...]

    @property
    def cells(self) -> tuple[Card | None, ...]:
        """The towers, as domain.kit.cells calls them."""
        return self.towers


class Facts(Struct, frozen=True, tag="seahaven_towers/facts"):
    """How many cards of a run can move at once: onto a column with cards, and into an empty column."""

    run_limit: int
    run_limit_into_space: int


def run_limit(state: State, into_space: bool) -> int:
    """The most cards that the towers carry: free towers + 1 (AisleRiot).

    Empty columns do not help, for they take only kings; with `any_card` each of them doubles the number, but for one
    that the run goes into (KPatience handbook, for FreeCell).
    """
    if state.options.strict_single:
        return 1
    spaces = state.columns.count(()) - into_space if state.options.any_card else 0
    return (state.towers.count(None) + 1) << max(spaces, 0)


Source = Tower | Tableau
Target = Tower | patience.Foundation | Tableau


class Move(Struct, frozen=True, tag="seahaven_towers/move", forbid_unknown_fields=True, omit_defaults=True):
    """Move a card, or the top `count` cards of a column, to a column, a tower or the card's own foundation."""

    source: Annotated[Source, Meta(description="The zone that the cards leave.")]
    target: Annotated[Target, Meta(description="The zone that they go to.")]
    count: Annotated[int, Meta(description="How many cards, from the top.", ge=1, le=13)] = 1


class Standard(Struct, frozen=True, tag="seahaven_towers/standard", forbid_unknown_fields=True):
    """A move in standard notation; it stands for the `seahaven_towers/move` that it spells."""

    move: Annotated[
        str,
        Meta(
            description=(
                "From, then to: columns `1` to `10`, towers `a` to `d`, `h` home. From column to column as many cards "
                "move as can, or those that a count after `v` says (hexadecimal): `26`, `a10`, `5h`, `26v3`."
            ),
            examples=["26"],
            pattern=r"^((10|[1-9])(10|[1-9a-dh])|[a-d](10|[1-9h]))(v[1-9a-d])?$",
            max_length=6,
        ),
    ]


class Dealt(Struct, frozen=True, tag="seahaven_towers/dealt"):
    """The 52 cards in dealing order: row by row over the ten columns, then the second and the third tower."""

    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="seahaven_towers/moved"):
    """Cards, bottom to top, went from one zone to another; `standard` is the move in standard notation."""

    cards: tuple[Card, ...]
    source: Source
    target: Target
    standard: str


Command = Move | Standard
Event = Dealt | Moved


_ANY = frozenset(PACK)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options, ((),) * len(TABLEAU), (None,) * len(TOWERS), (0,) * 4)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if state.foundations == cells.ALL_HOME:
        raise Illegal("game_over", "All cards are home.")
    move = canonical(state, 0, command)
    into_space = _count_into_space if state.options.any_card else None
    cards = cells.judge_move(GAME, state, move, state.options.strict_single, _check_column)
    return (Moved(cards, move.source, move.target, cells.spell_standard(GAME, state, move, into_space)),)


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
            columns = cells.deal_columns(event.cards[:IN_COLUMNS], len(TABLEAU))
            return State(state.options, columns, (None, *event.cards[IN_COLUMNS:], None), state.foundations)
        case _:
            assert_never(event)


def stuck(state: State) -> bool:
    """Whether no card can move to any effect. Our ruling: a whole column that only changes its place has none."""
    if state.foundations == cells.ALL_HOME or not any(state.columns):
        return False
    return all(only_changes_place(state.columns, move) for move in legal_commands(state))


def _check_column(state: State, column: tuple[Card, ...], cards: tuple[Card, ...]) -> None:
    if column:
        patience.check_in_suit(column[-1], cards[0])
    elif cards[0] not in patience.KINGS and not state.options.any_card:
        raise Illegal("king_on_empty_column", "An empty column takes only a king or a run headed by a king.")
    limit = run_limit(state, into_space=not column)
    if len(cards) > limit:
        raise Illegal("run_limit", f"No more than {limit} can be carried there in one move now.")


def _count_into_space(state: State, run: tuple[Card, ...]) -> int:
    """How many cards of a run are meant to go into an empty column where no count is said."""
    if state.options.any_card:
        return min(len(run), run_limit(state, into_space=True))
    return len(run) if run[0] in patience.KINGS else 1


def legal_commands(state: State) -> tuple[Move, ...]:
    """The moves from towers and columns: home first, then to columns, then to towers."""
    limits = run_limit(state, into_space=False), run_limit(state, into_space=True)
    room = cells.find_room(GAME, state, *limits, _ANY if state.options.any_card else patience.KINGS)
    return tuple(cells.list_moves(GAME, state, room, Move))


_FOUNDATIONS_ABOVE = (0, 1, 8, 9)
"""Spades stand above the first column, hearts the second, diamonds the ninth, clubs the tenth (Denexa Games)."""
_TOWERS_ABOVE = 3
"""The first tower stands above the fourth column, the cards dealt to towers above the fifth and sixth."""


def boards(options: Options, seats: int) -> Boards:
    """Towers in the middle and two foundations at each end, above the columns."""

    def above(step: float) -> list[Place]:
        towers = [pile(zone, step * at, 0) for at, zone in enumerate(TOWERS, _TOWERS_ABOVE)]
        return towers + homes(
            pile(zone, step * at, 0) for zone, at in zip(patience.FOUNDATIONS, _FOUNDATIONS_ABOVE, strict=True)
        )

    return topped_boards(len(TABLEAU), above)


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence, with the move in standard notation behind it."""
    match event:
        case Dealt():
            return f"Ten columns are dealt face up, and {patience.the(event.cards[IN_COLUMNS:])} to the middle towers."
        case Moved():
            return cells.say_move(GAME, event.cards, event.source, event.target, event.standard)
        case _:
            assert_never(event)


def _write(options: Options, deal: Sequence[Event], line: Sequence[Event]) -> str:
    cards = next(event.cards for event in deal if isinstance(event, Dealt))
    columns = cells.deal_columns(cards[:IN_COLUMNS], len(TABLEAU))
    words = [event.standard for event in line if isinstance(event, Moved)]
    return notations.write_text(notations.deal_lines(columns, (None, *cards[IN_COLUMNS:], None)), options, words)


def _read(text: str) -> Noted:
    parsed = notations.read_move_list(text)
    if parsed.number is not None:
        raise Illegal("unreadable_notation", "Deals of Seahaven Towers have no numbers here: write the cards.")
    if parsed.autoplay is not None:
        raise Illegal("unreadable_notation", "Autoplay is known of lists of FreeCell only: write every move.")
    commands = tuple(cells.command_of(word, Standard, "26, a10, 5h or 26v3") for word in parsed.words)
    options, towers = notations.read_options(parsed, Options), tuple(filter(None, parsed.cells[1:3]))
    if len(towers) != 2 or any(parsed.cells[:1] + parsed.cells[3:]):
        raise Illegal("unreadable_notation", "At the deal a card lies in the second and the third tower: FC: - 5S 6H -")
    deal = (*notations.deal_order(parsed.columns, (5,) * len(TABLEAU)), *towers)
    return Noted(options=options, deal=deal, commands=commands)


_EXAMPLE = """\
FC: - TD 2D -
: JS 2C 8D 5C 4C
: 4D KD AC KS QC
: 5D 5H TS 3H 6S
: JH 9H AS TH 3S
: 7C 2S 7D 8H AD
: 9D 7S 2H 9S QD
: 3C QS 3D KH JD
: 8C 5S 6D 8S KC
: 6C 4S 7H JC AH
: 6H 4H 9C QH TC

b7 1a 1d
"""

STANDARD = Notation(
    key="standard",
    name="Standard FreeCell notation",
    media_type="text/vnd.kibitz.seahaven-towers",
    example=_EXAMPLE,
    write=_write,
    read=_read,
)


SEAHAVEN_TOWERS = solo_game(
    key="seahaven_towers", name="Seahaven Towers", rules=read_rules(__file__), options=Options, state=State,
    commands=(Move, Standard), events=(Dealt, Moved), facts=Facts, dealt=Dealt, face_up_in_deal=None,
    initial=initial, decide=decide, evolve=evolve, legal_commands=legal_commands, won=patience.all_home, stuck=stuck,
    zones=lambda state, open_cards: cells.table_zones(GAME, state, _TOWERS_ABOVE, _FOUNDATIONS_ABOVE),
    facts_of=lambda state: Facts(run_limit(state, into_space=False), run_limit(state, into_space=True)), tell=tell,
    table="The towers, columns and foundations, and the pack.", score=patience.cards_home, layout=boards,
    capabilities=(
        Spelling(canonical), Notations((STANDARD,)), Autoplay("suit"),
        Chips((Chip(fact="run_limit", label="Cards at once", most=12),
               Chip(fact="run_limit_into_space", label="Into a space", most=12))),
    ),
)  # fmt: skip
