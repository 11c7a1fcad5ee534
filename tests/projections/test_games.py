"""The lists of games: who finds a game to which they are invited, and what a void does to them."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct
from projection_logs import ADA, BEN, CYD, event_record, finish, game_id, opening_event, placed

from domain.game import events as ev
from projections.games import GAMES, own_list, public_list
from projections.memory import MemoryDocuments

WAITING = opening_event("spite_and_malice", (ADA, None), creator=ADA, visibility="private")
INVITED = ev.Invited(BEN)


def lists(events: Iterable[Struct]) -> MemoryDocuments:
    """The documents after these events of one game."""
    memory = MemoryDocuments()
    numbered = enumerate(events, 1)
    for recorded in placed(event_record(game_id(1), at, event, kind="spite_and_malice") for at, event in numbered):
        GAMES.fold(memory, recorded)
    return memory


def finders(memory: MemoryDocuments) -> set[UUID]:
    """Who has the game in the own list."""
    return {player for player in (ADA, BEN, CYD) if list(memory.scan(own_list(player, None, None)))}


def test_an_invited_player_finds_a_private_game_until_the_invitation_is_revoked() -> None:
    assert finders(lists([WAITING, INVITED])) == {ADA, BEN}
    assert finders(lists([WAITING, INVITED, ev.Uninvited(BEN)])) == {ADA}


def test_an_invitation_lapses_when_the_cards_are_dealt_or_the_game_is_void() -> None:
    assert finders(lists([WAITING, INVITED, ev.Joined(1, CYD)])) == {ADA, CYD}
    assert finders(lists([WAITING, INVITED, ev.Joined(1, BEN)])) == {ADA, BEN}
    assert finders(lists([WAITING, INVITED, ev.Voided("abuse")])) == {ADA}


def test_an_invitation_shows_nothing_in_public_lists() -> None:
    public = opening_event("spite_and_malice", (ADA, None), creator=ADA)
    memory = lists([public, INVITED])
    assert len(list(memory.scan(public_list(ADA, None, None)))) == 1
    assert list(memory.scan(public_list(BEN, None, None))) == []


def test_a_void_game_stays_void_when_its_contest_closes() -> None:
    contest = UUID(int=5)
    playing = opening_event("spite_and_malice", (ADA, BEN), creator=ADA, contest=contest)
    over = finish(players=(ADA, BEN), contest=contest)
    memory = lists([playing, over, ev.Voided("abuse"), ev.Revealed(b"", b"")])
    assert [game.status for _, game in memory.scan(own_list(ADA, None, None))] == ["voided"]


def test_a_contests_game_stands_in_its_players_own_list_only_until_it_is_revealed() -> None:
    contest = UUID(int=5)
    lived = [opening_event("golf", (ADA,), creator=ADA, contest=contest), finish(contest=contest)]
    public = [public_list(player, key, None) for player in (None, ADA) for key in (None, "golf")]
    for said in (lived[:1], lived, [*lived, ev.Voided("abuse")]):
        assert [list(lists(said).scan(each)) for each in public] == [[]] * 4
        assert finders(lists(said)) == {ADA}
    assert [game.status for _, game in lists(lived).scan(own_list(ADA, None, "finished"))] == ["finished"]
    revealed = lists([*lived, ev.Revealed(b"", b"")])
    assert [[game.status for _, game in revealed.scan(each)] for each in public] == [["finished"]] * 4
