"""Planted faults: each breaks the toy game type in one way that one law must notice."""

from collections.abc import Callable, Sequence
from dataclasses import replace as changed
from itertools import count
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Resample, Spelling
from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.view import ALL_SEEING, View, Viewer

from .toy import TOY
from .toy.values import Dealt, Draw, Drew, Laid, Lay, State

_TURNS = count()


class Loud(State, frozen=True, omit_defaults=True):
    """A state that shows its cards in its repr."""

    def __repr__(self) -> str:
        return f"Loud({self.stock})"


class Noted(State, frozen=True, omit_defaults=True):
    """A state with a note that is changed in place."""

    notes: list[int] = []


def _evolving(change: Callable[[State, Struct, Any], Any]) -> AnyGameType:
    return changed(TOY, evolve=lambda state, event: change(state, event, TOY.evolve(state, event)))


def _looking(change: Callable[[State, Viewer, View[Any]], View[Any]]) -> AnyGameType:
    return changed(TOY, look=lambda state, viewer: change(state, viewer, TOY.look(state, viewer)))


def _listing(change: Callable[[State, int, Sequence[Struct]], Sequence[Struct]]) -> AnyGameType:
    return changed(TOY, legal_commands=lambda state, seat: change(state, seat, TOY.legal_commands(state, seat)))


def _refusing(refusal: Callable[[Illegal], Exception]) -> AnyGameType:
    def decide(state: State, seat: int, command: Struct) -> Sequence[Struct]:
        try:
            return TOY.decide(state, seat, command)
        except Illegal as illegal:
            raise refusal(illegal) from None

    return changed(TOY, decide=decide)


def _noted(state: State, event: Struct, after: Noted) -> Noted:
    after.notes.append(after.draws)
    return after


def _counted(state: State, viewer: Viewer, view: View[Any]) -> View[Any]:
    stock = view.zones[0]
    fewer = replace(stock, face_down=max(0, stock.face_down - 1))
    return view if viewer == ALL_SEEING else replace(view, zones=(fewer, *view.zones[1:]))


def _sleeved() -> AnyGameType:
    """Cards are laid from a sleeve."""

    def decide(state: State, seat: int, command: Struct) -> Sequence[Struct]:
        held = replace(command, source=f"hand_{seat}") if isinstance(command, Lay) else command
        return TOY.decide(state, seat, held)

    listing = _listing(
        lambda state, seat, listed: [replace(one, source="sleeve") if isinstance(one, Lay) else one for one in listed]
    )
    return changed(listing, decide=decide)


def _deaf(state: State, seat: int, command: Struct) -> Sequence[Struct]:
    return [Drew(seat, state.heap[-1])] if TOY.result(state) is not None else TOY.decide(state, seat, command)


def _with_the_seed(state: State, event: Struct, viewer: Viewer) -> Struct:
    shown = TOY.redact(state, event, viewer)
    return replace(shown, chance=event.chance) if isinstance(event, Dealt) else shown


FAULTS: dict[str, tuple[str, Callable[[], AnyGameType]]] = {
    "evolve counts how often it is called": (
        "folding", lambda: _evolving(lambda state, event, after: replace(after, draws=next(_TURNS))),
    ),
    "evolve changes a state in place": (
        "folding", lambda: changed(
            _evolving(_noted), state=Noted, initial=lambda options, seats: Noted(options, ((),) * seats, notes=[]),
        ),
    ),
    "look answers differently each time": (
        "twice_the_same", lambda: _looking(lambda state, viewer, view: replace(view, phase=f"p{next(_TURNS)}")),
    ),
    "a state holds a list": (
        "wire", lambda: _evolving(lambda state, event, after: replace(after, hands=list(after.hands))),
    ),
    "a listed command is refused": (
        "refusals", lambda: _listing(
            lambda state, seat, listed: [*listed, Lay(f"hand_{seat}", "heap", ("KD",))] if listed else listed
        ),
    ),
    "an accepted command is not listed": (
        "refusals", lambda: _listing(lambda state, seat, listed: [one for one in listed if not isinstance(one, Draw)]),
    ),
    "a command is listed twice": ("refusals", lambda: _listing(lambda state, seat, listed: [*listed, *listed])),
    "a spelling is not brought to the listed one": ("refusals", lambda: TOY.with_capabilities(Spelling())),
    "a refusal is a KeyError": ("refusals", lambda: _refusing(lambda illegal: KeyError(illegal.rule))),
    "a rule is no slug": ("refusals", lambda: _refusing(lambda illegal: Illegal("Not So", illegal.message))),
    "a refusal is no sentence": ("refusals", lambda: _refusing(lambda illegal: Illegal(illegal.rule, "no"))),
    "a result is followed by commands": (
        "finished", lambda: _listing(lambda state, seat, listed: [Draw()] if TOY.result(state) else listed),
    ),
    "a result is followed by events": ("finished", lambda: changed(TOY, decide=_deaf)),
    "a reason is no slug": (
        "finished",
        lambda: changed(TOY, result=lambda state: (won := TOY.result(state)) and replace(won, reason="No Cards")),
    ),
    "a card is lost": (
        "cards", lambda: _evolving(
            lambda state, event, after: replace(after, stock=after.stock[1:]) if isinstance(event, Laid) else after
        ),
    ),
    "a card is doubled": (
        "cards", lambda: _evolving(
            lambda state, event, after: (
                replace(after, heap=(*after.heap, event.card)) if isinstance(event, Drew) else after
            )
        ),
    ),
    "a viewer counts fewer cards": ("cards", lambda: _looking(_counted)),
    "the all-seeing view hides cards": (
        "cards",
        lambda: changed(TOY, look=lambda state, viewer: TOY.look(state, None if viewer == ALL_SEEING else viewer)),
    ),
    "zones change their order": (
        "tables", lambda: _looking(
            lambda state, viewer, view: replace(view, zones=view.zones[::-1]) if state.draws else view
        ),
    ),
    "two zones lie on one another": (
        "tables", lambda: _looking(lambda state, viewer, view: replace(
            view, zones=tuple(replace(zone, x=0.9 * n, y=0.9 * n) for n, zone in enumerate(view.zones))
        )),
    ),
    "a seat has commands and is not to act": (
        "tables", lambda: _looking(lambda state, viewer, view: replace(view, to_act=())),
    ),
    "a command names no zone": ("tables", _sleeved),
    "a sentence shows a face-down card": (
        "tables", lambda: changed(TOY, tell=lambda state, event, viewer: "Somebody draws #."),
    ),
    "a sentence has no full stop": ("tables", lambda: changed(TOY, tell=lambda state, event, viewer: "Cards")),
    "a zone is called otherwise than in the material": (
        "material", lambda: _looking(lambda state, viewer, view: replace(
            view, zones=(replace(view.zones[0], label="Well"), *view.zones[1:])
        )),
    ),
    "a command names what no material has": ("material", _sleeved),
    "a card lies on the table that no material has": (
        "material",
        lambda: changed(TOY, material=replace(TOY.material, pack=TOY.material.pack[1:])),  # type: ignore[attr-defined]
    ),
    "a state shows its cards in its repr": (
        "reprs", lambda: changed(TOY, state=Loud, initial=lambda options, seats: Loud(options, ((),) * seats)),
    ),
    "hidden cards are made anew": (
        "secrecy", lambda: _evolving(
            lambda state, event, after: replace(after, stock=tuple("".join(list(card)) for card in after.stock))
        ),
    ),
    "the seed is sent with the deal": ("secrecy", lambda: changed(TOY, redact=_with_the_seed)),
    "a resample changes what is seen": (
        "resampled", lambda: TOY.with_capabilities(Resample(
            lambda state, viewer, chance: replace(state, heap=state.heap[::-1], stock=state.stock[::-1])
        )),
    ),
}  # fmt: skip
"""By what is wrong: the law that must notice, and the toy with the fault."""
