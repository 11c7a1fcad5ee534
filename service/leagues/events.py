"""Events of a league, for its own list and for the accounts of the players concerned.

A league's list is public: it says nothing of a contest's attempts before the contest is closed.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from domain import rulings as rl
from domain.contest.aggregate import Contest
from domain.contest.events import Closed
from domain.league import events as ev
from domain.league.aggregate import AnyRecord, League
from domain.play.deciding import Step
from domain.record import Record
from projections.leagues.league_projection import FIXTURE_OF, LEAGUES_PROJECTION
from service.event_store.aggregates import Aggregates
from service.event_store.writing.rows import Companion
from service.outbox.events import EventType, account_statement, league_statement, tag
from service.records.summaries import Ended, end_summary
from service.workers.reads import Reads


def league_statements(league: League, records: Sequence[AnyRecord]) -> list[Companion]:
    """The statements to store with these records; `league` is the state before them."""
    return [
        statement
        for record in records
        for statement in (*_account_statements(league, record), *_event_statements(league, record))
    ]


def _account_statements(league: League, record: AnyRecord) -> Sequence[Companion]:
    """Account events for an invited player, or for the players of a division whose table changes."""
    match record.event:
        case ev.MemberInvited(player=guest):
            return [_account_statement(record, league.id, guest, "invitation", "You are invited to a league.")]
        case ev.WalkoverGiven(fixture=fixture) | ev.NotPlayed(fixture=fixture) | ev.FixtureReopened(fixture=fixture):
            return _table_statements(league, fixture, record)
        case _:
            return ()


def _table_statements(league: League, fixture: UUID, record: AnyRecord, game: UUID | None = None) -> list[Companion]:
    if (placed := league.fixture(fixture)) is None:
        return []
    sentence = "The table of your division in a league changes."
    players = placed[0].places[placed[1].division]
    return [_account_statement(record, league.id, player, "table_changed", sentence, game) for player in players]


def _account_statement(
    record: AnyRecord, league: UUID, player: UUID, kind: EventType, sentence: str, game: UUID | None = None
) -> Companion:
    cause: Any = {"of": record.stream, "version": record.version, "league": league, "game": game}
    return account_statement(player, kind, record.time, sentence, **cause)


_PLAYER_SENTENCES = {
    ev.MemberInvited: "{} is invited.",
    ev.InvitationWithdrawn: "{} is invited no more.",
    ev.MemberJoined: "{} joined.",
    ev.MemberLeft: "{} left.",
    ev.OrganiserNamed: "{} organises the league, too.",
    ev.OrganiserDismissed: "{} organises the league no more.",
}


def _event_statements(league: League, record: AnyRecord) -> Iterator[Companion]:
    event = record.event
    kind = str(type(event).__struct_config__.tag).partition("/")[2]
    tell = partial(_league_statement, league.id, record, kind)
    tell_fixture = partial(_fixture_statements, league, record, kind)
    if type(event) in _PLAYER_SENTENCES:
        yield tell(_PLAYER_SENTENCES[type(event)].format(tag(event.player)), players=[event.player])
    match event:
        case ev.Renamed(name=name):
            yield tell(f"The league is now called {name}.")
        case ev.SeasonOpened(season=number, divisions=divisions):
            yield tell(f"Season {number} begins.", season=number, players=list(chain(*divisions)))
        case ev.ContestAdded(season=number, contest=contest):
            yield tell(f"Season {number} has a new deal.", season=number, contest=contest)
        case ev.PlayerReplaced(season=number, player=gone, by=substitute):
            yield tell(f"{tag(substitute)} plays on for {tag(gone)}.", season=number, players=[gone, substitute])
        case ev.WalkoverGiven(fixture=fixture, to=winner):
            yield from tell_fixture(f"{{fixture}} goes to {tag(winner)} without a game.", fixture)
        case ev.NotPlayed(fixture=fixture):
            yield from tell_fixture("{fixture} is not played.", fixture)
        case ev.FixtureReopened(fixture=fixture):
            yield from tell_fixture("{fixture} is open again.", fixture)
        case ev.SeasonClosed(season=number):
            yield tell(f"Season {number} is closed and its tables are published.", season=number)
        case ev.PromotionsDecided(season=number, moves=moves):
            sentence = f"It is decided who moves up and down after season {number}."
            yield tell(sentence, season=number, players=[move.player for move in moves])
        case ev.Dissolved():
            yield tell("The league is over.")
        case _:
            yield from ruling_statements(league.id, record)


def _league_statement(league: UUID, record: Record[Any, Any], kind: Any, sentence: str, **more: Any) -> Companion:
    return league_statement(league, kind, record.time, sentence, of=record.stream, version=record.version, **more)


def _fixture_statements(
    league: League, record: AnyRecord, kind: str, sentence: str, fixture: UUID, game: UUID | None = None
) -> Iterator[Companion]:
    """The statement of an event of this fixture; `{fixture}` in its sentence stands for the players."""
    if (placed := league.fixture(fixture)) is not None:
        players, season = placed[0].playing(placed[1]), placed[0].number
        text = sentence.replace("{fixture}", " against ".join(map(tag, players)))
        yield _league_statement(
            league.id, record, kind, text, season=season, fixture=fixture, game=game, players=players
        )


def ruling_statements(league: UUID, record: AnyRecord, among: Sequence[UUID] | None = None) -> Iterator[Companion]:
    """The statements to store with a ruling on games of a league: all that it names, or those in `among`."""
    match record.event:
        case rl.GamesVoided(games=games, reason=reason):
            kind, sentence = "game_voided", f"A game counts for nothing: {reason}"
        case rl.VoidsWithdrawn(games=games, reason=reason):
            kind, sentence = "game_restored", f"A game counts again: {reason}"
        case rl.ResultCorrected(game=game, reason=reason):
            games, kind, sentence = (game,), "result_corrected", f"The result of a game is corrected: {reason}"
        case rl.CorrectionWithdrawn(game=game, reason=reason):
            games, kind, sentence = (game,), "correction_withdrawn", f"A game's result counts as it was: {reason}"
        case _:
            return
    for game in games:
        if among is None or game in among:
            yield _league_statement(league, record, kind, sentence, game=game)


def game_opened(league: League, fixture: UUID, step: Step) -> list[Companion]:
    """The statements to store with the opening of a fixture's game."""
    text = "{fixture}: the table is open."
    return list(_fixture_statements(league, step.records[0], "game_opened", text, fixture, step.game.id))


async def game_ended(reads: Reads, leagues: Aggregates[League], step: Step) -> list[Companion]:
    """The statements to store with the end of a fixture's game: for its division's players, and the league's event."""
    fixture, game, record = step.game.opening.fixture, step.game, step.records[-1]
    if fixture is None or (league := await league_of(reads, leagues, fixture)) is None:
        return []
    kind = "game_voided" if game.status == "voided" else "game_finished"
    tags = {player: tag(player) for player in game.players if player is not None}
    end = Ended(game.type.key, game.players, game.result, game.moves, game.status == "voided")
    return [
        *_table_statements(league, fixture, record, game.id),
        *_fixture_statements(league, record, kind, end_summary(end, tags), fixture, game.id),
    ]


async def league_of(reads: Reads, leagues: Aggregates[League], fixture: UUID) -> League | None:
    """The league of this fixture; None while the read model does not know it."""
    async with reads.of(LEAGUES_PROJECTION) as snapshot:
        place = await snapshot.document(FIXTURE_OF(), str(fixture))
    return None if place is None else await leagues.of(place.league)


def contest_statements(contest: Contest, events: Iterable[object], at: int) -> list[Companion]:
    """The statement to store with the closing of a league's contest."""
    league = contest.announced.league
    if league is None or not any(isinstance(event, Closed) for event in events):
        return []
    sentence = "A deal of the season is closed: its attempts and its seed can be seen."
    return [league_statement(
        league, "contest_closed", at, sentence, of=contest.id, version=contest.version + 1, contest=contest.id
    )]  # fmt: skip
