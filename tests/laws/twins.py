"""A game beside the game: the same history with other lots, compared as one viewer sees both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import msgspec
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import play
from domain.view import Viewer

from .broken import hold
from .guesses import Guesser
from .knobs import GUESSES
from .marks import CARD, Lots, Mark, exchanged, marking
from .refusals import answered
from .seeing import LAW, Sight, sight
from .walks import Walk, act, opened


@dataclass
class Telling:
    """A marked game as every viewer saw it: after each step what was sent and shown, and all that was shown so far."""

    path: Walk
    lots: Lots
    sights: list[dict[Viewer, Sight]]
    shown: list[dict[Viewer, set[Mark]]]
    known: list[dict[Viewer, set[Mark]]]
    present: list[set[Mark]]


class Twin:
    """The same game with other lots, played beside the first and compared with it as one viewer sees both."""

    def __init__(
        self,
        game_type: AnyGameType,
        story: Telling,
        viewer: Viewer,
        moment: int,
        other: Mapping[int, Mapping[int, int]],
    ) -> None:
        self.story, self.viewer, self.moment = story, viewer, moment
        self.lots = Lots(other)
        self.step = opened(marking(game_type, self.lots), story.path.plan)
        self.game_type = game_type
        self.moved = self.impossible = False

    def play(self, lots: Random) -> None:
        """To the end, or until a changed card is rightly shown, or a command of another seat cannot be given."""
        before: Game | None = None
        for number in range(len(self.story.path.steps)):
            if number and not self._says(number):
                return
            if not self._same(before, number):
                return
            self._at_the_moment(number, lots)
            before = self.step.game

    def _says(self, number: int) -> bool:
        """The next command, with the same physical cards; False where only another seat's cards forbid it."""
        seat, command = self.story.path.said[number - 1]
        try:
            self.step = play(self.step.game, self._command(number, seat, command), act(seat, number))
        except Illegal as refusal:
            hold(seat != self.viewer, LAW, f"step {number}: {self.viewer} is refused ({refusal.rule}) for unseen cards")
            self.impossible = number <= self.moment
            return False
        return True

    def _command(self, number: int, seat: int, command: Struct) -> Struct:
        """The command with the same physical cards as they are here."""
        view = self.story.sights[number - 1][seat].frame.view
        held = [card for zone in view.zones for card in zone.cards] if view is not None else []
        spoken: Struct = exchanged(command, lambda text: self._card(text, held))
        return spoken

    def _card(self, text: str, held: Sequence[str]) -> str:
        """Text that was not dealt but reads like a card stands for the one which that seat sees."""
        if CARD.fullmatch(text) is None:
            return text
        marks = map(self.story.lots.mark, [text, *(card for card in held if card == text)])
        return next((self.lots.cards[mark] for mark in marks if mark in self.lots.cards), text)

    def _same(self, before: Game | None, number: int) -> bool:
        """Whether the viewer is sent the same; where not, a changed card must have been rightly shown."""
        ours = self.story.sights[number][self.viewer]
        theirs = sight(before, self.step, self.viewer)
        if ours.sent == theirs.sent:
            return True
        cards = self.story.lots.cards
        changed = [mark for mark in self.story.shown[number][self.viewer] if self.lots.cards.get(mark) != cards[mark]]
        hold(number > self.moment and bool(changed), LAW, self._seen(number, ours, theirs))
        return False

    def _seen(self, number: int, ours: Sight, theirs: Sight) -> str:
        parts = [field for field in ours.frame.__struct_fields__ if _differs(ours.frame, theirs.frame, field)]
        listed = ["legal commands"] if ours.listed != theirs.listed else []
        where = f"viewer {self.viewer}, step {number} (cards exchanged as of step {self.moment})"
        return f"{where}: other {', '.join(parts + listed)} though only unseen cards differ; {self.story.path.plan}"

    def _at_the_moment(self, number: int, lots: Random) -> None:
        if number != self.moment:
            return
        ours = self.story.path.steps[number].game
        self.moved = msgspec.json.encode(ours.state) != msgspec.json.encode(self.step.game.state)
        if self.viewer is not None:
            self._refusals(ours, self.viewer, lots)

    def _refusals(self, ours: Game, seat: int, lots: Random) -> None:
        """Guesses of the viewer are answered alike: accepted, or refused with the same rule and sentence."""
        view, listed = self.game_type.look(ours.state, seat), self.story.sights[self.moment][seat].listed
        offered = [one for one in listed if not isinstance(one, ev.Undo | ev.Resign)]
        for guess in Guesser(self.game_type.commands, view, lots).guesses(offered, GUESSES):
            with self.story.lots.kept(), self.lots.kept():
                one, other = _answer(ours, seat, guess), _answer(self.step.game, seat, guess)
            hold(one == other, LAW, f"seat {seat}: the answer to {guess} depends on cards never shown: {one}, {other}")


def _differs(one: Struct, other: Struct, field: str) -> bool:
    return msgspec.json.encode(getattr(one, field)) != msgspec.json.encode(getattr(other, field))


def _answer(game: Game, seat: int, command: Struct) -> tuple[str, str]:
    answer = answered(game, seat, command)
    return (answer.rule, answer.message) if isinstance(answer, Illegal) else ("accepted", "")
