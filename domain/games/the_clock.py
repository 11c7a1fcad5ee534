"""The Clock: thirteen piles of four and no choice at all (rules after Denexa Games)."""

from math import cos, pi, radians, sin
from typing import Annotated, Final, Literal, assert_never, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import HEIGHT, WIDTH, Board, Boards, Figure, Place, frame_board
from domain.capabilities import Chip, Chips, PureLuck, Taps
from domain.game_type import Concealed, Illegal, Result
from domain.kit.boards import pile
from domain.kit.cards import PACK, RANK, name
from domain.kit.solo import read_rules, solo_game
from domain.view import Card, Viewer, Zone

Pile = Literal[
    "pile_0", "pile_1", "pile_2", "pile_3", "pile_4", "pile_5", "pile_6",
    "pile_7", "pile_8", "pile_9", "pile_10", "pile_11", "pile_12",
]  # fmt: skip
Active = Literal["active"]

PILES: Final[tuple[Pile, ...]] = get_args(Pile)
"""Pile 0 lies at 1 o'clock, pile 11 at 12 o'clock, pile 12 in the middle."""

SHOWN: Final = tuple(f"shown_{place}" for place in range(len(PILES)))
"""The face-up cards that lie under each pile."""

ACTIVE: Final[Active] = "active"
CENTRE: Final = 12

PLACE: dict[str, int] = {zone: place for place, zone in enumerate(PILES)}
"""The number of a pile, by zone."""

BELONGS: dict[Card, int] = {card: RANK[card] - 1 for card in PACK}
"""The number of the pile to which a card belongs: aces 0, jacks 10, queens 11, kings in the middle."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """How this game of The Clock is played."""

    take_from: Annotated[
        Literal["top", "bottom"], Meta(description="Which face-down card of a pile is turned up next.")
    ] = "top"
    pile_by_pile: Annotated[
        bool, Meta(description="Each pile is dealt whole, four cards in a row, and not in rounds of single cards.")
    ] = False
    watch: Annotated[
        bool, Meta(description="Once a game the fourth king, shown too early, changes places with a face-down card.")
    ] = False


class State(Concealed, frozen=True, omit_defaults=True):
    """A position. `piles` are the face-down cards by pile, bottom to top; `shown` the face-up ones as they came.

    `following` is the pile from which the next card is turned up. `active` is a card that has been turned up and lies
    nowhere yet: between two commands only a fourth king that waits to be exchanged. `king_at` is the pile on which the
    exchanged king lies face down, or lay.
    """

    options: Options
    piles: tuple[tuple[Card, ...], ...]
    shown: tuple[tuple[Card, ...], ...]
    following: int = CENTRE
    active: Card | None = None
    king_at: int | None = None


class Facts(Struct, frozen=True, tag="the_clock/facts"):
    """What the piles do not say at once.

    `revealed` counts the cards that lie face up, `kings` the kings among them; `next_pile` gives the next card (null
    where the fourth king has been shown); `king_at` is the pile on which the exchanged king was laid, face down.
    """

    revealed: int
    kings: int
    next_pile: str | None
    king_at: str | None


def face_down(state: State) -> int:
    """How many cards lie face down."""
    return sum(map(len, state.piles))


def four_kings(state: State) -> bool:
    """Whether the four kings lie face up in the middle, which ends the game."""
    return len(state.shown[CENTRE]) == 4


class Step(Struct, frozen=True, tag="the_clock/step", forbid_unknown_fields=True):
    """Turn up the next card and put it where it belongs."""


class RunToEnd(Struct, frozen=True, tag="the_clock/run_to_end", forbid_unknown_fields=True):
    """Turn up card after card to the end, or until a king is to be exchanged."""


class Exchange(Struct, frozen=True, tag="the_clock/exchange", forbid_unknown_fields=True):
    """With `watch`: lay the fourth king face down in the place of a pile's top card, which is played instead."""

    target: Annotated[Pile, Meta(description="The pile on which the king is laid.")]
    source: Annotated[Active, Meta(description="Where the king lies.")] = ACTIVE


class Dealt(Concealed, frozen=True, tag="the_clock/dealt"):
    """The 52 cards in dealing order, all face down."""

    cards: tuple[Card, ...]


class Turned(Struct, frozen=True, tag="the_clock/turned"):
    """A card was turned up."""

    source: Pile
    card: Card


class Placed(Struct, frozen=True, tag="the_clock/placed"):
    """The card turned up was put face up under the pile to which it belongs."""

    card: Card
    target: Pile


class Exchanged(Struct, frozen=True, tag="the_clock/exchanged"):
    """The king lies face down on a pile, and the card that was its top has been turned up."""

    king: Card
    target: Pile
    card: Card


Command = Step | RunToEnd | Exchange
Event = Dealt | Turned | Placed | Exchanged


_EMPTY: tuple[tuple[Card, ...], ...] = ((),) * len(PILES)


def initial(options: Options, seats: int) -> State:
    """The table before the deal."""
    return State(options=options, piles=_EMPTY, shown=_EMPTY)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if _is_closed(state):
        raise Illegal("game_over", "There is nothing to be turned up.")
    match command:
        case Step():
            _check_no_exchange(state)
            return _show_card(state)
        case RunToEnd():
            _check_no_exchange(state)
            run: list[Event] = []
            while state.active is None and not four_kings(state):
                for event in _show_card(state):
                    run.append(event)
                    state = evolve(state, event)
            return tuple(run)
        case Exchange():  # our ruling: it takes the top card, whichever card of a pile is turned up otherwise
            if state.active is None:
                raise Illegal("no_king_to_exchange", "There is no fourth king to be exchanged.")
            pile = state.piles[PLACE[command.target]]
            if not pile:
                raise Illegal("pile_face_up", "No card of that pile lies face down any more.")
            return Exchanged(state.active, command.target, pile[-1]), _place_card(pile[-1])
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case Turned():
            place, piles = PLACE[event.source], list(state.piles)
            piles[place] = piles[place][:-1] if state.options.take_from == "top" else piles[place][1:]
            return replace(state, piles=tuple(piles), active=event.card)
        case Placed():
            place, shown = PLACE[event.target], list(state.shown)
            shown[place] += (event.card,)
            return replace(state, shown=tuple(shown), following=place, active=None)
        case Exchanged():
            place, piles = PLACE[event.target], list(state.piles)
            piles[place] = (*piles[place][:-1], event.king)
            return replace(state, piles=tuple(piles), active=event.card, king_at=place)
        case Dealt():  # the card dealt last on top; one at a time, from 1 o'clock, the middle last
            cards, places = event.cards, range(len(PILES))
            if state.options.pile_by_pile:
                return replace(state, piles=tuple(cards[4 * place : 4 * place + 4] for place in places))
            return replace(state, piles=tuple(cards[place :: len(PILES)] for place in places))
        case _:
            assert_never(event)


def legal_commands(state: State) -> tuple[Command, ...]:
    """A card or all of them, or the piles on which the king may be laid; nothing once the game is over."""
    if _is_closed(state):
        return ()
    if state.active is None:
        return (Step(), RunToEnd())
    return tuple(Exchange(pile) for pile in PILES if state.piles[PLACE[pile]])


def result(state: State) -> Result | None:
    """Over with the fourth king face up in the middle: won if no card lies face down any more.

    The score is the number of other cards that were shown before, 48 of them at most.
    """
    if not four_kings(state):
        return None
    score = (sum(map(len, state.shown[:CENTRE])),)
    if face_down(state):
        return Result("lost", "fourth_king", (), score)
    return Result("won", "all_face_up", (0,), score)


def _is_closed(state: State) -> bool:
    """Whether no card can be turned up: before the deal, and once the four kings lie face up."""
    return four_kings(state) or not any(state.piles)


def _check_no_exchange(state: State) -> None:
    if state.active is not None:
        raise Illegal("exchange_first", "First the king is to be exchanged for a card that lies face down.")


def _show_card(state: State) -> tuple[Event, ...]:
    """The next card, and where it goes. The pile cannot be empty: its k-th card comes when 5 - k lie face down.

    With `watch` the fourth king, shown too early, is exchanged (the Watch variant of gamerules.com). Our rulings: the
    exchange is not optional, there is one in a game, and the king's next showing decides.
    """
    pile = state.piles[state.following]
    card = pile[-1] if state.options.take_from == "top" else pile[0]
    turned = Turned(PILES[state.following], card)
    is_king = state.options.watch and state.king_at is None and BELONGS[card] == CENTRE
    if is_king and len(state.shown[CENTRE]) == 3 and face_down(state) > 1:
        return (turned,)
    return turned, _place_card(card)


def _place_card(card: Card) -> Placed:
    return Placed(card, PILES[BELONGS[card]])


_ROW, _BESIDE, _RADIUS = 1.25, 1.25, 4.0
"""Card heights from row to row, card widths from a pile to its face-up cards and to the piles at 3 and 9 o'clock."""
_MIDDLE = _RADIUS + _BESIDE


class Hour(Struct, frozen=True):
    """A pile of the clock."""

    id: Annotated[Pile, Meta(description="The id of the zone of its face-down cards.")]
    hour: Annotated[int | None, Meta(description="1 to 12 o'clock; null: the middle.")]
    shown: Annotated[str, Meta(description="The id of the zone of the face-up cards that lie under it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that belong there.")]


def phase(state: State) -> str:
    """Whether a king is to be exchanged, a card to be turned up, or the deal is still to come."""
    if state.active is not None:
        return "exchange"
    return "turn" if any(state.piles) else "deal"


def facts(state: State) -> Facts:
    revealed = sum(map(len, state.shown)) + (state.active is not None)
    kings = len(state.shown[CENTRE])
    following = None if state.active is not None or kings == 4 else PILES[state.following]
    king_at = None if state.king_at is None else PILES[state.king_at]
    return Facts(revealed, kings + (state.active is not None), following, king_at)


def zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The piles, the face-up cards drawn out from under each, away from the middle of the clock, and a king in hand.

    Places of a clock are piles where their cards are known: a clock of several cards would be another picture.
    """
    piles, open_piles = list[Zone](), list[Zone]()
    for place, cards in enumerate(state.piles):
        down, faces = (0, cards) if open_cards else (len(cards), ())
        layout: Literal["pile", "clock"] = "pile" if faces else "clock"
        hour = (place + 1) % 12  # seven rows from 12 to 6 o'clock, their width that of a circle
        x, y = round(_MIDDLE + _RADIUS * sin(pi * hour / 6), 2), _ROW * min(hour, 12 - hour)
        if place == CENTRE:
            x, y = _MIDDLE, 3 * _ROW
        piles.append(Zone(PILES[place], _label(place), layout, x, y, face_down=down, cards=faces))
        x += -_BESIDE if x < _MIDDLE else _BESIDE
        open_piles.append(Zone(SHOWN[place], f"Shown, {_label(place)}", "pile", x, y, cards=state.shown[place]))
    active = Zone(ACTIVE, "In hand", "pile", 0, 0, cards=() if state.active is None else (state.active,))
    return (*piles, *open_piles, active)


def _label(place: int) -> str:
    return "Middle" if place == CENTRE else f"{place + 1} o'clock"


def boards(options: Options, seats: int) -> Boards:
    """A clock face: every pile points to the middle, with its face-up cards drawn out from under it."""
    return Boards(_clock(-5, -2.4, options.watch), _clock(-3.75, -2.95, options.watch))


def _clock(x: float, y: float, watch: bool) -> Board:
    """`x`, `y`: where a king in hand lies, from the middle of the clock; only with `watch` there is one."""
    hours = range(len(PILES) - 1)
    shown = [replace(_place_on_dial(SHOWN[place], place, 3.2), outline=False) for place in hours]
    piles = [_place_on_dial(PILES[place], place, 2.72) for place in hours]
    middle = [pile(PILES[CENTRE], -1.04, -0.5), replace(pile(SHOWN[CENTRE], 0.04, -0.5), mark="K")]
    numerals = [(str(place + 1), _place_on_dial("", place, 1.7)) for place in hours]
    figures = [Figure("", "", at.x + 0.2, at.y + 0.36, 0.6, 0.28, ((hour,),)) for hour, at in numerals]
    king = Place(ACTIVE, x, y, outline=watch)
    return frame_board([*shown, *piles, *middle, king], figures=figures, circles=[(0, 0, 3.95), (0, 0, 1.42)])


def _place_on_dial(zone: str, place: int, radius: float) -> Place:
    """So many card widths from the middle of the clock, the upper edge outwards."""
    turn = 30.0 * (place + 1)
    x, y = radius * sin(radians(turn)), -radius * cos(radians(turn)) * WIDTH / HEIGHT
    return Place(zone, x - 0.5, y - 0.5, turn=turn, label=False)


def tell(state: State, event: Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    match event:
        case Turned():
            return f"The player turns up the {name(event.card)} from the pile {_where(event.source)}."
        case Placed():
            return f"The {name(event.card)} goes face up under the pile {_where(event.target)}."
        case Exchanged():
            laid = f"The player lays the {name(event.king)} face down on the pile {_where(event.target)}"
            return f"{laid} and turns up the {name(event.card)} for it."
        case Dealt():
            return "Thirteen piles of four cards are dealt face down: twelve round the clock and one in the middle."
        case _:
            assert_never(event)


def _where(zone: str) -> str:
    return "in the middle" if PLACE[zone] == CENTRE else f"at {PLACE[zone] + 1} o'clock"


THE_CLOCK = solo_game(
    key="the_clock", name="The Clock", rules=read_rules(__file__), options=Options, state=State,
    commands=(Step, RunToEnd, Exchange), events=(Dealt, Turned, Placed, Exchanged), facts=Facts, dealt=Dealt,
    face_up_in_deal=(), initial=initial, decide=decide, evolve=evolve, legal_commands=legal_commands,
    result=result, stuck=lambda state: False, zones=zones, facts_of=facts, phase_of=phase, tell=tell,
    table="The thirteen piles with the cards that belong to them.",
    more_material=((
        "hours",
        Annotated[tuple[Hour, ...], Meta(description="The piles, from 1 o'clock on, the middle last.")],
        tuple(Hour(zone, None if place == CENTRE else place + 1, SHOWN[place],
                   tuple(card for card, pile in BELONGS.items() if pile == place)) for place, zone in enumerate(PILES)),
    ),),
    layout=boards, undo=None,
    capabilities=(
        PureLuck(), Taps({"the_clock/step": "next_pile"}),
        Chips((Chip(fact="kings", label="Kings"), Chip(fact="revealed", label="Cards face up"),
               Chip(fact="next_pile", label="Next", shown="words",
                    words={zone.replace("_", " "): _label(place) for zone, place in PLACE.items()})),
              {"exchange": "Exchange the king for a face-down card"}),
    ),
)  # fmt: skip
