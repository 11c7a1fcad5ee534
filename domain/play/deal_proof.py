"""Which shuffles made a game's deal, so that anybody can make them again without knowing the game."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.chance import Chance, Shuffle
from domain.play.aggregate import Game
from domain.play.deciding import deal_chance
from domain.view import Card


class DealShuffle(NamedTuple):
    """One shuffle: its number, the cards as they lay before, and as they lay after."""

    number: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]


class _RecordingChance(Chance, frozen=True, omit_defaults=True):
    """A chance that notes every shuffle; the chance that remains adds to the same list."""

    notes: list[DealShuffle] = []

    def shuffled(self, cards: Sequence[Card]) -> Shuffle:
        made = Chance.shuffled(self, cards)
        self.notes.append(DealShuffle(self.number, tuple(cards), made.cards))
        return Shuffle(
            made.cards, _RecordingChance(made.chance.seed, made.chance.number, made.chance.given, self.notes)
        )


def deal_shuffles(game: Game) -> tuple[DealShuffle, ...]:
    """The shuffles of this game's deal, in order, made again from its seeds; raises ValueError without secrets."""
    if game.sealed is None:
        raise ValueError("a game without secrets")
    drawn, notes = deal_chance(game.sealed, game.seeds), list[DealShuffle]()
    watched = _RecordingChance(drawn.seed, drawn.number, drawn.given, notes)
    game.type.deal(game.options, watched, len(game.players))
    return tuple(notes)
