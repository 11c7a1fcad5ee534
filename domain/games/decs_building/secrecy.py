"""Decs Building: events as a viewer may have them, and the states that look the same to a viewer."""

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.decs_building import events as ev
from domain.games.decs_building.state import Cards, State
from domain.view import ALL_SEEING, FACE_DOWN, Seat, Viewer


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without the cards that this viewer is not shown: decks and draws of other seats."""
    if isinstance(event, ev.Dealt):
        decks = enumerate(event.decks)
        return replace(event, decks=tuple(deck if sees(viewer, seat) else _backs(deck) for seat, deck in decks))
    if isinstance(event, ev.Drawn) and not sees(viewer, event.seat):
        return ev.Drawn(event.seat, _backs(event.cards))
    return event


def sees(viewer: Viewer, seat: Seat) -> bool:
    """Whether the hand and the deck of this seat lie open for the viewer."""
    return viewer in (seat, ALL_SEEING)


def _backs(cards: Cards) -> Cards:
    return (FACE_DOWN,) * len(cards)


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards of every hand and deck that this viewer does not see in another order.

    Respects what every seat owns; whoever has followed the played piles knows more.
    """
    players = []
    for seat, player in enumerate(state.players):
        if not sees(viewer, seat):
            cards, chance = chance.shuffled(player.hand + player.deck)
            held = len(player.hand)
            player = replace(player, hand=cards[:held], deck=cards[held:])
        players.append(player)
    return replace(state, players=tuple(players))
