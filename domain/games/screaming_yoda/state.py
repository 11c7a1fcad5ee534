"""Screaming Yoda: the state of a game, how it stands and what can be read from it."""

from collections import Counter

from domain.chance import Chance
from domain.game_type import Concealed, Result
from domain.games.screaming_yoda.events import Clearing
from domain.games.screaming_yoda.options import Options
from domain.view import Card, Seat

Cards = tuple[Card, ...]
Columns = tuple[Card | None, ...]

VALUE: dict[str, int] = {rank: value for value, rank in enumerate("23456789TJQKA")}
"""Two low, ace high."""

ON_ANYTHING, RESETTING, CLEARING = "2T", "2", "T"
"""The ranks that go on any card, that take any card, and that clear the pile."""

ALIKE_CLEAR = 4
"""So many cards of one rank in the pile clear it."""

FULL_HAND = 3


class State(Concealed, frozen=True, omit_defaults=True):
    """Everything on and under the table; piles run bottom to top, the draw pile has its next card first.

    By seat: hands, and for each column its face-up and its face-down card or None. Seats: `first` leads, `swapping`
    are not ready to begin, `exposed` can be called, `skips` lose their next turn, `resigned` and `out` in their order.
    """

    options: Options = Options()
    draw: Cards = ()
    pile: Cards = ()
    removed: Cards = ()
    hands: tuple[Cards, ...] = ()
    face_up: tuple[Columns, ...] = ()
    face_down: tuple[Columns, ...] = ()
    first: Seat = 0
    turn: Seat | None = None
    swapping: tuple[Seat, ...] = ()
    exposed: tuple[Seat, ...] = ()
    skips: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    chance: Chance | None = None


def columns(seats: int) -> int:
    """How many columns each seat has: three for five players, else four."""
    return 3 if seats == 5 else 4


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    none: tuple[Columns, ...] = ((None,) * columns(seats),) * seats
    return State(options=options, hands=((),) * seats, face_up=none, face_down=none)


def total(state: State, seat: Seat) -> int:
    """How many cards a seat has, in hand, face up and face down together."""
    laid = (*state.face_up[seat], *state.face_down[seat])
    return len(state.hands[seat]) + sum(card is not None for card in laid)


def playing(state: State) -> tuple[Seat, ...]:
    """The seats that are neither out nor resigned."""
    gone = (*state.out, *state.resigned)
    return tuple(seat for seat in range(len(state.hands)) if seat not in gone)


def fits(state: State, rank: str) -> bool:
    """Whether a rank may be played: on nothing, a two or a ten on anything, else equal or higher."""
    return not state.pile or rank in ON_ANYTHING or VALUE[rank] >= VALUE[state.pile[-1][0]]


def clearing(pile: Cards) -> Clearing | None:
    """Why this pile clears: a ten on top, or four of one rank anywhere in it."""
    if pile and pile[-1][0] in CLEARING:
        return "ten"
    counts = Counter(card[0] for card in pile)
    return "four_of_a_kind" if ALIKE_CLEAR in counts.values() else None


def result(state: State) -> Result | None:
    """Won by the first to play the last card, or by the last seat left; for places when one is left."""
    left = playing(state)
    if state.out and not state.options.play_for_places:
        return Result("won", "last_card", state.out)
    if len(left) > 1:
        return None
    reason = "last_card" if state.out else "resigned"
    order = (*state.out, *left, *reversed(state.resigned))
    return Result("won", reason, order[:1], _places(state, order))


def _places(state: State, order: tuple[Seat, ...]) -> tuple[int, ...]:
    """By seat how many others it leaves behind; who resigned earlier comes later (house rule, ours)."""
    if not state.options.play_for_places:
        return ()
    return tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))
