"""What is said in both worlds: a random game, followed card by card, and the same game with unseen cards exchanged."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import deal_seed
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.view import Viewer
from tests.laws.guesses import Guesser
from tests.laws.registry import registered
from tests.laws.secrecy import telling, twists
from tests.laws.twins import Telling, Twin
from tests.laws.walks import Plan

Twists = dict[str, dict[int, dict[int, int]]]
INTERVAL = 4
"""Steps between two at which everything is compared."""


@dataclass(frozen=True)
class Line:
    """One command of a seat as it is said in either world."""

    seat: int
    bodies: tuple[bytes, bytes]


@dataclass
class Script:
    """One game in two worlds, as `viewer` must not be able to tell them apart.

    `lines` are all said in both. A changed card is rightly shown by line `ends`, counting `delay` lines after which a
    spectator sees it; None: by none. `guesses`: by step what the viewer tries besides.
    """

    plan: Plan
    viewer: Viewer
    twists: Twists
    exchanged: int
    lines: list[Line] = field(default_factory=list)
    guesses: dict[int, list[bytes]] = field(default_factory=dict)
    delay: int = 0
    ends: int | None = None

    @property
    def shown(self) -> bool:
        """Whether the last line rightly shows a changed card."""
        return self.ends == len(self.lines)

    @property
    def alike(self) -> int:
        """The last step that the viewer sees, and sees alike in both worlds."""
        return len(self.lines) - (1 + self.delay) * self.shown


class Beside(Twin):
    """The other world, played in this process to find its commands."""

    def lines(self, script: Script) -> Iterator[Line]:
        """The commands of both worlds up to `script.ends`, or to one that cannot be given in the other world."""
        before: Game | None = None
        for number, step in enumerate(self.story.path.steps):
            if step.game.status != "playing" or (number and not self._says(number)):
                return
            if number:
                yield self._line(number)
            if script.ends is None and not self._alike(before, number):
                script.ends = number + script.delay
            if number == script.ends:
                return
            before = self.step.game

    def _line(self, number: int) -> Line:
        seat, command = self.story.path.said[number - 1]
        return Line(seat, (_json(command), _json(self.step.records[0].command)))

    def _alike(self, before: Game | None, number: int) -> bool:
        """Whether the viewer, and a spectator, are sent the same."""
        viewer, alike = self.viewer, True
        for self.viewer in (viewer, None):
            alike = self._same(before, number) and alike
        self.viewer = viewer
        return alike


def _json(command: Any) -> bytes:
    return msgspec.json.encode(command)


def scripted(
    game_type: AnyGameType, plan: Plan, viewer: Viewer, lots: Random, *, whole: bool, delay: int = 0
) -> Script | None:
    """This game in two worlds; None where another seat could not say its first command.

    The cards exchanged are those that neither the viewer nor a spectator has been shown at the last step of which
    there are some, or (not `whole`) at two thirds of the way there; the script ends when one of them is shown.
    """
    with registered(game_type):
        story = telling(game_type, plan)
        moment = _moment(story, viewer) if whole else _moment(story, viewer) * 2 // 3
        unseen = twists(story.present[moment], story.known[moment][viewer] | story.known[moment][None], lots)
        beside = Beside(game_type, story, viewer, moment, unseen)
        script = Script(plan, viewer, _by_seed(story, unseen), _moved(story, unseen), delay=delay)
        script.lines = list(beside.lines(script))
        script.guesses = dict(_guesses(game_type, story, viewer, len(script.lines), lots))
    return script if script.lines else None


def _moment(story: Telling, viewer: Viewer) -> int:
    """The last step at which two cards of one shuffle can change places; the last of all if there is none."""
    seen = [cards[viewer] | cards[None] for cards in story.known]
    numbers = [
        Counter(mark.number for mark in present - cards) for present, cards in zip(story.present, seen, strict=True)
    ]
    steps = [step for step, count in enumerate(numbers) if max(count.values(), default=0) > 1]
    return max(steps, default=len(story.path.steps) - 1)


def _by_seed(story: Telling, unseen: dict[int, dict[int, int]]) -> Twists:
    game = story.path.steps[0].game
    assert game.sealed is not None
    return {deal_seed(game.sealed.seed, game.seeds).hex(): unseen}


def _moved(story: Telling, unseen: dict[int, dict[int, int]]) -> int:
    """How many places hold another card."""
    cards = {(mark.number, mark.place): card for mark, card in story.lots.cards.items()}
    pairs = [(number, a, b) for number, twist in unseen.items() for a, b in twist.items()]
    return sum(cards[number, a] != cards[number, b] for number, a, b in pairs)


def _guesses(
    game_type: AnyGameType, story: Telling, viewer: Viewer, last: int, lots: Random
) -> Iterator[tuple[int, list[bytes]]]:
    for number in range(0, last + 1, INTERVAL) if viewer is not None else ():
        seen = story.sights[number][viewer]
        if seen.frame.view is None:
            continue
        listed = [command for command in seen.listed if not isinstance(command, ev.Undo | ev.Resign)]
        tried: list[Struct] = Guesser(game_type.commands, seen.frame.view, lots).guesses(listed, 5)
        yield number, [_json(guess) for guess in tried]
