"""Law: cards are neither lost nor doubled, and every view is a table that one page can draw."""

import re
from collections import Counter
from itertools import combinations
from typing import Any

from msgspec import Struct

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.frames import Frame
from domain.view import ALL_SEEING, FACE_DOWN, View

from .broken import LawBroken, hold
from .walks import Walk

CARDS, TABLE = "cards", "tables"
SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
CARD = re.compile(r"[A2-9TJQK][SHDC]|\*[1-4]")


def cards(game_type: AnyGameType, path: Walk) -> None:
    """The same cards lie on the table in every state; every viewer counts as many as there are."""
    dealt = faces(path.view(game_type, 0, ALL_SEEING))
    hold(bool(dealt), CARDS, "the all-seeing view shows no cards")
    for number in range(len(path.steps)):
        seen = faces(path.view(game_type, number, ALL_SEEING))
        if seen != dealt:
            raise LawBroken(CARDS, f"after step {number}: lost {dealt - seen}, gained {seen - dealt}")
        for viewer in (*range(path.plan.seats), None):
            view = path.view(game_type, number, viewer)
            hold(counted(view) == seen.total(), CARDS, f"after step {number} viewer {viewer} counts {counted(view)}")


def faces(view: View[Any]) -> Counter[str]:
    """The cards of an all-seeing view; raises LawBroken if one is face down."""
    hidden = [zone.id for zone in view.zones if zone.face_down or FACE_DOWN in zone.cards]
    hold(not hidden, CARDS, f"the all-seeing view leaves cards face down in {hidden}")
    return Counter(card for zone in view.zones for card in zone.cards)


def counted(view: View[Any]) -> int:
    """How many cards lie in a view, seen or not."""
    return sum(len(zone.cards) + zone.face_down for zone in view.zones)


def tables(game_type: AnyGameType, path: Walk) -> None:
    """Zones, seats to act, sources and targets, sentences, facts."""
    zones = _places(path.view(game_type, 0, None))
    ids = [zone for zone, _, _ in zones]
    hold(len(set(ids)) == len(ids), TABLE, f"zone ids are not unique: {ids}")
    hold(all(map(SLUG.fullmatch, ids)), TABLE, f"zone ids are not snake_case: {ids}")
    close = [one for (one, x, y), (_, other, low) in combinations(zones, 2) if max(abs(x - other), abs(y - low)) < 1]
    hold(not close, TABLE, f"a zone lies on another one: {close[:1]}")
    for number in range(len(path.steps)):
        for viewer in path.viewers:
            view = path.view(game_type, number, viewer)
            if (places := _places(view)) != zones:
                raise LawBroken(TABLE, f"other zones for {viewer}: {places}, not {zones}")
            _drawable(game_type, view, path.plan.seats)
        _named_zones(game_type, path, number, set(ids))
    for viewer in path.viewers:
        _sentences(path.frames(viewer))


def _places(view: View[Any]) -> list[tuple[str, float, float]]:
    return [(zone.id, zone.x, zone.y) for zone in view.zones]


def _drawable(game_type: AnyGameType, view: View[Any], seats: int) -> None:
    hold(SLUG.fullmatch(view.phase) is not None, TABLE, f"phase {view.phase!r} is not snake_case")
    hold(all(seat in range(seats) for seat in view.to_act), TABLE, f"no such seat to act: {view.to_act}")
    hold(isinstance(view.facts, game_type.facts), TABLE, f"facts are {type(view.facts).__name__}")
    for zone in view.zones:
        whole = all(card == FACE_DOWN or CARD.fullmatch(card) for card in zone.cards)
        hold(whole, TABLE, f"{zone.id} holds what is no card")
        hold(zone.face_down >= 0 and bool(zone.label), TABLE, f"{zone.id}: label or count")
        hold(zone.owner is None or zone.owner in range(seats), TABLE, f"{zone.id}: no such owner")


def _named_zones(game_type: AnyGameType, path: Walk, number: int, zones: set[str]) -> None:
    """What is listed names zones of the view, and only a seat that is to act has anything listed."""
    for seat in range(path.plan.seats):
        listed = [one for one in path.listed(number, seat) if not isinstance(one, ev.Undo | ev.Resign)]
        acting = path.view(game_type, number, seat).to_act
        hold(not listed or seat in acting, TABLE, f"seat {seat} has commands and is not to act: {acting}")
        for command in listed:
            _places_named(command, zones)


def _places_named(command: Struct, zones: set[str]) -> None:
    for field in ("source", "target"):
        place = getattr(command, field, None)
        hold(place is None or place in zones, TABLE, f"{command}: {field} is no zone of the view")


def _sentences(seen: list[Frame]) -> None:
    for frame in seen:
        for sentence in frame.sentences:
            whole = (
                sentence[:1].isalnum()
                and not sentence[:1].islower()
                and sentence.endswith(".")
                and FACE_DOWN not in sentence
            )
            hold(whole, TABLE, f"no sentence: {sentence!r}")
