"""The toy's second revision, as somebody would write it who changes the rules of a game type that is being played.

Aces may be laid on anything, and are told (`toy/ace_laid`); whoever would rather not draw passes (`toy/pass`). An
option takes the first back. What is new is new classes: the options and the state of revision 1 keep their form.
"""

from collections.abc import Sequence
from dataclasses import replace as changed
from itertools import combinations
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.view import Viewer
from tests.laws.toy import TOY, picture, rules
from tests.laws.toy.values import Draw, Lay, Options, State


class Options2(Options, frozen=True, forbid_unknown_fields=True):
    free_aces: Annotated[bool, Meta(description="Aces are laid on any card.")] = True


class State2(State, frozen=True, omit_defaults=True):
    """`aces` counts those that were laid."""

    options: Options2
    aces: int = 0


class Pass(Struct, frozen=True, tag="toy/pass", forbid_unknown_fields=True):
    """Neither lay nor draw."""


class Passed(Struct, frozen=True, tag="toy/passed"):
    seat: int


class AceLaid(Struct, frozen=True, tag="toy/ace_laid"):
    seat: int


def initial(options: Options2, seats: int) -> State2:
    return State2(options, ((),) * seats)


def decide(state: State2, seat: int, command: Struct) -> Sequence[Any]:
    if isinstance(command, Pass):
        if rules.result(state) is not None or seat != state.turn:
            raise Illegal("turn", "It is the other seat's turn.")
        return [Passed(seat)]
    if not isinstance(command, Lay) or not (state.options.free_aces and any(card[0] == "A" for card in command.cards)):
        return rules.decide(state, seat, command)
    # Laid upon itself a card has the suit and the rank of the heap's top.
    told = rules.decide(replace(state, heap=(*state.heap, command.cards[0])), seat, command)
    return [*told, AceLaid(seat)]


def evolve(state: State2, event: Struct) -> State2:
    match event:
        case Passed():
            return replace(state, turn=(state.turn + 1) % len(state.hands))
        case AceLaid():
            return replace(state, aces=state.aces + 1)
    evolved: Any = rules.evolve(state, event)
    return evolved  # type: ignore[no-any-return]


def legal_commands(state: State2, seat: int) -> Sequence[Struct]:
    if seat != state.turn or rules.result(state) is not None:
        return ()
    hand = sorted(state.hands[seat])
    lays = [Lay(f"hand_{seat}", "heap", cards) for count in (1, 2) for cards in combinations(hand, count)]
    return (Draw(), *(lay for lay in lays if _accepted(state, seat, lay)), Pass())


def _accepted(state: State2, seat: int, lay: Lay) -> bool:
    try:
        return bool(decide(state, seat, lay))
    except Illegal:
        return False


def tell(state: State2, event: Struct, viewer: Viewer) -> str:
    who = "The player" if len(state.hands) == 1 else f"Seat {getattr(event, 'seat', 0)}"
    match event:
        case Passed():
            return f"{who} passes."
        case AceLaid():
            return f"{who} has laid an ace."
    return picture.tell(state, event, viewer)


_TOY_1: AnyGameType = TOY

TOY_2: AnyGameType = changed(
    _TOY_1, revision=2, options=Options2, state=State2, commands=(*TOY.commands, Pass),
    events=(*TOY.events, Passed, AceLaid), initial=initial, decide=decide, evolve=evolve,
    legal_commands=legal_commands, tell=tell,
)  # fmt: skip
