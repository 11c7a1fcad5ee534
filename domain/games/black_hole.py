"""Black Hole: 17 piles of three around one foundation (a game by David Parlett; rules after Denexa Games)."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import Board, Boards, frame_board
from domain.capabilities import Chip, Chips, Notations, RankNames
from domain.chance import Chance
from domain.game_type import Concealed, Illegal
from domain.kit.boards import FAN, fan, pile
from domain.kit.cards import PACK, RANK, name, turned_ranks_both_ways
from domain.kit.notations import SolverBoard, black_hole_solver, read_options
from domain.kit.solo import read_rules, solo_game
from domain.view import Card, Viewer, Zone

Foundation = Literal["foundation"]
Tableau = Literal[
    "tableau_0", "tableau_1", "tableau_2", "tableau_3", "tableau_4", "tableau_5", "tableau_6", "tableau_7", "tableau_8",
    "tableau_9", "tableau_10", "tableau_11", "tableau_12", "tableau_13", "tableau_14", "tableau_15", "tableau_16",
]  # fmt: skip
StartCard = Literal[
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS",
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD",
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC",
]  # fmt: skip

FOUNDATION: Final = "foundation"
TABLEAU: Final[tuple[Tableau, ...]] = get_args(Tableau)

PILE: dict[str, int] = {zone: place for place, zone in enumerate(TABLEAU)}
"""The number of a pile, by zone."""

DEPTH = 3
"""Cards in a pile."""

BESIDE: dict[Card, frozenset[Card]] = {
    top: frozenset(card for card in PACK if abs(RANK[card] - RANK[top]) in (1, 12)) for top in PACK
}
"""The cards that go on a card: one rank above or below it, the ace next to the king and the two (Denexa Games)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of Black Hole is played."""

    start_card: Annotated[
        StartCard, Meta(description="The card that lies in the middle before the others are shuffled.")
    ] = "AS"
    undo: Annotated[bool, Meta(description="Moves may be taken back.")] = True


class State(Concealed, frozen=True, omit_defaults=True):
    """A position: the 17 piles and the foundation, bottom to top. Nothing is hidden."""

    options: Options
    piles: tuple[tuple[Card, ...], ...]
    foundation: tuple[Card, ...] = ()


class Facts(Struct, frozen=True, tag="black_hole/facts"):
    """The score: how many cards lie on the foundation."""

    score: int


class Move(Struct, frozen=True, tag="black_hole/move", forbid_unknown_fields=True):
    """Move the top card of a pile onto the foundation."""

    source: Annotated[Tableau, Meta(description="The pile that the card leaves.")]
    target: Annotated[Foundation, Meta(description="Where it goes: the foundation, in every case.")]


class Dealt(Struct, frozen=True, tag="black_hole/dealt"):
    """The start card, and the other 51 in dealing order: three to each pile, pile after pile, the last on top."""

    start: Card
    cards: tuple[Card, ...]


class Moved(Struct, frozen=True, tag="black_hole/moved"):
    """A card went from a pile onto the foundation."""

    card: Card
    source: Tableau
    target: Foundation


Event = Dealt | Moved

_MOVES = tuple(Move(zone, FOUNDATION) for zone in TABLEAU)


def deal(options: Options, chance: Chance, seats: int) -> tuple[Dealt, ...]:
    """The start card is laid down before the other 51 are shuffled; a given deal names all 52, it anywhere among them.

    Taking the first ace out of a shuffled pack would leave an unfair deal (J. Wolter, Experimental Analysis of Black
    Hole). That a given deal may name the start card in any place is our ruling.
    """
    start = options.start_card
    pack = PACK if chance.given is not None else tuple(card for card in PACK if card != start)
    return (Dealt(start, tuple(card for card in chance.shuffle(pack).cards if card != start)),)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=((),) * len(TABLEAU))


def decide(state: State, command: Move) -> tuple[Event, ...]:
    """What happens; raises Illegal."""
    pile = state.piles[PILE[command.source]]
    if not pile:
        raise Illegal("source_empty", "No card lies there.")
    top = state.foundation[-1]
    if pile[-1] not in BESIDE[top]:
        raise Illegal("adjacent_rank", f"The {name(pile[-1])} is not one rank above or below the {name(top)}.")
    return (Moved(pile[-1], command.source, command.target),)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Moved():
            place, piles = PILE[event.source], list(state.piles)
            piles[place] = piles[place][:-1]
            return State(state.options, tuple(piles), (*state.foundation, event.card))
        case Dealt():
            piles = [event.cards[DEPTH * place : DEPTH * (place + 1)] for place in range(len(TABLEAU))]
            return replace(state, piles=tuple(piles), foundation=(event.start,))
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Move, ...]:
    """The piles whose top card fits, from the first on."""
    if not state.foundation:
        return ()
    fitting = BESIDE[state.foundation[-1]]
    return tuple([_MOVES[place] for place, pile in enumerate(state.piles) if pile and pile[-1] in fitting])


def score(state: State) -> int:
    """The number of cards on the foundation."""
    return len(state.foundation)


def stuck(state: State) -> bool:
    """Whether no top card fits, though some are left: everything is in view, and nothing else can be done."""
    return 0 < len(state.foundation) < len(PACK) and not legal_commands(state)


_WIDE, _HIGH = 6.5, 4.25
"""From the foundation to the ring, in card widths and in card heights."""


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The foundation and the piles around it: fans, so that all their cards can be read (Denexa Games)."""
    foundation = Zone(FOUNDATION, "Foundation", "pile", _WIDE, _HIGH, cards=state.foundation)
    piles = zip(TABLEAU, _PLACES, state.piles, strict=True)
    return (foundation, *(
        Zone(zone, f"Pile {at}", "fan", x, y, cards=cards) for at, (zone, (x, y), cards) in enumerate(piles, 1)
    ))  # fmt: skip


def boards(options: Options, seats: int) -> Boards:
    """Rows of piles with the foundation in a gap in their middle."""
    side = (0, 1, 3, 4)
    return Boards(
        _rows(((0, 1, 2, 3, 4), side, side, (0.5, 1.5, 2.5, 3.5)), (2, 1.5)),
        _rows(((0.5, 1.5, 2.5), (0, 1, 2, 3), (0, 3), (0, 1, 2, 3), (0, 1, 2, 3)), (1.5, 2)),
    )


def _rows(rows: Sequence[Sequence[float]], middle: tuple[float, float]) -> Board:
    """Where the piles stand in each row, in breadths of a pile, and where the foundation does."""
    across, down = 1 + 2 * FAN + 0.1, 1.08
    spots = [(x * across, y * down) for y, row in enumerate(rows) for x in row]
    hole = pile(FOUNDATION, middle[0] * across + FAN, middle[1] * down)
    return frame_board([hole, *(fan(zone, x, y, 3) for zone, (x, y) in zip(TABLEAU, spots, strict=True))])


def _on_ring(place: int) -> tuple[float, float]:
    """Clockwise, the first at the top; to the quarter of a card."""
    angle = 2 * pi * place / len(TABLEAU)
    return round(4 * _WIDE * (1 + sin(angle))) / 4, round(4 * _HIGH * (1 - cos(angle))) / 4


_PLACES = tuple(map(_on_ring, range(len(TABLEAU))))


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence."""
    match event:
        case Moved():
            return f"The player moves the {name(event.card)} from pile {PILE[event.source] + 1} to the foundation."
        case Dealt():
            middle = f"The {name(event.start)} lies in the middle"
            return f"{middle}, and around it 17 piles of three cards are dealt face up."
        case _:
            assert_never(event)


def _read_deal(board: SolverBoard) -> tuple[Options, tuple[Card, ...]]:
    """The options, and the cards: the start card, then pile by pile."""
    if [len(pile) for pile in (board.foundation, *board.columns)] != [1] + [DEPTH] * len(TABLEAU):
        raise Illegal("unreadable_notation", "The deal has a card under `Foundations:` and 17 piles of three cards.")
    options = replace(read_options(board, Options), start_card=board.foundation[0])
    return options, sum(board.columns, board.foundation)


def _board(dealt: Dealt) -> SolverBoard:
    piles = tuple(dealt.cards[at : at + DEPTH] for at in range(0, DEPTH * len(TABLEAU), DEPTH))
    return SolverBoard(columns=piles, foundation=(dealt.start,))


_EXAMPLE = (
    "Foundations: AS|KD JH JS|8H 4C 7D|7H TD 4H|JD 9S 5S|AH 3S 6H|9C 9D 8S|7S 2H 6S|AC JC QH|QD 4S TS|6C QS QC|8D 3D KH"
    "|5H 5C 8C|4D KC TC|6D 3C 3H|2C KS TH|AD 5D 7C|9H 2S 2D||Move a card from stack 16 to the foundations|"
).replace("|", "\n")

BLACK_HOLE = solo_game(
    key="black_hole", name="Black Hole", rules=read_rules(__file__), options=Options, state=State, commands=(Move,),
    events=(Dealt, Moved), facts=Facts, dealt=Dealt, face_up_in_deal=None, deal=deal, initial=initial, decide=decide,
    evolve=evolve, legal_commands=legal_commands, won=lambda state: len(state.foundation) == len(PACK), stuck=stuck,
    zones=zones, facts_of=lambda state: Facts(len(state.foundation)), tell=tell,
    table="The seventeen piles around the foundation, and the pack.", score=score, layout=boards,
    capabilities=(
        RankNames(turned_ranks_both_ways), Chips((Chip(fact="score", label="Cards home"),)),
        Notations((black_hole_solver("black_hole", _read_deal, _board, _MOVES, None, _EXAMPLE),)),
    ),
)  # fmt: skip
