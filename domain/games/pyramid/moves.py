"""Judging a command: what happens, or the rule that it breaks."""

from collections.abc import Callable
from typing import Any

from domain.game_type import Illegal
from domain.games.pyramid.available import covered_by, covered_by_partner, pyramid_removals, waste_pair_open
from domain.games.pyramid.events import Command, Draw, Drawn, Event, Recycle, Recycled, Remove, Removed, Turned
from domain.games.pyramid.legal import canonical
from domain.games.pyramid.passes import recycles_left, won
from domain.games.pyramid.state import DISCARD, PARTNERS, PLACE, STOCK, WASTE, Source, State
from domain.kit.cards import name
from domain.kit.patience import KINGS
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "Pyramid is played by the one player at seat 0.")
    if won(state):
        raise Illegal("game_over", "The game is won.")
    return _DECIDERS[type(command)](state, canonical(state, seat, command))


def _draw(state: State, command: Draw) -> tuple[Event, ...]:
    if not state.stock:
        raise Illegal("stock_empty", "The stock is empty.")
    _check_waiting(state)
    count = state.options.draw
    return (Drawn(state.stock[: -count - 1 : -1]), *_turned(state, state.stock[:-count]))


def _recycle(state: State, command: Recycle) -> tuple[Event, ...]:
    if state.stock:
        raise Illegal("stock_not_empty", "The waste is turned over only when the stock is empty.")
    if not state.waste:
        raise Illegal("waste_empty", "There is no waste to turn over.")
    if recycles_left(state) == 0:
        raise Illegal("passes_used_up", "This was the last pass through the stock.")
    _check_waiting(state)
    return (Recycled(), *_turned(state, state.waste[::-1]))


def _check_waiting(state: State) -> None:
    """Our ruling: drawing is free at any time, for the source says when one draws, not that one must not before."""
    if state.options.draw_only_when_stuck and pyramid_removals(state):
        raise Illegal("draw_only_when_stuck", "The pyramid alone still offers a pair or a king.")


def _turned(state: State, stock: tuple[Card, ...]) -> tuple[Turned, ...]:
    """The new top card of the stock, where that lies face up."""
    return (Turned(stock[-1]),) if state.options.stock_top and stock else ()


def _remove(state: State, command: Remove) -> tuple[Event, ...]:
    source, target = command.source, command.target
    removed = _king(state, source) if target == DISCARD else _pair(state, source, target)
    uncovered = _turned(state, state.stock[:-1]) if STOCK in removed.sources else ()
    return (removed, *uncovered)


def _king(state: State, source: Source) -> Removed:
    card = _lying(state, source)
    _check_free(state, source)
    if card not in KINGS:
        raise Illegal("kings_alone", f"Only a king goes alone, not the {name(card)}.")
    return Removed((card,), (source,))


def _pair(state: State, source: Source, target: Source) -> Removed:
    if source == target:
        _check_waste_pair(state, source)
        pair = (state.waste[-2], state.waste[-1])
    else:
        pair = (_lying(state, source), _lying(state, target))
        _check_both_free(state, source, target)
    if pair[1] not in PARTNERS[pair[0]]:
        raise Illegal("thirteen", f"The {name(pair[0])} and the {name(pair[1])} do not make thirteen.")
    return Removed(pair, (source, target))


def _check_waste_pair(state: State, source: Source) -> None:
    if source != WASTE:
        raise Illegal("two_cards", "A pair is two cards.")
    if not waste_pair_open(state):
        raise Illegal("waste_pairs", "The upper cards of the waste pair only where that is agreed, right after a draw.")


def _lying(state: State, source: Source) -> Card:
    """The card of a place, or the top card of a pile; raises Illegal if there is none, or none face up."""
    if source == STOCK and not state.stock_up and state.stock:
        raise Illegal("stock_face_down", "The stock lies face down.")
    pile = {STOCK: state.stock[-1:], WASTE: state.waste[-1:]}.get(source) or _in_pyramid(state, source)
    if not pile:
        raise Illegal("source_empty", "No card lies there.")
    return pile[0]


def _in_pyramid(state: State, source: Source) -> tuple[Card, ...]:
    return (state.pyramid[PLACE[source]],) if source in PLACE and state.pyramid[PLACE[source]] else ()


def _check_both_free(state: State, source: Source, target: Source) -> None:
    """Neither card may be covered; with `tuts_tomb_pairing` the upper one may be, by its partner alone."""
    if not _tomb_pair(state, source, target):
        _check_free(state, source)
        _check_free(state, target)


def _tomb_pair(state: State, source: Source, target: Source) -> bool:
    if not state.options.tuts_tomb_pairing or source not in PLACE or target not in PLACE:
        return False
    return covered_by_partner(state.pyramid, PLACE[source], PLACE[target])


def _check_free(state: State, source: Source) -> None:
    if source in PLACE and covered_by(state.pyramid, PLACE[source]):
        raise Illegal("covered", f"Something lies on the {name(state.pyramid[PLACE[source]])}.")


_DECIDERS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {Draw: _draw, Recycle: _recycle, Remove: _remove}
