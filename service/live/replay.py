"""A replay: frames of any range of steps, from the records and the folded game at every 32nd step."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import Frame, frame_after, holds_deal
from domain.view import Viewer

_STRIDE = 32


class Replay:
    """One game's steps, and the game before every 32nd of them. `dealt`: the step of the deal, or 0."""

    def __init__(self) -> None:
        self.steps: list[tuple[AnyRecord, ...]] = []
        self._before: list[Game | None] = [None]
        self.dealt = 0
        self._waits = True

    @property
    def version(self) -> int:
        return self.steps[-1][-1].version if self.steps else 0

    @property
    def digest(self) -> bytes:
        """The digest of the last record."""
        return self.steps[-1][-1].digest if self.steps else b""

    def extend(self, records: Iterable[AnyRecord]) -> None:
        """Add these records, which are whole steps."""
        for _, step in groupby(records, key=lambda record: record.step):
            self.add(tuple(step))

    def add(self, step: tuple[AnyRecord, ...]) -> None:
        """Add this step."""
        self.steps.append(step)
        self._note_deal()
        if len(self.steps) % _STRIDE == 0:
            self._before.append(self.after(len(self.steps) - 1))

    def _note_deal(self) -> None:
        if self._waits and holds_deal(self.steps[-1]):
            self._waits, self.dealt = False, len(self.steps) - 1

    def after(self, number: int) -> Game:
        """The game after this step."""
        since = number // _STRIDE * _STRIDE
        steps = self.steps[since : number + 1]
        return fold((record for step in steps for record in step), self._before[since // _STRIDE])

    def frames(self, first: int, last: int, viewer: Viewer) -> Iterator[Frame]:
        """The frames of steps `first` to `last`, both included, as this viewer saw them."""
        last = min(last, len(self.steps) - 1)
        if first > last:
            return
        mark = first // _STRIDE
        game = self._before[mark]
        for number in range(mark * _STRIDE, first):
            game = fold(self.steps[number], game)
        for number in range(first, last + 1):
            frame, game = frame_after(game, self.steps[number], viewer)
            yield frame
