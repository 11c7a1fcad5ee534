"""A patience as a game type: what every game for one player does alike, in one constructor."""

import dataclasses
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, defstruct
from msgspec.structs import asdict, replace

from domain.capabilities import C, Capability, E, Layout, O, S, Score, Undoing
from domain.chance import Chance
from domain.game_type import GameType, Result, show_everything
from domain.kit.boards import Cards, Places, card_places, pack_cards
from domain.kit.cards import PACK, hide_all_but
from domain.kit.turns import not_the_player
from domain.view import ALL_SEEING, Card, Seat, V, View, Viewer, Zone


def read_rules(module: str) -> str:
    """The rules in prose of the game type in this file: the Markdown file beside the module or beside its folder."""
    path = Path(module)
    return (path.parent if path.stem == "__init__" else path).with_suffix(".md").read_text("utf-8")


def solo_game(
    *,
    key: str,
    name: str,
    rules: str,
    options: type[O],
    state: type[S],
    commands: tuple[type[C], ...],
    events: tuple[type[E], ...],
    facts: type[V],
    dealt: type[E],
    face_up_in_deal: Collection[int] | None,
    initial: Callable[[O, int], S],
    decide: Callable[[S, C], Sequence[E]],
    evolve: Callable[[S, E], S],
    legal_commands: Callable[[S], Sequence[C]],
    won: Callable[[S], bool] = lambda state: False,
    won_by: Callable[[S], str] = lambda state: "all_home",
    lost_by: Callable[[S], str] = lambda state: "no_moves",
    result: Callable[[S], Result | None] | None = None,
    stuck: Callable[[S], bool],
    zones: Callable[[S, bool], tuple[Zone, ...]],
    facts_of: Callable[[S], V],
    score: Callable[[S], int] | None = None,
    deal: Callable[[O, Chance, int], Sequence[E]] | None = None,
    phase_of: Callable[[S], str] = lambda state: "playing",
    tell: Callable[[S, E, Viewer], str],
    table: str,
    pack: Sequence[Card] | None = PACK,
    more_material: Sequence[tuple[str, Any, Any]] = (),
    layout: Callable[[O, int], Any] | None = None,
    undo: Callable[[O], bool] | None = lambda options: bool(getattr(options, "undo", False)),
    capabilities: tuple[Capability[O, S, C, E], ...] = (),
) -> GameType[O, S, C, E, V]:
    """The game type, revision 1. Seat 0 alone plays.

    Our ruling: where nothing is legal any more the game is lost, but with undo it stays open and counts as stuck. The
    result holds the score, whatever it counts.

    dealt             the event of the deal, whose `cards` are in dealing order
    face_up_in_deal   the places in that order whose cards lie face up; None: all
    deal              as in `GameType`; None: the pack is shuffled
    decide, legal_commands   as in `GameType`, for seat 0
    won               whether the game is won
    won_by, lost_by   the reason of the result
    result            as in `GameType`, where these three do not say it
    zones             state, whether face-down cards are shown -> the zones of the table
    phase_of          the phase until the game is over; in `deal` the player cannot act yet
    table             what the places and cards are, in a sentence
    pack              the cards; None: the material names them elsewhere
    more_material     name, type and value of what the material says between the places and the cards
    """

    def deal_pack(options: O, chance: Chance, seats: int) -> Sequence[E]:
        made: Any = dealt
        return (made(chance.shuffle(pack or ()).cards),)

    def decide_for(state: S, seat: Seat, command: C) -> Sequence[E]:
        if seat != 0:
            raise not_the_player(name)
        return decide(state, command)

    def end(state: S) -> Result | None:
        played: Any = state
        if won(state):
            return Result("won", won_by(state), (0,), (score(state) if score else 0,))
        if (undo and undo(played.options)) or legal_commands(state) or not stuck(state):
            return None
        return Result("lost", lost_by(state), (), (score(state) if score else 0,))

    result = result or end

    def look(state: S, viewer: Viewer) -> View[V]:
        phase = phase_of(state) if result(state) is None else "finished"
        to_act = () if phase in ("finished", "deal") else (0,)
        return View(phase, to_act, stuck(state), zones(state, viewer == ALL_SEEING), facts_of(state))

    def redact(state: S, event: E, viewer: Viewer) -> E:
        if not isinstance(event, dealt) or viewer == ALL_SEEING:
            return event
        hidden: Any = event
        return replace(event, cards=hide_all_but(hidden.cards, face_up_in_deal or ()))

    fields = [("places", Places, card_places(look(initial(options(), 1), None))), *more_material]
    if pack:
        fields.append(("cards", Cards, pack_cards(pack)))
    material: type[Struct] = defstruct(
        "Material", [(field, kind) for field, kind, _ in fields], frozen=True, tag=f"{key}/material",
        module=options.__module__, namespace={"__doc__": table},
    )  # fmt: skip
    usual = (
        *((Undoing(undo),) if undo else ()),
        *((Score(score),) if score else ()),
        *((Layout(layout),) if layout else ()),
    )
    return GameType(
        key=key, name=name, revision=1, seats=range(1, 2), rules=rules, options=options, state=state,
        commands=commands, events=events, facts=facts, deal=deal or deal_pack, initial=initial, decide=decide_for,
        evolve=evolve, legal_commands=lambda state, seat: legal_commands(state) if seat == 0 else (),
        look=look, redact=show_everything if face_up_in_deal is None else redact, tell=tell, result=result,
        material=material(*[value for _, _, value in fields]),
        capabilities=(*usual, *capabilities),
    )  # fmt: skip


def next_revision(game_type: GameType[Any, Any, C, E, V], options: type[O], state: type[S]) -> GameType[O, S, C, E, V]:
    """The same rules one revision later, with other options, and a state of the same fields that holds them."""

    def initial(options: O, seats: int) -> S:
        return state(**asdict(game_type.initial(options, seats)))

    before: Any = game_type
    return dataclasses.replace(before, revision=before.revision + 1, options=options, state=state, initial=initial)
