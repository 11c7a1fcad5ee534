"""Life-time boards: what counts, how a row is made up, and in what order rows stand."""

import dataclasses
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from projection_logs import (
    ADA,
    BEN,
    CYD,
    SECOND,
    START,
    AnyRecord,
    event_record,
    finish,
    folded,
    game_id,
    life,
    opening_event,
    placed,
    present,
)
from seasons import ended

from domain import rulings
from domain.capabilities import Counting, LowestScore, PureLuck
from domain.games import GAME_TYPES
from domain.play import events as ev
from projections.boards.scoreboards import (
    LIFE_TIME,
    SCOREBOARDS,
    UNIT,
    Best,
    PlayedGame,
    Standing,
    board,
    lower_bound,
    played_games,
    share,
    standing,
)
from projections.engine.contract import Placed
from tests.memory_documents import MemoryDocuments


def boards(*games: Any) -> MemoryDocuments:
    """The documents after these lives of games, one after the other."""
    return folded(SCOREBOARDS, placed(record for records in games for record in records))


def counts(documents: MemoryDocuments, player: UUID = ADA, game_type: str = "klondike") -> tuple[int, ...] | None:
    """Games, wins, losses, draws, not completed; without a row no game is kept."""
    entry = row(documents, player, game_type)
    assert (entry is None) == (list(documents.scan(played_games(player, game_type))) == [])
    return entry and (entry.games, entry.wins, entry.losses, entry.draws, entry.not_completed)


LOST = finish(ending="lost", reason="stuck")
GIVEN_UP = finish(ending="lost", reason="resigned", winners=(), moves=1)
CLOSED = finish(ending="abandoned", reason="closed", winners=(), scores=(900,))
VOID, DUEL = ev.Voided("fault"), "spite_and_malice"
LEAST = 2 * GAME_TYPES[DUEL].get(Counting).moves
WON, LOSS, DRAW, NONE = (1, 1, 0, 0, 0), (1, 0, 1, 0, 0), (1, 0, 0, 1, 0), None


def shared(ending: str, *players: UUID | None, winners: tuple[int, ...]) -> list[AnyRecord]:
    return life(1, finish(ending=ending, players=players, winners=winners))


@pytest.mark.parametrize(("games", "results"), [
    ([life(1, finish()), life(2, LOST)], [(2, 1, 1, 0, 0)]),
    ([life(1, finish(rated=False), rated=False), life(2, finish(rated=False))], [NONE]),
    ([life(1, None)], [NONE]),
    ([life(1, finish(), VOID)], [NONE]),
    ([life(1, finish(), LOST)], [WON]),
    ([life(1, finish(scores=(5,)), visibility="unlisted")], [NONE]),  # also where it was opened as rated, once
    ([life(1, finish(scores=(5,)), visibility="private")], [NONE]),
    # What was given up before the first move was no attempt, and from then on it is one.
    ([life(1, replace(GIVEN_UP, moves=0)), life(2, replace(CLOSED, moves=0)), life(3, replace(LOST, moves=0))], [LOSS]),
    ([life(1, replace(GIVEN_UP, moves=0))], [NONE]),
    ([life(1, GIVEN_UP)], [LOSS]),
    ([life(1, replace(GIVEN_UP, reason="timed_out"))], [LOSS]),
    # At a table winners win and the others lose; a draw is drawn by those who share it.
    ([shared("won", ADA, BEN, CYD, winners=(1,))], [LOSS, WON, LOSS]),
    ([shared("drawn", ADA, BEN, winners=())], [DRAW, DRAW]),
    ([shared("drawn", ADA, BEN, CYD, winners=(0, 2))], [DRAW, LOSS, DRAW]),
    ([shared("won", ADA, None, BEN, winners=(2,))], [LOSS, WON]),
    # Who sits twice or meets nobody gains nothing.
    ([shared("won", ADA, ADA, winners=(0,))], [NONE]),
    ([shared("won", ADA, None, winners=(0,))], [NONE]),
    ([shared("won", None, None, winners=(0,))], [NONE]),
    ([shared("won", ADA, BEN, ADA, winners=(0,))], [NONE, NONE]),
])  # fmt: skip
def test_games_count_for_those_who_played_them(
    games: list[list[AnyRecord]], results: list[tuple[int, ...] | None]
) -> None:
    documents = boards(*games)
    assert [counts(documents, player) for player in (ADA, BEN, CYD)[: len(results)]] == results


def duel(winners: list[int], *left: Struct, **ending: Any) -> list[AnyRecord]:
    """A Spite & Malice of Ada and Ben that ended so, after these had left."""
    end = ended((ADA, BEN), winners, **ending)
    events = [opening_event(DUEL, end.players), *left, end, ev.Revealed(b"", b"")]
    return [event_record(game_id(1), version, event, kind=DUEL) for version, event in enumerate(events, 1)]


GONE = ev.Resigned(0)
CORRECTED = rulings.ResultCorrected(game=game_id(1), ending="abandoned", winners=(), reason="a fault")
NO_GAME = rulings.ruling_record(1, CORRECTED, BEN, START)
BACK = rulings.ruling_record(2, rulings.CorrectionWithdrawn(game_id(1), "it was none"), BEN, START)


@pytest.mark.parametrize(("records", "results"), [
    (duel([1], GONE, reason="resigned"), (LOSS, WON)),
    # Given up or closed by all, it counts from as many moves on as its type says; by its rules however short.
    (duel([1], GONE, reason="resigned", moves=1), (NONE, NONE)),
    (duel([1], GONE, reason="resigned", moves=LEAST - 1), (NONE, NONE)),
    (duel([1], GONE, reason="resigned", moves=LEAST), (LOSS, WON)),
    (duel([1], GONE, reason="timed_out", moves=LEAST - 1), (NONE, NONE)),
    (duel([1], GONE, reason="timed_out", moves=LEAST), (LOSS, WON)),
    (duel([], ending="abandoned", reason="agreed", moves=LEAST - 1), (NONE, NONE)),
    (duel([], ending="abandoned", reason="agreed", moves=LEAST), (DRAW, DRAW)),
    (duel([1], moves=2), (LOSS, WON)),
    # A correction to no game takes it from everybody, its withdrawal gives it back.
    ([*duel([0]), NO_GAME], (NONE, NONE)),
    ([*duel([0]), NO_GAME, BACK], (WON, LOSS)),
])  # fmt: skip
def test_at_a_table_of_two_what_was_no_game_counts_for_nobody(
    records: list[AnyRecord], results: tuple[tuple[int, ...] | None, ...]
) -> None:
    documents = folded(SCOREBOARDS, placed(records))
    assert tuple(counts(documents, player, DUEL) for player in (ADA, BEN)) == results


def test_rates_and_best_scores_are_those_of_the_games_that_count() -> None:
    entry = present(row(boards(life(1, finish()), life(2, LOST))))
    assert (entry.win_rate, entry.streak, entry.best_streak) == (500_000_000, 0, 1)
    closed = boards(life(1, CLOSED, kind="bridge_solitaire"))
    assert counts(closed, game_type="bridge_solitaire") == (1, 0, 0, 0, 1)
    entry = present(row(closed, game_type="bridge_solitaire"))
    assert (entry.best_score, entry.shortest) == (None, None)
    documents = boards(life(1, finish(players=(ADA, BEN, CYD), winners=(1,), scores=(3, 9, 4))))
    assert present(row(documents, BEN)).best_score == Best(9, game_id(1))


def row(
    documents: MemoryDocuments, player: UUID = ADA, game_type: str = "klondike", **rule_set: str
) -> Standing | None:
    return documents.get(board(game_type, **rule_set), str(player))


def test_a_void_mends_streaks_and_bests_over_the_games_that_remain() -> None:
    quick = finish(moves=10)
    games = [life(1, finish()), life(2, quick), life(3, finish()), life(4, LOST), life(5, finish())]
    entry = present(row(boards(*games, life(6, LOST)[:0])))
    assert (entry.best_streak, entry.fewest_moves) == (3, Best(10, game_id(2)))
    games[1] = life(2, quick, ev.Voided("fault"))
    games[3] = life(4, LOST, ev.Voided("fault"))
    mended = present(row(boards(*games)))
    assert (mended.games, mended.streak, mended.best_streak, mended.fewest_moves) == (3, 3, 3, Best(50, game_id(1)))


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
    entry = present(row(boards(*(life(number, end) for number, end in enumerate(games, 1)))))
    assert entry.fewest_moves == Best(40, game_id(1))
    assert entry.shortest == Best(60 * SECOND, game_id(1))


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
        documents = boards(*(life(number, end, kind=game_type) for number, end in enumerate(ends, 1)))
        assert present(row(documents, game_type=game_type)).best_score == best


def test_nobody_is_listed_where_several_play_for_there_the_ladder_ranks() -> None:
    players = (ADA, BEN)
    games = [life(number, finish(players=players), kind="spite_and_malice") for number in range(1, 31)]
    entry = present(row(boards(*games), game_type="spite_and_malice"))
    assert (entry.wins, entry.listed) == (30, False)


def test_rule_sets_have_boards_of_their_own() -> None:
    documents = boards(life(1, finish()), life(2, finish(rule_set="one_pass")))
    assert [entry and entry.games for entry in (row(documents), row(documents, rule_set="one_pass"))] == [1, 1]


def test_twenty_games_are_needed_to_be_listed() -> None:
    for number in (19, 20):
        documents = boards(*(life(game, finish()) for game in range(1, number + 1)))
        assert len(documents.listed(board("klondike"))) == number // 20


@pytest.mark.usefixtures("other_kinds")
def test_pure_luck_has_statistics_and_no_ranking() -> None:
    documents = boards(*(life(number, finish(), kind="luck") for number in range(1, 31)))
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


def bare(entry: Standing) -> list[object]:
    return [getattr(entry, name) for name in entry.__struct_fields__ if name != "player"]


def random_season(lots: Random, names: dict[UUID, UUID] | None = None) -> list[Placed]:
    """Games of two or three players, finished, voided and revealed in any order; of each game in its own."""
    lives = [random_life(lots, number, names or {}) for number in range(1, 25)]
    records = []
    while lives := [records_left for records_left in lives if records_left]:
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


Z = Fraction(49, 25)
UNHURRIED = settings(deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize(("wins", "games", "bound"), [(1, 1, "0.207"), (9, 10, "0.596"), (99, 100, "0.946")])
def test_one_of_one_is_worth_less_than_nine_of_ten_and_that_less_than_99_of_100(
    wins: int, games: int, bound: str
) -> None:
    assert f"{Decimal(lower_bound(wins, games, Z)) / UNIT:.3f}" == bound


@UNHURRIED
@given(games=st.integers(1, 10**6), share_won=st.fractions(0, 1))
def test_the_bound_is_the_formula_rounded_down(games: int, share_won: Fraction) -> None:
    wins = int(share_won * games)
    with localcontext(prec=60):
        n, p, z = Decimal(games), Decimal(wins) / games, Decimal("1.96")
        exact = (p + z * z / (2 * n) - z * (p * (1 - p) / n + z * z / (4 * n * n)).sqrt()) / (1 + z * z / n)
        distance = exact * UNIT - lower_bound(wins, games, Z)
    assert Decimal("-1e-20") < distance < 1


@UNHURRIED
@given(games=st.integers(1, 2000), wins=st.integers(0, 1999))
def test_a_further_win_raises_the_bound_and_a_further_loss_lowers_it(games: int, wins: int) -> None:
    wins = min(wins, games)
    bound = lower_bound(wins, games, Z)
    assert 0 <= bound < lower_bound(wins + 1, games + 1, Z) < UNIT
    assert lower_bound(wins, games + 1, Z) < bound or wins == 0


def test_a_share_is_rounded_down_and_nothing_won_is_worth_nothing() -> None:
    assert (share(2, 3), share(3, 3), share(0, 0)) == (666_666_666, UNIT, 0)
    assert [lower_bound(0, games, Z) for games in (0, 1, 20, 10**9)] == [0, 0, 0, 0]
