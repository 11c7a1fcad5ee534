"""Snapshots: the game that comes out of one goes on as the game that all records make."""

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play import snapshot
from domain.play.aggregate import Game, fold
from domain.play.deciding import legal_commands
from domain.play.snapshot import is_due, is_vouched_for, restored_game, restores_unread

from .played import duel, opened, solitaire
from .whole_records import records

EVERY_TYPE = pytest.mark.parametrize("key", sorted(GAME_TYPES))


def taken(game: Game) -> Game:
    """The game as its snapshot has it."""
    found = snapshot.snapshot_of(game)
    assert found is not None
    return restored_game(game.id, found)


def without_past(game: Game) -> Game:
    return replace(game, past=None, unread=0)


@EVERY_TYPE
def test_whatever_comes_after_a_snapshot_folds_to_the_same_game(key: str) -> None:
    played = records(key, 40)
    dealt = next(record.version for record in played if fold(played[: record.version]).state is not None)
    for version in range(dealt, len(played), 7):
        there = fold(played[:version])
        game, rest = taken(there), played[version:]
        assert without_past(game) == without_past(there)
        assert [legal_commands(game, seat) for seat in (0, 1)] == [legal_commands(there, seat) for seat in (0, 1)]
        if not restores_unread(game, rest):
            assert without_past(fold(rest, game)) == without_past(fold(played))


def test_what_undo_restores_is_known_to_be_missing_until_it_was_read() -> None:
    played = solitaire(moves=12)
    back = next(record for record in played if isinstance(record.event, ev.Undone))
    early, late = fold(played[: back.version - 1]), fold(played[: back.version])
    assert early.past is not None
    assert taken(early).unread == early.version
    assert restores_unread(taken(early), [back])
    assert not restores_unread(early, [back])
    before = fold(played[: back.event.to_version])
    assert not restores_unread(taken(before), played[before.version : back.version])
    assert without_past(fold(played[before.version : back.version], taken(before))) == without_past(late)
    assert taken(taken(early)) == taken(early)


def test_a_finished_game_misses_nothing_and_one_that_waits_has_no_snapshot() -> None:
    assert taken(fold(solitaire())) == fold(solitaire())
    waiting = opened("spite_and_malice", 2).game
    assert snapshot.snapshot_of(waiting) is None
    there = fold(duel())
    assert snapshot.snapshot_of(replace(there, importers=frozenset())) is None


def test_the_record_a_snapshot_stands_at_vouches_for_its_state_and_no_other() -> None:
    played = solitaire(moves=30)
    before, at = played[18:20]
    game = taken(fold(played[:20]))
    assert is_vouched_for(game, before, at)
    assert not is_vouched_for(replace(game, state=fold(played[:19]).state), before, at)
    assert not is_vouched_for(replace(game, version=19), before, at)
    assert not is_vouched_for(game, *played[17:19])
    assert not is_vouched_for(game, before, replace(at, digest=bytes(32)))
    assert not is_vouched_for(replace(game, digest=bytes(32)), before, at)


def test_a_snapshot_is_due_at_every_so_many_versions_and_at_the_end_of_a_long_game() -> None:
    played = solitaire(moves=30)
    asked = [
        is_due(fold(played[: number - 1]) if number > 1 else None, played[number - 1 : number], 10)
        for number in range(1, len(played) + 1)
    ]
    wanted = {*range(10, len(played), 10), len(played) - 1, len(played)}
    assert {number for number, answer in enumerate(asked, 1) if answer} == wanted
    assert not is_due(fold(played[:3]), (), 1)
    short = solitaire(moves=1)
    assert not is_due(fold(short[:-1]), short[-1:], 10)
