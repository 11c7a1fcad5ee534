"""Same-deal days: results of a deal, seasons over the best of them, streaks, and what a ruling costs and gives back."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec import Struct
from projection_logs import START, AnyRecord, event_record, folded, game_id, opening_event, placed, present
from seasons import DAY, LEAGUE, ORGANISER, member

from domain import rulings
from domain.contest import aggregate as contests
from domain.contest import events as ct
from domain.games import GAME_TYPES
from domain.league import events as league_ev
from domain.league.aggregate import league_record as of_league
from domain.league.rules import DAYS, DAYS_IMPS, DAYS_POINTS, DayRules
from domain.play import events as ev
from projections.contests.days import (
    DAYS_PROJECTION,
    NEWEST,
    PUBLISHED,
    SCORES,
    STREAKS,
    Board,
    league_season,
    public_season,
)
from projections.contests.results import Score, datum, imps, matchpoints, percentage, places
from projections.contests.seasons import PublishedSeason, SeasonRow, Streak, digest
from projections.engine.contract import Collection, D, Placed
from tests.memory_documents import MemoryDocuments

FIRST = START // DAY * DAY
SEEDS = pytest.mark.parametrize("seed", range(8))
ANN, BOB, CYD, DEB = (member(number) for number in range(4))


def won(moves: int = 50, score: int = 52, **more: Any) -> dict[str, Any]:
    return {"ending": "won", "reason": "all_home", "winners": (0,), "scores": (score,), "moves": moves, **more}


def lost(score: int = 20, moves: int = 50, **more: Any) -> dict[str, Any]:
    return {"ending": "lost", "reason": "no_moves", "winners": (), "scores": (score,), "moves": moves, **more}


def game_of(day: int, player: UUID) -> UUID:
    return game_id(1000 * (day + 500) + int(player) - int(member(0)))


def contest_of(day: int) -> UUID:
    return UUID(int=0xC0117E57 + day)


class Season:
    """A log of days: who had which result on which day."""

    def __init__(self, kind: str = "klondike", rules: DayRules = DAYS, league: UUID | None = None) -> None:
        self.kind, self.rules, self.league = kind, rules, league
        self.records: list[AnyRecord] = []
        self.versions: Counter[UUID] = Counter()

    def say(self, stream: UUID, *events: Struct, at: int = FIRST, kind: str | None = None) -> None:
        for event in events:
            self.versions[stream] += 1
            self.records.append(event_record(stream, self.versions[stream], event, at, kind or self.kind))

    def announced(self, day: int) -> None:
        opens = FIRST + day * DAY
        announcement = contests.Announcement(
            game_type=self.kind, options=GAME_TYPES[self.kind].options(), rules=self.rules, opens=opens,
            closes=opens + DAY, seed=bytes(32), league=self.league,
            day=None if self.league else contests_day(opens),
        )  # fmt: skip
        self.say(contest_of(day), *contests.announce(contest_of(day), announcement), kind="contest")
        if self.league is not None:
            added = league_ev.ContestAdded(1, contest_of(day))
            self.records.append(of_league(self.league, 900 + day, added, ORGANISER, opens))

    def attempt(self, day: int, player: UUID, result: dict[str, Any] | None, took: int = 60) -> None:
        game, opens = game_of(day, player), FIRST + day * DAY
        self.say(game, opening_event(self.kind, (player,), contest=contest_of(day)), at=opens)
        self.say(contest_of(day), ct.Entered(player, game), kind="contest", at=opens)
        if result is not None:
            made = {"players": (player,), "rated": True, "opened_at": opens, "contest": contest_of(day), **result}
            self.say(game, ev.Finished(**made), at=opens + took * 1_000_000)

    def close(self, day: int, *unreadable: UUID) -> None:
        """Without the attempts of these players."""
        closed = ct.Closed(tuple(game_of(day, player) for player in unreadable))
        self.say(contest_of(day), closed, ct.Revealed(b"s"), kind="contest")

    def day(self, day: int, results: dict[UUID, dict[str, Any] | None]) -> "Season":
        """A whole day: announced, played, closed, revealed."""
        self.announced(day)
        for player, result in results.items():
            self.attempt(day, player, result)
        self.close(day)
        for player in results:
            self.say(game_of(day, player), ev.Revealed(b"", b""))
        return self

    def rule(self, event: Struct) -> "Season":
        self.versions[rulings.SITE] += 1
        self.records.append(rulings.ruling_record(self.versions[rulings.SITE], event, ORGANISER, FIRST))
        return self

    def documents(self) -> MemoryDocuments:
        return folded(DAYS_PROJECTION, placed(self.records))


def contests_day(opens: int) -> str:
    return datetime.fromtimestamp(opens // 10**6, UTC).date().isoformat()


def scores(documents: MemoryDocuments, day: int = 0) -> dict[UUID, Score]:
    """By player, best first, the unranked last."""
    return {score.player: score for _, score in documents.listed(SCORES(contest_of(day)))}


def month(kind: str = "klondike", opens: int = FIRST) -> Board:
    return public_season(kind, contests_day(opens)[:7])


def row(documents: MemoryDocuments, player: UUID, board: Board | None = None) -> SeasonRow | None:
    return documents.get((board or month()).rows, str(player))


def streak(documents: MemoryDocuments, player: UUID, kind: str = "klondike") -> Streak:
    return documents.get(STREAKS(kind), str(player)) or Streak(player)


def tables(log: Season) -> list[Any]:
    """Every document that anybody reads: all but what is known of each attempt by itself."""
    return [row for row in log.documents().rows() if not row[0].startswith("attempts/")]


def of_others(documents: MemoryDocuments, collections: Iterable[Collection[D]], player: UUID) -> list[Any]:
    """Everything in these collections but this player's own rows."""
    return [[(key, document) for key, document in documents.scan(each) if key != str(player)] for each in collections]


# Matchpoints and IMPs


def naive(keys: Sequence[tuple[int, ...]]) -> list[int]:
    """The definition, word by word."""
    return [sum(2 * (own > other) + (own == other) for other in keys) - 1 for own in keys]


@SEEDS
def test_matchpoints_are_two_for_each_beaten_and_one_for_each_equalled(seed: int) -> None:
    lots = Random(seed)
    keys = [(lots.randrange(3), lots.randrange(3)) for _ in range(lots.randrange(1, 40))]
    points = matchpoints(keys)
    assert points == naive(keys)
    assert sum(points) == len(keys) * (len(keys) - 1)
    assert places(keys) == [1 + sum(other > own for other in keys) for own in keys]


def test_a_percentage_is_of_the_most_there_are_and_none_for_one_alone() -> None:
    assert [percentage(points, 5) for points in (8, 4, 0)] == [1, Fraction(1, 2), 0]
    assert percentage(0, 1) is None


@pytest.mark.parametrize(
    ("difference", "points"),
    [(0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (360, 8), (370, 9), (600, 12), (3990, 23), (4000, 24), (90_000, 24)],
)
def test_imps_are_those_of_law_78b(difference: int, points: int) -> None:
    assert imps(difference) == points
    assert imps(-difference) == -points


@pytest.mark.parametrize(
    ("points", "average"), [((100, 110), 110), ((-100, -110), -110), ((0, 10, 20), 10), ((7,), 10)]
)
def test_the_average_is_rounded_to_ten_halves_away_from_nought(points: tuple[int, ...], average: int) -> None:
    assert datum(points) == average


# The order of results


def test_all_or_nothing_goes_by_solved_then_cards_home_then_moves_then_time() -> None:
    log = Season()
    log.announced(0)
    results = [won(60), won(70), lost(30, 40), lost(30, 45), lost(12, 5), won(60)]
    for number, (result, took) in enumerate(zip(results, (60, 60, 60, 60, 60, 61), strict=True)):
        log.attempt(0, member(number), result, took)
    log.close(0)
    by_player = scores(log.documents())
    assert list(by_player) == [member(number) for number in (0, 5, 1, 2, 3, 4)]
    assert [score.place for score in by_player.values()] == [1, 2, 3, 4, 5, 6]


def test_golf_goes_by_fewer_cards_left() -> None:
    by_player = scores(Season("golf").day(0, {ANN: lost(9), BOB: lost(3), CYD: won(score=0)}).documents())
    assert list(by_player) == [CYD, BOB, ANN]


def test_points_go_before_solved_and_time_breaks_no_tie() -> None:
    log = Season("deck_the_yard", DAYS_POINTS)
    log.announced(0)
    for player, result, took in ((ANN, won(score=8), 60), (BOB, lost(7), 60), (CYD, won(score=8), 90)):
        log.attempt(0, player, result, took)
    log.close(0)
    by_player = scores(log.documents())
    assert [(score.place, score.points) for score in by_player.values()] == [(1, 3), (1, 3), (3, 0)]


def test_imps_are_against_the_rounded_average_of_the_field() -> None:
    log = Season("bridge_solitaire", DAYS_IMPS).day(0, {ANN: won(score=420), BOB: lost(-100), CYD: lost(-50)})
    by_player = scores(log.documents())
    assert [(score.player, score.imps) for score in by_player.values()] == [(ANN, 8), (CYD, -4), (BOB, -5)]


def test_giving_a_hand_up_is_never_better_than_playing_it_out() -> None:
    """Ann leaves during the auction with nothing scored; Bob's contract fails."""
    log = Season("bridge_solitaire", DAYS_IMPS)
    log.day(0, {ANN: lost(0, reason="resigned"), BOB: lost(-300), CYD: won(score=420)})
    by_player = scores(log.documents())
    assert list(by_player) == [CYD, BOB, ANN]
    assert (by_player[ANN].completed, by_player[ANN].imps) == (False, by_player[BOB].imps)


# Who is ranked


def test_only_clean_attempts_are_ranked_and_the_others_are_shown_apart() -> None:
    log = Season().day(0, {ANN: won(40, undos=2), BOB: won(60), CYD: lost(10), DEB: lost(0, 0, reason="resigned")})
    by_player = scores(log.documents())
    assert [(score.player, score.kind, score.place) for score in by_player.values()] == [
        (BOB, "ranked", 1), (CYD, "ranked", 2), (ANN, "not_clean", None), (DEB, "no_attempt", None),
    ]  # fmt: skip
    assert by_player[BOB].percent == (1, 1)


def test_who_has_played_too_few_games_to_their_end_is_shown_and_not_ranked() -> None:
    """Games that were given up season nobody, and a contest's own only once they are revealed."""
    log = Season(rules=DAYS.asking(1))
    kind, games = log.kind, iter(range(1, 100))
    for player, end in ((ANN, won()), (BOB, {**lost(), "reason": "resigned"})):
        ended = ev.Finished(players=(player,), rated=False, opened_at=FIRST, **end)
        log.say(game_id(next(games)), opening_event(kind, (player,)), ended)
    log.day(0, {ANN: won(), BOB: won(), CYD: won()})
    assert {player: score.kind for player, score in scores(log.documents()).items()} == {
        ANN: "ranked", BOB: "fresh_account", CYD: "fresh_account",
    }  # fmt: skip
    log.day(1, {CYD: won()})
    assert scores(log.documents(), 1)[CYD].kind == "ranked", "the first day has seasoned them"


def test_a_contests_game_seasons_nobody_before_it_is_revealed() -> None:
    log = Season(rules=DAYS.asking(1))
    log.announced(0)
    log.attempt(0, ANN, won())
    log.day(1, {ANN: won(), BOB: won()})
    assert scores(log.documents(), 1)[ANN].kind == "fresh_account"


def test_a_rule_set_that_asks_for_games_has_an_id_of_its_own() -> None:
    assert DAYS.asking(0) is DAYS
    assert (DAYS.asking(3).id, DAYS.asking(3).seasoned) == ("same-deal-1-seasoned-3", 3)


def test_whoever_was_dealt_the_cards_and_never_ended_has_no_result_before_the_closing() -> None:
    log = Season()
    log.announced(0)
    log.attempt(0, ANN, won())
    log.attempt(0, BOB, None)
    assert scores(log.documents()) == {}
    log.close(0)
    assert list(scores(log.documents())) == [ANN]


def test_an_attempt_that_the_contest_was_closed_without_is_told_as_unreadable_and_costs_nobody_anything() -> None:
    log, without = Season(), Season()
    for season, players in ((log, (ANN, BOB, CYD)), (without, (ANN, CYD))):
        season.announced(0)
        for player in players:
            season.attempt(0, player, None if player == BOB else won(40 if player == ANN else 50))
    log.close(0, BOB)
    without.close(0)
    by_player, others = scores(log.documents()), scores(without.documents())
    assert [(score.player, score.kind) for score in by_player.values()] == [
        (ANN, "ranked"),
        (CYD, "ranked"),
        (BOB, "unreadable"),
    ]
    assert {player: by_player[player] for player in (ANN, CYD)} == others
    assert (by_player[BOB].place, by_player[BOB].percent, by_player[BOB].solved) == (None, None, False)
    season = present(row(log.documents(), BOB))
    assert [(day.kind, day.value) for day in season.days] == [("unreadable", None)]  # type: ignore[attr-defined]
    assert streak(log.documents(), BOB) == Streak(BOB)


def test_what_becomes_of_an_unreadable_attempt_after_the_seed_was_told_changes_nothing_but_a_void_does() -> None:
    log = Season()
    log.announced(0)
    log.attempt(0, ANN, won())
    log.attempt(0, BOB, None)
    log.close(0, BOB)
    before = scores(log.documents())
    log.say(game_of(0, BOB), ev.Finished(players=(BOB,), rated=True, opened_at=FIRST, contest=contest_of(0), **won(1)))
    log.say(game_of(0, BOB), ev.Revealed(b"", b""))
    assert scores(log.documents()) == before
    assert scores(log.rule(rulings.GamesVoided((game_of(0, BOB),), "abuse")).documents())[BOB].kind == "void"


# Seasons


def test_a_season_is_the_mean_of_the_best_days_and_a_missed_one_is_not_nought() -> None:
    rules = DayRules(id="test-1", best=2, least=2)
    log = Season(rules=rules)
    log.day(0, {ANN: won(), BOB: lost()}).day(1, {ANN: lost(), BOB: won()}).day(3, {ANN: won(), CYD: lost()})
    documents = log.documents()
    ann, bob, cyd = (present(row(documents, player)) for player in (ANN, BOB, CYD))
    assert (ann.mean, [day.counted for day in ann.days]) == ((1, 1), [True, False, True])
    assert (bob.mean, bob.compared) == ((1, 2), 2)
    assert not cyd.listed
    assert [key for key, _ in documents.listed(month().rows)] == [str(ANN), str(BOB)]


def test_a_day_alone_is_compared_with_nobody_and_counts_for_nothing_but_the_streak() -> None:
    documents = Season().day(0, {ANN: won()}).day(1, {ANN: won()}).documents()
    ann = present(row(documents, ANN))
    assert (ann.compared, ann.solved, [day.value for day in ann.days]) == (0, 2, [None, None])
    assert streak(documents, ANN).solved.length == 2


def test_means_that_are_equal_share_the_rank_whatever_the_number_of_days() -> None:
    rules = DayRules(id="test-2", best=5, least=1)
    documents = Season(rules=rules).day(0, {ANN: won(), BOB: won()}).day(1, {ANN: won(), CYD: won()}).documents()
    sorts = {key: sort for name, key, sort, _ in documents.rows() if name == month().rows.name}
    assert len(sorts) == 3
    assert len(set(sorts.values())) == 1


def test_a_league_counts_its_own_contests_in_its_season() -> None:
    log = Season(league=LEAGUE).day(0, {ANN: won(), BOB: lost()})
    documents = log.documents()
    entry = present(row(documents, ANN, league_season(LEAGUE, 1)))
    assert entry.compared == 1
    assert row(documents, ANN) is None
    assert documents.get(NEWEST(), "klondike") is None


def closed_league() -> Season:
    """Two contests of a league's season, and its closing."""
    log = Season(rules=DayRules(id="test-4", best=2, least=2), league=LEAGUE)
    log.day(0, {ANN: won(), BOB: lost()}).day(1, {ANN: won(), BOB: lost(), CYD: lost(5)})
    log.records.append(of_league(LEAGUE, 990, league_ev.SeasonClosed(1), ORGANISER, FIRST))
    return log


def published(log: Season) -> list[PublishedSeason]:
    return [season for _, season in log.documents().scan(PUBLISHED(*league_season(LEAGUE, 1)))]


def test_a_season_that_is_closed_is_published_with_places_position_and_hash() -> None:
    log = closed_league()
    (first,) = published(log)
    assert [(row.place, row.row.player) for row in first.rows] == [(1, ANN), (2, BOB), (None, CYD)]
    assert (first.number, first.because) == (0, "season closed")
    assert (first.position, first.hash) == (placed(log.records)[-1].position, digest(first.rows))


def test_what_changes_after_the_closing_is_an_amendment_beside_it_with_its_reason() -> None:
    log = closed_league().rule(rulings.GamesVoided((game_of(1, ANN),), "two accounts"))
    first, second = published(log)
    assert published(closed_league()) == [first]
    assert (second.number, second.because) == (1, "games voided: two accounts")
    assert [(row.place, row.row.player) for row in second.rows] == [(1, BOB), (None, ANN), (None, CYD)]
    log.rule(rulings.VoidsWithdrawn((game_of(1, ANN),), "they are two"))
    assert [season.hash for season in published(log)] == [first.hash, second.hash, first.hash]


def test_a_ruling_that_changes_nothing_amends_nothing() -> None:
    log = closed_league().rule(rulings.GamesVoided((game_of(7, ANN),), "elsewhere"))
    log.rule(rulings.VoidsWithdrawn((game_of(1, ANN),), "it was none"))
    assert len(published(log)) == 1


def test_a_contest_that_is_closed_after_its_season_amends_it() -> None:
    log = closed_league()
    log.records, last = log.records[:-1], log.records[-1]
    log.announced(2)
    for player, result in ((ANN, lost()), (CYD, won())):
        log.attempt(2, player, result)
    log.records.append(last)
    log.close(2)
    assert [season.because for season in published(log)] == ["season closed", "contest closed"]


# Streaks


def test_streaks_count_days_of_the_deal_across_months_and_a_gap_ends_them() -> None:
    log = Season()
    until = 20  # from the 14th of November into December
    for day in range(until):
        log.day(day, {ANN: won() if day != 5 else lost(), BOB: won(undos=day == 9)})
    documents = log.documents()
    ann, bob = streak(documents, ANN), streak(documents, BOB)
    assert (ann.ranked.length, ann.solved.length, ann.solved.best) == (20, 14, 14)
    assert (bob.ranked.length, bob.ranked.best) == (10, 10)
    newest = present(documents.get(NEWEST(), "klondike"))
    assert ann.ranked.last == newest.day == FIRST // DAY + until - 1


# Rulings


def season_by_lot(lots: Random, days: int = 6, people: int = 5) -> Season:
    log = Season(rules=DayRules(id="test-3", best=3, least=2))
    for day in range(days):
        chosen = lots.sample([member(number) for number in range(people)], lots.randrange(2, people + 1))
        log.day(
            day, {player: lots.choice([won(40), won(50), lost(9), lost(30), won(30, undos=1)]) for player in chosen}
        )
    return log


def entered_days(log: Season, player: UUID) -> list[int]:
    streams = {record.stream for record in log.records}
    return [day for day in range(6) if game_of(day, player) in streams]


@SEEDS
def test_a_void_gives_everybody_else_back_what_the_attempt_took_whenever_it_is_said(seed: int) -> None:
    log, never = season_by_lot(Random(seed)), Season()
    day = entered_days(log, ANN)[0]
    void = rulings.ruling_record(1, rulings.GamesVoided((game_of(day, ANN),), "abuse"), ORGANISER, FIRST)
    entries = placed(log.records)
    entry = next(
        entry for entry in entries if isinstance(entry.record.event, ct.Entered) and entry.record.event.player == ANN
    )
    early, late = ([*entries, Placed(at + 1, void)] for at in (entry.position, entries[-1].position))
    before, voided = (folded(DAYS_PROJECTION, sorted(ruled, key=lambda at: at.position)) for ruled in (early, late))
    assert before.rows() == voided.rows()
    never.records = [record for record in log.records if record.stream != game_of(day, ANN)]
    parts = [SCORES(contest_of(day)), month().rows, STREAKS("klondike")]
    assert of_others(voided, parts, ANN) == of_others(never.documents(), parts, ANN)
    assert scores(voided, day)[ANN].kind == "void"
    own, theirs = streak(voided, ANN), streak(never.documents(), ANN)
    assert (own.ranked, own.solved) == (theirs.ranked, theirs.solved)


def test_a_corrected_result_counts_in_place_of_the_recorded_one_and_withdrawn_does_not() -> None:
    log = Season().day(0, {ANN: won(), BOB: lost()})
    never = tables(log)
    wrong = rulings.ResultCorrected(game=game_of(0, ANN), ending="lost", winners=(), scores=(3,), reason="typo")
    by_player = scores(log.rule(wrong).documents())
    assert list(by_player) == [BOB, ANN]
    assert (by_player[ANN].solved, by_player[ANN].score, by_player[ANN].points) == (False, 3, 0)
    assert streak(log.documents(), ANN).solved.length == 0
    log.rule(rulings.CorrectionWithdrawn(game_of(0, ANN), "it was right"))
    assert tables(log) == never


def test_a_league_rules_for_its_own_contests_and_no_others() -> None:
    for league, kind in ((LEAGUE, "void"), (UUID(int=5), "ranked")):
        log = Season(league=LEAGUE).day(0, {ANN: won(), BOB: lost()})
        ruling = rulings.GamesVoided((game_of(0, ANN),), "abuse")
        log.records.append(of_league(league, 950, ruling, ORGANISER, FIRST))
        assert scores(log.documents())[ANN].kind == kind


class Counting(MemoryDocuments):
    """Counts what is written, by family."""

    def __init__(self) -> None:
        super().__init__()
        self.written: Counter[str] = Counter()

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        self.written[collection.name.split("/")[0]] += 1
        super().put(collection, key, document, sort)


def test_a_void_rewrites_the_rows_of_its_own_contest_and_one_streak() -> None:
    """Of the others, one had no place there to lose and twenty were not in it: their rows are not written again."""
    log = Season()
    log.day(0, {member(number): won(40 + number, undos=number == 6) for number in range(7)})
    for day in range(1, 4):
        log.day(day, {member(number): won(40 + number) for number in range(26)})
    documents = Counting()
    folded(DAYS_PROJECTION, placed(log.records), documents)
    documents.written.clear()
    log.rule(rulings.GamesVoided((game_of(0, member(2)),), "abuse"))
    DAYS_PROJECTION.fold(documents, placed(log.records)[-1])
    assert documents.written == {
        "attempts": 1, "contest_scores": 6, "season_days": 6, "day_seasons": 6, "day_streaks": 1,
    }  # fmt: skip
