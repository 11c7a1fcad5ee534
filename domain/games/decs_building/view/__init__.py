"""Decs Building: what a viewer sees of the table and of events, and the states that look the same to a viewer."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.decs_building import events as ev
from domain.games.decs_building.rules import initial
from domain.games.decs_building.rules.grid import (
    empty_spaces,
    find_powered,
    free_places,
    hand_size,
    orientations,
    score,
)
from domain.games.decs_building.state import (
    PAWNS,
    STACKS,
    Cards,
    DrawnFeature,
    Facts,
    Feature,
    Options,
    SeatFacts,
    State,
    clockwise,
    spare_pawns,
    to_act,
)
from domain.games.decs_building.state.board import COLUMNS, KINDS, PRINTED_SOURCES, ROWS, SHORT_FIRST_ROW
from domain.games.decs_building.view.material import print_material
from domain.kit.material import card_places
from domain.view import ALL_SEEING, FACE_DOWN, Cell, Outline, Seat, View, Viewer, Zone, outlines, player_name

_WIDTH, _HEIGHT = 1.15, 1.25


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table for one viewer: stacks, played piles and grids; own hand and deck; counts of the others'."""
    acting = to_act(state)
    facts = Facts(
        round=state.round,
        token=next(iter(clockwise(state, state.token)), state.token),
        final_round=state.final,
        last_round_next=state.latched and not state.final,
        extra_action=state.extra,
        to_place=state.placing,
        seats=tuple(_tell_seat(state, seat, sees(viewer, seat)) for seat in range(len(state.players))),
        outlines=_outline_places(state),
    )
    return View(_name_phase(state), () if acting is None else (acting,), False, tuple(_lay_out(state, viewer)), facts)


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without the cards that this viewer is not shown: decks and draws of other seats."""
    if isinstance(event, ev.Dealt):
        decks = enumerate(event.decks)
        return replace(event, decks=tuple(deck if sees(viewer, seat) else _backs(deck) for seat, deck in decks))
    if isinstance(event, ev.Drawn) and not sees(viewer, event.seat):
        return ev.Drawn(event.seat, _backs(event.cards))
    return event


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards of every hand and deck that this viewer does not see in another order.

    Respects what every seat owns; whoever has followed the played piles knows more.
    """
    players = []
    for seat, player in enumerate(state.players):
        if not sees(viewer, seat):
            cards, chance = chance.shuffle(sorted(player.hand + player.deck))
            held = len(player.hand)
            player = replace(player, hand=cards[:held], deck=cards[held:])
        players.append(player)
    return replace(state, players=tuple(players))


def sees(viewer: Viewer, seat: Seat) -> bool:
    """Whether the hand and the deck of this seat lie open for the viewer."""
    return viewer in (seat, ALL_SEEING)


def _backs(cards: Cards) -> Cards:
    return (FACE_DOWN,) * len(cards)


def _name_phase(state: State) -> str:
    if state.over is not None:
        return "finished"
    if state.round == 0:
        return "deal"
    if state.takers:
        return "start_card"
    return "placing" if state.placing is not None else "extra_action" if state.extra else "turns"


def _tell_seat(state: State, seat: Seat, seen: bool) -> SeatFacts:
    """All that is public of the seat, and its deck if that is seen."""
    player = state.players[seat]
    works = zip(player.features, find_powered(player.features), strict=True)
    return SeatFacts(
        grid=_draw_grid(player.features, state.options.short),
        features=tuple(DrawnFeature(one.feature, one.cells, work) for one, work in works),
        score=score(state, seat),
        empty_spaces=empty_spaces(state, seat),
        hand_size=hand_size(player.features),
        pawns=player.pawns,
        spare_pawns=spare_pawns(state, seat),
        passed=player.passed,
        out=player.out,
        deck=player.deck if seen else (),
    )


@lru_cache(maxsize=256)
def _draw_grid(features: tuple[Feature, ...], short: bool) -> tuple[str, ...]:
    """Cached: a grid changes once in several steps, and every viewer of every step is told it."""
    letters: dict[Cell, str] = dict.fromkeys(PRINTED_SOURCES, KINDS["power_source"].letter)
    for one in features:
        letters |= dict.fromkeys(one.cells, KINDS[one.feature].letter)
    rows = range(SHORT_FIRST_ROW if short else 1, ROWS + 1)
    return tuple("".join(letters.get((row, column), ".") for column in range(1, COLUMNS + 1)) for row in rows)


def _outline_places(state: State) -> tuple[Outline, ...]:
    if state.placing is None or state.turn is None:
        return ()
    places = free_places(state, state.turn, state.placing)
    return outlines(orientations(KINDS[state.placing]), ((place.turning, place.anchor) for place in places))


def _lay_out(state: State, viewer: Viewer) -> Iterator[Zone]:
    """The deck is its owner's to look at, next card on top; a hand of another seat is as many backs."""
    for place, (stack, cards) in enumerate(zip(STACKS, state.stacks, strict=True)):
        yield Zone(stack, stack.replace("_", " of ").capitalize(), "pile", place * _WIDTH, 0, cards=cards)
    yield Zone("removed", "Out of the game", "pile", len(STACKS) * _WIDTH, 0, cards=state.removed)
    for seat, player in enumerate(state.players):
        seen, y = sees(viewer, seat), (1 + seat) * _HEIGHT
        deck, hand = (player.deck[::-1], player.hand) if seen else ((), _backs(player.hand))
        yield Zone(
            f"deck_{seat}", f"Deck of {player_name(seat)}", "pile", 0, y, seat, len(player.deck) - len(deck), deck
        )
        yield Zone(f"hand_{seat}", f"Hand of {player_name(seat)}", "fan", _WIDTH, y, seat, 0, hand)
        yield Zone(
            f"played_{seat}", f"Played pile of {player_name(seat)}", "row", 5 * _WIDTH, y, seat, 0, player.played
        )


MATERIAL = print_material(card_places(look(initial(Options(), max(PAWNS)), None)))
