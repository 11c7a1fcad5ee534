"""The lists of games: who finds a game to which they are invited, and what a void does to them."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct
from projection_logs import ADA, BEN, CYD, event_record, finish, game_id, opening_event, placed

from domain.play import events as ev
from projections.games.game_lists import ENTRY, GAMES, ListedGame, Lists, own_lists, public_lists
from tests.memory_documents import MemoryDocuments

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
    return {player for player in (ADA, BEN, CYD) if found(memory, own_lists(player, None, None))}


def found(memory: MemoryDocuments, wanted: Lists) -> list[ListedGame]:
    """The games of these lists, each as often as it stands in them."""
    entries = dict(memory.scan(ENTRY()))
    return [entries[key] for one in wanted for key, _ in memory.listed(one)]


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
    assert len(found(memory, public_lists(ADA, None, None))) == 1
    assert found(memory, public_lists(BEN, None, None)) == []


def test_a_void_game_stays_void_when_its_contest_closes() -> None:
    contest = UUID(int=5)
    playing = opening_event("spite_and_malice", (ADA, BEN), creator=ADA, contest=contest)
    over = finish(players=(ADA, BEN), contest=contest)
    memory = lists([playing, over, ev.Voided("abuse"), ev.Revealed(b"", b"")])
    assert [game.status for game in found(memory, own_lists(ADA, None, None))] == ["voided"]


def test_a_contests_game_stands_in_its_players_own_list_only_until_it_is_revealed() -> None:
    contest = UUID(int=5)
    lived = [opening_event("golf", (ADA,), creator=ADA, contest=contest), finish(contest=contest)]
    public = [public_lists(player, key, None) for player in (None, ADA) for key in (None, "golf")]
    for said in (lived[:1], lived, [*lived, ev.Voided("abuse")]):
        assert [found(lists(said), each) for each in public] == [[]] * 4
        assert finders(lists(said)) == {ADA}
    assert [game.status for game in found(lists(lived), own_lists(ADA, None, "finished"))] == ["finished"]
    revealed = lists([*lived, ev.Revealed(b"", b"")])
    assert [[game.status for game in found(revealed, each)] for each in public] == [["finished"]] * 4


def test_a_list_that_asks_for_less_has_every_game_once() -> None:
    one, other = (opening_event("golf", (player, None), creator=ADA, visibility=seen)
                  for player, seen in ((ADA, "public"), (BEN, "private")))  # fmt: skip
    records = [event_record(game_id(1), 1, one), event_record(game_id(2), 1, other, kind="golf")]
    memory = MemoryDocuments()
    for recorded in placed([*records, event_record(game_id(1), 2, ev.Joined(1, BEN))]):
        GAMES.fold(memory, recorded)
    for player, own in ((ADA, 2), (BEN, 2), (CYD, 0)):
        for key in (None, "golf"):
            assert len({game.id for game in found(memory, own_lists(player, key, None))}) == own
            assert len(found(memory, own_lists(player, key, None))) == own
    assert [game.status for game in found(memory, public_lists(None, None, None))] == ["playing"]


def test_a_mark_is_written_where_the_game_stands_in_other_lists_than_before() -> None:
    memory = lists([WAITING, INVITED])
    before = {name: document for name, _, document in memory.documents() if name.startswith("list/")}
    GAMES.fold(memory, placed([event_record(game_id(1), 3, ev.Seeded(0, "seed"))])[0])
    assert before == {name: document for name, _, document in memory.documents() if name.startswith("list/")}
    assert [name for name in before if str(CYD) in name] == []
