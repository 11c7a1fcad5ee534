"""Screaming Yoda: what a viewer sees of the table, where it lies in the picture, and what is printed, as data."""

from collections.abc import Iterator
from typing import Annotated, Literal, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules import initial, result
from domain.games.screaming_yoda.rules.turns import callable_seats
from domain.games.screaming_yoda.state import (
    ALIKE_CLEAR,
    CLEARING,
    COLUMN,
    DRAW,
    FULL_HAND,
    HAND,
    MOST_SEATS,
    ON_ANYTHING,
    PILE,
    REMOVED,
    RESETTING,
    VALUE,
    Facts,
    Options,
    State,
    columns,
    playing,
    total,
)
from domain.games.screaming_yoda.state import Cards as Pile
from domain.kit.cards import PACK, rank_name
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import closed_pile
from domain.view import ALL_SEEING, FACE_DOWN, Card, Seat, View, Viewer, Zone, player_name

_WIDTH, _HEIGHT = 1.15, 1.25
Effect = Literal["goes_on_anything", "takes_anything", "clears"]


class SpecialRank(Struct, frozen=True):
    """Cards that do more than their rank says."""

    rank: Annotated[str, Meta(description="The rank as cards write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards of the rank.")]
    effects: Annotated[
        tuple[Effect, ...],
        Meta(
            description="Goes on any card; takes any card on it; removes the pile from play, whose player plays again."
        ),
    ]


class Table(Struct, frozen=True):
    """What a number of players is dealt."""

    seats: Annotated[int, Meta(description="The number of players.")]
    columns: Annotated[int, Meta(description="Columns of each: a face-down card with a face-up card on it.")]
    hand: Annotated[int, Meta(description="Cards in the hand of each, which is filled while the draw pile lasts.")]


class Material(Struct, frozen=True, tag="screaming_yoda/material"):
    """The places of every table, what each is dealt, the cards and those that do more than their rank says."""

    places: Places
    tables: Annotated[tuple[Table, ...], Meta(description="What is dealt, by the number of players.")]
    cards: Cards
    special: Annotated[tuple[SpecialRank, ...], Meta(description="The ranks that do more.")]
    alike: Annotated[int, Meta(description="So many cards of one rank in the pile clear it as well.")]


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: the own hand, the pile and all face-up cards; counts of the rest."""
    return View(
        phase=_phase(state), to_act=_to_act(state), stuck=False, zones=tuple(_zones(state, viewer)), facts=_facts(state)
    )


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    match event:
        case ev.TurnStarted() | ev.Played() | ev.PickedUp() | ev.FalselyCalled() | ev.Cleared() | ev.Flipped():
            return event
        case ev.Drawn():
            return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, _backs(event.cards))
        case ev.Penalised() | ev.Dealt() if viewer == ALL_SEEING:
            return replace(event, chance=None)
        case ev.Penalised():
            drawn = event.drawn if viewer == event.seat else _backs(event.drawn)
            removed = None if event.removed is None else _backs(event.removed)
            return ev.Penalised(event.seat, drawn, event.from_pile, removed)
        case ev.Dealt():
            hands = tuple(hand if seat == viewer else _backs(hand) for seat, hand in enumerate(event.hands))
            face_down = tuple(map(_backs, event.face_down))
            return ev.Dealt(event.first, face_down, event.face_up, hands, _backs(event.draw))
        case ev.OneLeft() | ev.Shouted() | ev.Caught() | ev.Skipped() | ev.Swapped() | ev.BecameReady() | ev.TurnedUp():
            return event
        case ev.WentOut() | ev.Withdrawn():
            return event
        case _:
            assert_never(event)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards this viewer does not see in other places: hands, face-down cards, draw, removed.

    Nothing but chance tells where they lie; whoever has followed the pile knows more.
    """
    if viewer == ALL_SEEING:
        return state
    seats = range(len(state.hands))
    under = [card for seat in seats for card in state.face_down[seat] if card is not None]
    held = [card for seat in seats if seat != viewer for card in state.hands[seat]]
    pool, chance = chance.shuffle(sorted((*under, *held, *state.draw, *state.removed)))
    cards = iter(pool)
    return replace(
        state,
        hands=tuple(state.hands[seat] if seat == viewer else _draw_as_many(cards, state.hands[seat]) for seat in seats),
        face_down=tuple(tuple(None if card is None else next(cards) for card in row) for row in state.face_down),
        draw=_draw_as_many(cards, state.draw),
        removed=_draw_as_many(cards, state.removed),
        chance=None if state.chance is None else chance,
    )


def _draw_as_many(cards: Iterator[Card], places: Pile) -> Pile:
    return tuple(next(cards) for _ in places)


def _phase(state: State) -> str:
    if result(state) is not None:
        return "finished"
    if state.swapping:
        return "swap"
    return "deal" if state.turn is None else "play"


def _to_act(state: State) -> tuple[Seat, ...]:
    """Who may do something now: the seat on turn, who can shout, who can call, who still exchanges cards."""
    if result(state) is not None:
        return ()
    if state.swapping:
        return state.swapping
    busy = {state.turn, *state.exposed}
    return tuple(seat for seat in playing(state) if seat in busy or callable_seats(state, seat))


def _facts(state: State) -> Facts:
    beaten = state.pile[-1][0] if state.pile else None
    return Facts(
        turn=None if result(state) is not None else state.turn,
        to_beat=None if beaten is None or beaten in RESETTING else beaten,
        cards_left=tuple(total(state, seat) for seat in range(len(state.hands))),
        exposed=state.exposed,
        skips=state.skips,
        swapping=state.swapping,
        out=state.out,
        resigned=state.resigned,
    )


def _zones(state: State, viewer: Viewer) -> Iterator[Zone]:
    yield closed_pile(DRAW, "Draw pile", 0, 0, state.draw[::-1], viewer == ALL_SEEING)
    yield closed_pile(REMOVED, "Removed cards", _WIDTH, 0, state.removed, viewer == ALL_SEEING)
    yield Zone(PILE, "Pile", "fan", 2 * _WIDTH, 0, cards=state.pile)
    for seat in range(len(state.hands)):
        yield from _column_zones(state, seat, viewer)
        yield _hand_zone(state, seat, viewer)


def _column_zones(state: State, seat: Seat, viewer: Viewer) -> Iterator[Zone]:
    """A face-down card that nobody has seen under a face-up card."""
    for column, (under, over) in enumerate(zip(state.face_down[seat], state.face_up[seat], strict=True)):
        known, face_up = (tuple(card for card in cards if card is not None) for cards in ((under, over), (over,)))
        shown = known if viewer == ALL_SEEING else face_up
        label, x, y = f"{player_name(seat)}, column {column + 1}", column * _WIDTH, (seat + 1) * _HEIGHT
        yield Zone(COLUMN[seat][column], label, "pile", x, y, seat, len(known) - len(shown), shown)


def _hand_zone(state: State, seat: Seat, viewer: Viewer) -> Zone:
    """The hand of another seat is as many backs."""
    cards = state.hands[seat] if viewer in (seat, ALL_SEEING) else _backs(state.hands[seat])
    x = len(state.face_up[seat]) * _WIDTH
    return Zone(HAND[seat], f"Hand of {player_name(seat)}", "fan", x, (seat + 1) * _HEIGHT, seat, 0, cards)


def _backs(cards: Pile) -> Pile:
    return (FACE_DOWN,) * len(cards)


def _describe_rank(rank: str) -> SpecialRank:
    does: dict[Effect, str] = {"goes_on_anything": ON_ANYTHING, "takes_anything": RESETTING, "clears": CLEARING}
    effects = tuple(effect for effect, ranks in does.items() if rank in ranks)
    return SpecialRank(rank, rank_name(rank), tuple(card for card in PACK if card[0] == rank), effects)


_SEATS = range(2, MOST_SEATS + 1)
MATERIAL = Material(
    places=card_places(*(look(initial(Options(), seats), None) for seats in _SEATS)),
    tables=tuple(Table(seats, columns(seats), FULL_HAND) for seats in _SEATS),
    cards=pack_cards(values={card: VALUE[card[0]] for card in PACK}),
    special=tuple(_describe_rank(rank) for rank in VALUE if rank in ON_ANYTHING + RESETTING + CLEARING),
    alike=ALIKE_CLEAR,
)
