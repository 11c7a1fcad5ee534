"""Planted leaks: each gives a game type one way to tell a card that its viewer cannot see."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace as changed
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.kit.cards import is_red, name
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer


class Told(Struct, frozen=True, tag="leak/told"):
    """Facts with a card that nobody should know."""

    facts: Any
    card: Card | None


def hidden(game_type: AnyGameType, state: Any, viewer: Viewer) -> Card | None:
    """The first card that lies face down for this viewer."""
    for known, seen in zip(game_type.look(state, ALL_SEEING).zones, game_type.look(state, viewer).zones, strict=True):
        if seen.face_down:
            return known.cards[0]
        if FACE_DOWN in seen.cards:
            return known.cards[seen.cards.index(FACE_DOWN)]
    return None


def _red(game_type: AnyGameType, state: Any, viewer: Viewer) -> bool:
    card = hidden(game_type, state, viewer)
    return card is not None and is_red(card)


def in_the_facts(game_type: AnyGameType) -> AnyGameType:
    def look(state: Any, viewer: Viewer) -> View[Any]:
        view = game_type.look(state, viewer)
        return replace(view, facts=Told(view.facts, hidden(game_type, state, viewer)))

    return changed(game_type, look=look)


def in_stuck(game_type: AnyGameType) -> AnyGameType:
    def look(state: Any, viewer: Viewer) -> View[Any]:
        return replace(game_type.look(state, viewer), stuck=_red(game_type, state, viewer))

    return changed(game_type, look=look)


def in_the_zones(game_type: AnyGameType) -> AnyGameType:
    """The zones of every seat are shown as the owner sees them."""

    def look(state: Any, viewer: Viewer) -> View[Any]:
        views = {zone.id: zone for seat in (0, 1) for zone in game_type.look(state, seat).zones if zone.owner == seat}
        view = game_type.look(state, viewer)
        return replace(view, zones=tuple(views.get(zone.id, zone) for zone in view.zones))

    return changed(game_type, look=look)


def in_the_legal_commands(game_type: AnyGameType) -> AnyGameType:
    def legal_commands(state: Any, seat: int) -> Sequence[Any]:
        listed = tuple(game_type.legal_commands(state, seat))
        return listed[::-1] if _red(game_type, state, seat) else listed

    return changed(game_type, legal_commands=legal_commands)


def in_the_events(game_type: AnyGameType) -> AnyGameType:
    return changed(game_type, redact=lambda state, event, viewer: event)


def in_the_sentences(game_type: AnyGameType) -> AnyGameType:
    def tell(state: Any, event: Any, viewer: Viewer) -> str:
        card = _between(game_type, game_type.evolve(state, event), viewer)
        return game_type.tell(state, event, viewer) + (f" Not to mention the {name(card)}." if card else "")

    return changed(game_type, tell=tell)


def _between(game_type: AnyGameType, state: Any, viewer: Viewer) -> Card | None:
    """As `hidden`, or None: between two events of one step there need not be a table that can be looked at."""
    with suppress(LookupError):
        return hidden(game_type, state, viewer)
    return None


def in_the_refusals(game_type: AnyGameType) -> AnyGameType:
    def decide(state: Any, seat: int, command: Any) -> Sequence[Any]:
        try:
            return game_type.decide(state, seat, command)
        except Illegal as refusal:
            raise Illegal(refusal.rule, f"{refusal.message} It is {_red(game_type, state, seat)}.") from None

    return changed(game_type, decide=decide)


LEAKS: dict[str, Callable[[AnyGameType], AnyGameType]] = {
    "facts": in_the_facts, "stuck": in_stuck, "legal_commands": in_the_legal_commands, "events": in_the_events,
    "sentences": in_the_sentences, "refusals": in_the_refusals,
}  # fmt: skip
"""By the channel that tells."""

SEATED_LEAKS: dict[str, Callable[[AnyGameType], AnyGameType]] = {"zones": in_the_zones}
"""Leaks that need an opponent."""
