"""One game being made for the corpus: it is opened, said and done to, and its records are kept."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.endings import abandon, move_due_at
from domain.play.table import Opening, give_seed, invite, join, leave, open_game, uninvite

START = 1_700_000_000_000_000
_SECOND = 1_000_000
_HOME = ("foundation", "play", "heap")
_SAID: dict[type, Callable[[Game, Any, Act], Step]] = {
    ev.Join: join, ev.Leave: leave, ev.Seed: give_seed, ev.Invite: invite, ev.Uninvite: uninvite, ev.Abandon: abandon,
}  # fmt: skip

Choice = tuple[int, Struct]


class Plan(NamedTuple):
    """What a game is made of: its name gives the id, the secrets and every lot; `options` are settled."""

    name: str
    game_type: AnyGameType
    options: Any
    seats: int

    @property
    def lots(self) -> Random:
        return Random(self.name)

    def bytes(self, what: str) -> bytes:
        """32 bytes of this game's own."""
        return sha256(f"{what} of {self.name}".encode()).digest()

    @property
    def id(self) -> UUID:
        return UUID(bytes=self.bytes("id")[:16], version=4)


def player(seat: int) -> UUID:
    return UUID(int=100 + seat)


class Play:
    """A game and its records so far; every step is a second after the one before.

    `reach` is how far down a list of what can be said its players look.
    """

    def __init__(self, plan: Plan, step: Step) -> None:
        self.records: list[AnyRecord] = []
        self.time = START
        self.plan, self.lots = plan, plan.lots
        self.reach = self.lots.choice((1, 2, 4, 1000, 1000, 1000))
        self.add(step)

    def add(self, step: Step) -> None:
        """One more step."""
        self.records += step.records
        self.game = step.game
        self.time += _SECOND

    def say(self, seat: int, command: Struct) -> None:
        """A player says something; raises Illegal."""
        where = None if isinstance(command, ev.Join | ev.Invite | ev.Uninvite) else seat
        actor = player(seat) if where is None else self.game.players[seat]
        self.add(_SAID.get(type(command), play)(self.game, command, Act(actor, where, self.time)))

    def service(self, does: Callable[..., Step], *more: Any) -> None:
        """The service does something of its own accord."""
        self.add(does(self.game, *more, Act(None, None, self.time)))

    def overdue(self) -> None:
        """Wait until the next move is due."""
        self.time = move_due_at(self.game) or self.time

    def walk(self, steps: int, wanted: Sequence[type] = ()) -> None:
        """At most so many listed commands; what is wanted is said wherever it can be, undo now and then."""
        for _ in range(steps):
            if not (choices := self.choices()):
                return
            self.say(*self._chosen(choices, wanted))

    def choices(self) -> list[Choice]:
        """What can be said now, but for resigning."""
        listed = [(seat, one) for seat in range(len(self.game.players)) for one in legal_commands(self.game, seat)]
        return [choice for choice in listed if not isinstance(choice[1], ev.Resign)]

    def _chosen(self, choices: Sequence[Choice], wanted: Sequence[type]) -> Choice:
        liked = [choice for choice in choices if isinstance(choice[1], tuple(wanted))]
        onward = [choice for choice in choices if not isinstance(choice[1], ev.Undo)]
        home = [choice for choice in onward if str(getattr(choice[1], "target", "")).startswith(_HOME)]
        if onward and self.lots.random() < 0.9:
            choices = home if home and self.lots.random() < 0.7 else onward
        choices = liked if liked and self.lots.random() < 0.5 else choices
        return self.lots.choice(choices[: self.reach])

    def resign(self) -> None:
        """Every seat resigns, in turn from one drawn by lot, until the game is over."""
        first, seats = self.lots.randrange(len(self.game.players)), len(self.game.players)
        for seat in [*range(first, seats), *range(first)]:
            if self.game.status == "playing" and seat not in self.game.out:
                self.say(seat, ev.Resign())


def opened(plan: Plan, given: tuple[str, ...] | None = None, **more: Any) -> Play:
    """A new game of this plan, with these cards in dealing order, or with whatever else an opening may say."""
    players = tuple(player(seat) for seat in range(plan.seats))
    opening = Opening(type=plan.game_type, options=plan.options, **{"players": players, **more})
    secret = ev.Sealed(plan.bytes("seed"), plan.bytes("key"), given)
    return Play(plan, open_game(plan.id, opening, secret, Act(player(0), None, START)))
