"""How often any two players of a ladder have met: in all, and before any of its games."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from projections.engine.contract import Documents
from projections.ladders.documents import Board, Met, RatedGame, games, key_of, met
from projections.ladders.weights import pairs

Shift = Mapping[str, int]
"""By pair, how many meetings more than stored there are before every later game."""


def pair_keys(players: Sequence[UUID]) -> list[str]:
    """The key of every pair of these players, in the order in which meetings are counted."""
    return ["/".join(sorted((str(players[one]), str(players[other])))) for one, other in pairs(len(players))]


def meetings(documents: Documents, board: Board, players: Sequence[UUID]) -> tuple[int, ...]:
    """How often each pair has met in all."""
    return tuple(_stored_count(documents, board, key) for key in pair_keys(players))


def meetings_before(documents: Documents, board: Board, game: RatedGame) -> tuple[int, ...]:
    """How often each pair had met before a game that is not stored: taken from the pair's next stored game."""
    found, wanted = dict[str, int](), set(pair_keys(game.players))
    for _, later in documents.scan(games(*board), key_of(game.position + 1)):
        if len(found) == len(wanted):
            break
        if len(set(later.players).intersection(game.players)) > 1:
            there = zip(pair_keys(later.players), later.met, strict=True)
            found = {key: times for key, times in there if key in wanted} | found
    return tuple(
        found[key] if key in found else _stored_count(documents, board, key) for key in pair_keys(game.players)
    )


def add_meetings(documents: Documents, board: Board, players: Sequence[UUID], times: int) -> None:
    """Add to each pair's number of meetings; a pair with none has no document."""
    for key in pair_keys(players):
        if many := _stored_count(documents, board, key) + times:
            documents.put(met(*board), key, Met(many))
        else:
            documents.delete(met(*board), key)


def shifted_meetings(game: RatedGame, shift: Shift) -> tuple[int, ...]:
    """The meetings before a later game, as they are now."""
    if not shift:
        return game.met
    return tuple(times + shift.get(key, 0) for key, times in zip(pair_keys(game.players), game.met, strict=True))


def _stored_count(documents: Documents, board: Board, key: str) -> int:
    found = documents.get(met(*board), key)
    return 0 if found is None else found.games
