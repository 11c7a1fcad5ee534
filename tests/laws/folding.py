"""Law: folding the records again gives the same game, in one go or in two, and the same chain of digests."""

import msgspec

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, digest, evolve, fold

from .broken import hold
from .walks import Walk, walk
from .wire import digest_free, same_bytes

LAW = "folding"
TWICE = "twice_the_same"


def check(game_type: AnyGameType, path: Walk) -> None:
    """Fold of all, fold of a prefix and then the rest, the same game played again, the digests."""
    records = path.records
    hold(fold(records) == path.game, LAW, "the records fold to another game")
    for at in range(1, len(records), max(1, len(records) // 7)):
        hold(fold(records[at:], fold(records[:at])) == path.game, LAW, f"folded in two at {at}, another game")
    game: Game | None = None
    for number, step in enumerate(path.steps):
        hold(msgspec.json.encode(step.game.state) == path.images[number], LAW, f"the state after step {number} changed")
        game = fold(step.records, game)
        hold(game == step.game, LAW, f"after step {number} the fold is another game")
    _digests(records)
    hold(walk(game_type, path.plan).records == records, LAW, "the same commands, played again, record something else")


def _digests(records: tuple[AnyRecord, ...]) -> None:
    key = next(record.event.digest_key for record in records if isinstance(record.event, ev.Sealed))
    game, chained = None, b""
    for record in records:
        game = evolve(game, record)
        chained = digest(key, chained, digest_free(record), game.state)
        hold(chained == record.digest, LAW, f"the digest of version {record.version} is another")


def twice_the_same(game_type: AnyGameType, path: Walk) -> None:
    """The pure functions answer twice the same for one state."""
    for number, step in enumerate(path.steps):
        for seat in range(path.plan.seats):
            views = [game_type.look(step.game.state, seat) for _ in range(2)]
            hold(same_bytes(*views), TWICE, f"after step {number} two looks differ")
            listed = [game_type.legal_commands(step.game.state, seat) for _ in range(2)]
            hold(same_bytes(*listed), TWICE, f"after step {number} two listings differ")
