"""Random games of any game type through the aggregate: what the laws are checked on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any, Literal, NamedTuple, get_args
from uuid import UUID

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.frames import Frame, frames
from domain.play.table import Opening, open_game
from domain.view import ALL_SEEING, View, Viewer

from .broken import LawBroken
from .knobs import LENGTHS
from .options import options_of
from .registry import registered

GAME_ID = UUID(int=0x15EED)
START = 1_700_000_000_000_000
HOME = ("foundation", "play", "heap")

Style = Literal["any", "forward", "eager"]
"""How choices are made: any; cards go home; and all that can move moves, before anything is drawn."""

Choice = tuple[int, Struct]


class Plan(NamedTuple):
    """All that a random game depends on: the deal, the choices (`lots`), the length, and the style."""

    options: Any
    seats: int
    deal: int
    lots: int
    steps: int
    style: Style
    resigns: bool


@dataclass
class Walk:
    """A game that was played: the steps (records and the game after them), who spoke and what they said.

    `images` are the states as they were encoded at the time, so that one which changes afterwards is noticed. Views,
    frames and listings are made once for all laws; that they come out the same again is a law of its own.
    """

    plan: Plan
    steps: list[Step] = field(default_factory=list)
    said: list[tuple[int, Struct]] = field(default_factory=list)
    images: list[bytes] = field(default_factory=list)
    _made: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        """One more step."""
        self._made.clear()
        self.steps.append(step)
        self.images.append(msgspec.json.encode(step.game.state))

    def again(self) -> "Walk":
        """The same game, to be played on."""
        return Walk(self.plan, [*self.steps], [*self.said], [*self.images])

    @property
    def game(self) -> Game:
        return self.steps[-1].game

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        return tuple(record for step in self.steps for record in step.records)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Every seat, a spectator, and who sees all."""
        return (*range(self.plan.seats), None, ALL_SEEING)

    def view(self, game_type: AnyGameType, number: int, viewer: Viewer) -> View[Any]:
        """What this viewer sees after step `number`."""
        made: View[Any] = self._once(
            ("view", number, viewer), lambda: game_type.look(self.steps[number].game.state, viewer)
        )
        return made

    def frames(self, viewer: Viewer) -> list[Frame]:
        """The frames of the whole game for this viewer."""
        made: list[Frame] = self._once(("frames", viewer), lambda: list(frames(self.records, viewer)))
        return made

    def listed(self, number: int, seat: int) -> Sequence[Struct]:
        """What the seat may say after step `number`."""
        made: Sequence[Struct] = self._once(
            ("listed", number, seat), lambda: legal_commands(self.steps[number].game, seat)
        )
        return made

    def _once(self, name: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]


def plans(game_type: AnyGameType) -> SearchStrategy[Plan]:
    """Plans for this game type, with every seat count and option."""
    return st.sampled_from(game_type.seats).flatmap(lambda seats: _plans(game_type, seats))


def _plans(game_type: AnyGameType, seats: int) -> SearchStrategy[Plan]:
    number = st.integers(0, 2**31)
    steps, style = st.sampled_from(LENGTHS), st.sampled_from(get_args(Style))
    return st.builds(Plan, options_of(game_type, seats), st.just(seats), number, number, steps, style, st.booleans())


def players(seats: int) -> tuple[UUID, ...]:
    return tuple(UUID(int=100 + seat) for seat in range(seats))


def act(seat: int | None, time: int) -> Act:
    """A seat's player doing something, `time` steps after the start."""
    return Act(None if seat is None else UUID(int=100 + seat), seat, START + time * 1_000_000)


def opened(game_type: AnyGameType, plan: Plan) -> Step:
    """The game of this plan, opened and dealt."""
    secret = ev.Sealed(sha256(b"deal %d" % plan.deal).digest(), sha256(b"key %d" % plan.deal).digest())
    opening = Opening(type=game_type, options=plan.options, players=players(plan.seats))
    with registered(game_type):
        return open_game(GAME_ID, opening, secret, act(None, 0))


def walk(game_type: AnyGameType, plan: Plan) -> Walk:
    """One random game: at most `steps` listed commands, then a resignation if the plan says so."""
    path, lots = Walk(plan), Random(plan.lots)
    path.add(opened(game_type, plan))
    for _ in range(plan.steps):
        if not (choices := _choices(path.game)):
            break
        say(path, *_onward(path, choices, lots))
    if plan.resigns and path.game.status == "playing":
        say(path, lots.randrange(plan.seats), ev.Resign())
    return path


def say(path: Walk, seat: int, command: Struct) -> None:
    """One more listed command, played; raises LawBroken where it is refused."""
    try:
        path.add(play(path.game, command, act(seat, len(path.steps))))
    except Illegal as refusal:
        raise LawBroken("refusals", f"{command} is listed and refused: {refusal.rule}: {refusal.message}") from refusal
    path.said.append((seat, command))


def _choices(game: Game) -> list[Choice]:
    listed = [(seat, command) for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    return [(seat, command) for seat, command in listed if not isinstance(command, ev.Resign)]


def _onward(path: Walk, choices: Sequence[Choice], lots: Random) -> Choice:
    """A choice; a player who does not resign thinks again, up to three times, where it would end the game badly."""
    chosen = _chosen(path, choices, lots)
    for _ in range(3):
        if path.plan.resigns or not _ends_badly(path, chosen):
            break
        chosen = _chosen(path, choices, lots)
    return chosen


def _ends_badly(path: Walk, choice: Choice) -> bool:
    after = _after(path, choice)
    return after is not None and after.result is not None and after.result.ending != "won"


def _after(path: Walk, choice: Choice) -> Game | None:
    """The game after this choice; None where a listed command is refused, which `say` will notice."""
    try:
        return play(path.game, choice[1], act(choice[0], len(path.steps))).game
    except Illegal:
        return None


def _chosen(path: Walk, choices: Sequence[Choice], lots: Random) -> Choice:
    """Any choice, in the plan's style; undo is taken now and then."""
    onward = [choice for choice in choices if not isinstance(choice[1], ev.Undo)]
    if not onward or (len(onward) < len(choices) and lots.random() < 0.15):
        return lots.choice(choices)
    liked = _liked(path, onward, lots) if path.plan.style != "any" and lots.random() < 0.9 else []
    return lots.choice(liked or onward)


def _liked(path: Walk, choices: Sequence[Choice], lots: Random) -> Sequence[Choice]:
    """Cards going home; for the eager else any card that moves to a table not seen before."""
    home = [choice for choice in choices if str(getattr(choice[1], "target", "")).startswith(HOME)]
    if home or path.plan.style == "forward":
        return home
    moves = [choice for choice in choices if getattr(choice[1], "target", None) is not None]
    return [choice for choice in lots.sample(moves, min(8, len(moves))) if _new(path, choice)] or [
        choice for choice in choices if choice not in moves
    ]


def _new(path: Walk, choice: Choice) -> bool:
    after = _after(path, choice)
    return after is not None and msgspec.json.encode(after.state) not in path.images
