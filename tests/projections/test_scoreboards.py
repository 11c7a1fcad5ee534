"""Life-time boards: what counts, how a row is made up, and in what order rows stand."""

import dataclasses
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from projection_logs import ADA, BEN, CYD, SECOND, START, finish, folded, game_id, life, placed

from domain.capabilities import LowestScore, PureLuck
from domain.games import GAME_TYPES
from domain.play import events as ev
from projections.boards.scoreboards import (
    LIFE_TIME,
    SCOREBOARDS,
    Best,
    PlayedGame,
    Standing,
    board,
    played_games,
    standing,
)
from projections.engine.contract import Placed
from tests.memory_documents import MemoryDocuments

LOST = finish(ending="lost", reason="stuck")


def boards(*games: Any) -> MemoryDocuments:
    """The documents after these lives of games, one after the other."""
    return folded(SCOREBOARDS, placed(record for records in games for record in records))


def row(
    documents: MemoryDocuments, player: UUID = ADA, game_type: str = "klondike", **rule_set: str
) -> Standing | None:
    return documents.get(board(game_type, **rule_set), str(player))


def counts(documents: MemoryDocuments, player: UUID = ADA, game_type: str = "klondike") -> tuple[int, ...] | None:
    """Games, wins, losses, draws, not completed."""
    found = row(documents, player, game_type)
    return found and (found.games, found.wins, found.losses, found.draws, found.not_completed)


def test_a_win_and_a_loss_are_two_games_and_half_a_win_rate() -> None:
    found = row(boards(life(1, finish()), life(2, LOST)))
    assert found is not None
    assert (found.games, found.wins, found.losses, found.win_rate) == (2, 1, 1, 500_000_000)
    assert (found.streak, found.best_streak) == (0, 1)


def test_unrated_games_count_nowhere() -> None:
    documents = boards(life(1, finish(rated=False), rated=False), life(2, finish(rated=False)))
    assert row(documents) is None
    assert list(documents.scan(played_games(ADA, "klondike"))) == []


def test_a_game_that_goes_on_counts_nowhere() -> None:
    assert row(boards(life(1, None))) is None


def test_a_voided_game_leaves_no_row_behind() -> None:
    documents = boards(life(1, finish(), ev.Voided("fault")))
    assert row(documents) is None
    assert list(documents.scan(played_games(ADA, "klondike"))) == []


def test_a_second_finish_changes_nothing() -> None:
    assert boards(life(1, finish(), LOST)).listed(played_games(ADA, "klondike")) == boards(life(1, finish())).listed(
        played_games(ADA, "klondike")
    )


def test_a_void_mends_streaks_and_bests_over_the_games_that_remain() -> None:
    quick = finish(moves=10)
    games = [life(1, finish()), life(2, quick), life(3, finish()), life(4, LOST), life(5, finish())]
    found = row(boards(*games, life(6, LOST)[:0]))
    assert found is not None
    assert (found.best_streak, found.fewest_moves) == (3, Best(10, game_id(2)))
    games[1] = life(2, quick, ev.Voided("fault"))
    games[3] = life(4, LOST, ev.Voided("fault"))
    mended = row(boards(*games))
    assert mended is not None
    assert (mended.games, mended.streak, mended.best_streak, mended.fewest_moves) == (3, 3, 3, Best(50, game_id(1)))


def test_a_closed_rubber_is_a_game_not_completed_and_neither_won_nor_lost() -> None:
    closed = finish(ending="abandoned", reason="closed", winners=(), scores=(900,))
    documents = boards(life(1, closed, kind="bridge_solitaire"))
    found = row(documents, game_type="bridge_solitaire")
    assert counts(documents, game_type="bridge_solitaire") == (1, 0, 0, 0, 1)
    assert found is not None
    assert (found.best_score, found.shortest) == (None, None)


def test_what_was_given_up_before_the_first_move_was_no_attempt() -> None:
    resigned = finish(ending="lost", reason="resigned", winners=(), moves=0)
    abandoned = finish(ending="abandoned", reason="closed", winners=(), moves=0)
    stuck_at_once = finish(ending="lost", reason="stuck", winners=(), moves=0)
    assert counts(boards(life(1, resigned), life(2, abandoned), life(3, stuck_at_once))) == (1, 0, 1, 0, 0)


def test_at_a_table_winners_win_and_the_others_lose() -> None:
    documents = boards(life(1, finish(players=(ADA, BEN, CYD), winners=(1,), scores=(3, 9, 4))))
    assert [counts(documents, player) for player in (ADA, BEN, CYD)] == [
        (1, 0, 1, 0, 0),
        (1, 1, 0, 0, 0),
        (1, 0, 1, 0, 0),
    ]
    ben = row(documents, BEN)
    assert ben is not None
    assert ben.best_score == Best(9, game_id(1))


def test_a_draw_is_drawn_by_those_who_share_it() -> None:
    level = boards(life(1, finish(ending="drawn", players=(ADA, BEN), winners=())))
    shared = boards(life(1, finish(ending="drawn", players=(ADA, BEN, CYD), winners=(0, 2))))
    assert [counts(level, player) for player in (ADA, BEN)] == [(1, 0, 0, 1, 0)] * 2
    assert [counts(shared, player) for player in (ADA, BEN, CYD)] == [(1, 0, 0, 1, 0), (1, 0, 1, 0, 0), (1, 0, 0, 1, 0)]


@pytest.mark.parametrize("players", [(ADA, ADA), (ADA, None), (None, None), (ADA, BEN, ADA)])
def test_who_sits_twice_or_meets_nobody_gains_nothing(players: tuple[UUID | None, ...]) -> None:
    documents = boards(life(1, finish(players=players)))
    assert [row(documents, player) for player in (ADA, BEN)] == [None, None]


def test_an_empty_seat_beside_two_players_is_passed_over() -> None:
    documents = boards(life(1, finish(players=(ADA, None, BEN), winners=(2,))))
    assert [counts(documents, player) for player in (ADA, BEN)] == [(1, 0, 1, 0, 0), (1, 1, 0, 0, 0)]


def test_a_contests_game_counts_when_the_contest_is_revealed_in_the_place_of_its_finish() -> None:
    contest = finish(contest=game_id(900))
    hidden = life(1, contest, contest=game_id(900))
    assert row(boards(hidden)) is None
    revealed = life(1, contest, ev.Revealed(b"", b""), contest=game_id(900))
    late = placed([*revealed[:2], *life(2, LOST), revealed[2]])
    early = placed([*revealed, *life(2, LOST)])
    assert counts(folded(SCOREBOARDS, late)) == (2, 1, 1, 0, 0)
    ends = [row(folded(SCOREBOARDS, log)) for log in (late, early)]
    assert [(end.streak, end.best_streak) for end in ends if end is not None] == [(0, 1), (0, 1)]


def test_bests_are_of_games_won_and_the_first_to_reach_one_keeps_it() -> None:
    games = [finish(moves=40), finish(moves=40), finish(ending="lost", reason="stuck", moves=3), finish(moves=41)]
    found = row(boards(*(life(number, end) for number, end in enumerate(games, 1))))
    assert found is not None
    assert found.fewest_moves == Best(40, game_id(1))
    assert found.shortest == Best(60 * SECOND, game_id(1))


@pytest.fixture
def other_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Game types that are Klondike but for what a board asks of them."""
    for key, trait in (("fewest", LowestScore()), ("luck", PureLuck())):
        monkeypatch.setitem(
            GAME_TYPES, key, dataclasses.replace(GAME_TYPES["klondike"].with_capabilities(trait), key=key)
        )


@pytest.mark.usefixtures("other_kinds")
def test_the_best_score_is_the_lowest_where_points_are_cards_left() -> None:
    ends = [finish(ending="lost", reason="stuck", scores=(score,)) for score in (7, 4, 9)]
    for game_type, best in (("fewest", Best(4, game_id(2))), ("klondike", Best(9, game_id(3)))):
        found = row(
            boards(*(life(number, end, kind=game_type) for number, end in enumerate(ends, 1))), game_type=game_type
        )
        assert found is not None
        assert found.best_score == best


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_what_not_everybody_may_look_at_counts_nowhere(visibility: str) -> None:
    """Also where it was opened as rated, as it could be once."""
    documents = boards(life(1, finish(scores=(5,)), visibility=visibility))
    assert row(documents) is None
    assert documents.get(played_games(ADA, "klondike"), str(game_id(1))) is None


def test_a_game_of_patience_counts_from_its_first_move_on_however_it_ends() -> None:
    given_up = finish(ending="lost", reason="resigned", winners=(), moves=1)
    assert counts(boards(life(1, given_up))) == (1, 0, 1, 0, 0)
    assert counts(boards(life(1, replace(given_up, reason="timed_out")))) == (1, 0, 1, 0, 0)
    assert row(boards(life(1, replace(given_up, moves=0)))) is None


def test_nobody_is_listed_where_several_play_for_there_the_ladder_ranks() -> None:
    players = (ADA, BEN)
    games = [life(number, finish(players=players), kind="spite_and_malice") for number in range(1, 31)]
    found = row(boards(*games), game_type="spite_and_malice")
    assert found is not None
    assert (found.wins, found.listed) == (30, False)


def test_rule_sets_have_boards_of_their_own() -> None:
    documents = boards(life(1, finish()), life(2, finish(rule_set="one_pass")))
    assert [found and found.games for found in (row(documents), row(documents, rule_set="one_pass"))] == [1, 1]


def test_twenty_games_are_needed_to_be_listed() -> None:
    for number in (19, 20):
        documents = boards(*(life(one, finish()) for one in range(1, number + 1)))
        assert len(documents.listed(board("klondike"))) == number // 20


@pytest.mark.usefixtures("other_kinds")
def test_pure_luck_has_statistics_and_no_ranking() -> None:
    documents = boards(*(life(one, finish(), kind="luck") for one in range(1, 31)))
    assert counts(documents, game_type="luck") == (30, 30, 0, 0, 0)
    assert documents.listed(board("luck")) == []


def test_rows_stand_by_bound_then_games_and_then_only_for_display_by_player() -> None:
    def season(player: UUID, first: int, wins: int, games: int) -> list[Any]:
        ends = [finish(players=(player,)), finish(players=(player,), ending="lost", reason="stuck", winners=())]
        return [life(first + at, ends[at >= wins]) for at in range(games)]

    documents = boards(
        *season(CYD, 100, 18, 20), *season(ADA, 200, 18, 20), *season(BEN, 300, 90, 100),
        *season(game_id(1), 500, 0, 30), *season(game_id(2), 600, 0, 40),
    )  # fmt: skip
    assert [UUID(key) for key, _ in documents.listed(board("klondike"))] == [BEN, ADA, CYD, game_id(2), game_id(1)]


def test_the_games_behind_a_row_are_listed_newest_first() -> None:
    documents = boards(life(1, finish()), life(2, LOST), life(3, finish()))
    assert [key for key, _ in documents.listed(played_games(ADA, "klondike"))] == [str(game_id(at)) for at in (3, 2, 1)]


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(lots=st.integers(0, 10**6))
def test_a_row_is_a_function_of_the_games_behind_it(lots: int) -> None:
    log = random_season(Random(lots))
    documents = folded(SCOREBOARDS, log)
    for player in (ADA, BEN, CYD):
        games: list[PlayedGame] = [game for _, game in documents.scan(played_games(player, "klondike"))]
        fresh = standing(Standing(player, "klondike", None, LIFE_TIME.id), games)
        assert row(documents, player) == (fresh if games else None)
        assert fresh.games == fresh.wins + fresh.losses + fresh.draws + fresh.not_completed


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(lots=st.integers(0, 10**6))
def test_other_names_for_the_players_leave_every_row_as_it_is(lots: int) -> None:
    names = {ADA: CYD, BEN: ADA, CYD: BEN}
    once, again = (folded(SCOREBOARDS, random_season(Random(lots), renamed)) for renamed in ({}, names))
    for player in (ADA, BEN, CYD):
        mine, theirs = row(once, player), row(again, names[player])
        assert (mine and bare(mine)) == (theirs and bare(theirs))


def bare(found: Standing) -> list[object]:
    return [getattr(found, name) for name in found.__struct_fields__ if name != "player"]


def random_season(lots: Random, names: dict[UUID, UUID] | None = None) -> list[Placed]:
    """Games of two or three players, finished, voided and revealed in any order; of each game in its own."""
    lives = [random_life(lots, number, names or {}) for number in range(1, 25)]
    records = []
    while lives := [one for one in lives if one]:
        records.append(lots.choice(lives).pop(0))
    return placed(records)


def random_life(lots: Random, number: int, names: dict[UUID, UUID]) -> list[Any]:
    players = tuple(names.get(player, player) for player in lots.sample((ADA, BEN, CYD), lots.choice((2, 3))))
    contest = lots.choice((None, None, game_id(900)))
    end = finish(
        ending=lots.choice(("won", "won", "lost", "drawn", "abandoned")), players=players, contest=contest,
        winners=(lots.randrange(2),), moves=lots.randrange(40), scores=tuple(lots.randrange(9) for _ in players),
        opened_at=START - lots.randrange(10**7),
    )  # fmt: skip
    later = lots.choice(
        ([], [ev.Voided("fault")], [ev.Revealed(b"", b"")], [ev.Revealed(b"", b""), ev.Voided("fault")])
    )
    return life(number, end, *later, contest=contest)
