"""What is told of a league: to the accounts that it concerns, and in the league's own events.

A league's events say what everybody may see of it: nothing of a contest's attempts before it is closed.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from domain import rulings as rl
from domain.contest.aggregate import Contest
from domain.contest.events import Closed
from domain.league import events as ev
from domain.league.aggregate import AnyRecord, League
from domain.play.aggregate import Game
from domain.play.deciding import Step
from domain.record import Record
from projections.leagues.documents import FIXTURE_OF
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.event_store.writing.rows import Companion
from service.outbox.events import EventType, account_statement, league_statement, tag
from service.records.summaries import Ended, end_summary

if TYPE_CHECKING:
    from service.event_store.aggregates import Aggregates
    from service.workers.reads import Reads


def told_of_league(league: League, records: Sequence[AnyRecord]) -> list[Companion]:
    """The statements beside these records of a league as it was before them."""
    return [
        statement
        for record in records
        for statement in (*_told_accounts(league, record), *_told_league(league, record))
    ]


def _told_accounts(league: League, record: AnyRecord) -> Sequence[Companion]:
    """Those that tell invited players, and those of a division whose table changes."""
    match record.event:
        case ev.MemberInvited(player=guest):
            return [_to_account(record, league.id, guest, "invitation", "You are invited to a league.")]
        case ev.WalkoverGiven(fixture=fixture) | ev.NotPlayed(fixture=fixture) | ev.FixtureReopened(fixture=fixture):
            return _table_changes(league, fixture, record)
        case _:
            return ()


def _table_changes(league: League, fixture: UUID, record: AnyRecord, game: UUID | None = None) -> list[Companion]:
    if (found := league.fixture(fixture)) is None:
        return []
    sentence = "The table of your division in a league changes."
    players = found[0].places[found[1].division]
    return [_to_account(record, league.id, player, "table_changed", sentence, game) for player in players]


def _to_account(
    record: AnyRecord, league: UUID, player: UUID, kind: EventType, sentence: str, game: UUID | None = None
) -> Companion:
    cause: Any = {"of": record.stream, "version": record.version, "league": league, "game": game}
    return account_statement(player, kind, record.time, sentence, **cause)


_OF_A_PLAYER = {
    ev.MemberInvited: "{} is invited.",
    ev.InvitationWithdrawn: "{} is invited no more.",
    ev.MemberJoined: "{} joined.",
    ev.MemberLeft: "{} left.",
    ev.OrganiserNamed: "{} organises the league, too.",
    ev.OrganiserDismissed: "{} organises the league no more.",
}


def _told_league(league: League, record: AnyRecord) -> Iterator[Companion]:
    event = record.event
    kind = str(type(event).__struct_config__.tag).partition("/")[2]
    tell, tell_fixture = partial(_to_league, league.id, record, kind), partial(_of_fixture, league, record, kind)
    if type(event) in _OF_A_PLAYER:
        yield tell(_OF_A_PLAYER[type(event)].format(tag(event.player)), players=[event.player])
    match event:
        case ev.Renamed(name=name):
            yield tell(f"The league is now called {name}.")
        case ev.SeasonOpened(season=number, divisions=divisions):
            yield tell(f"Season {number} begins.", season=number, players=[one for each in divisions for one in each])
        case ev.ContestAdded(season=number, contest=contest):
            yield tell(f"Season {number} has a new deal.", season=number, contest=contest)
        case ev.PlayerReplaced(season=number, player=gone, by=one):
            yield tell(f"{tag(one)} plays on for {tag(gone)}.", season=number, players=[gone, one])
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
            yield from ruling_told(league.id, record)


def _to_league(league: UUID, record: Record[Any, Any], kind: Any, sentence: str, **more: Any) -> Companion:
    return league_statement(league, kind, record.time, sentence, of=record.stream, version=record.version, **more)


def _of_fixture(
    league: League, record: AnyRecord, kind: str, sentence: str, fixture: UUID, game: UUID | None = None
) -> Iterator[Companion]:
    """The statement of an event of this fixture; `{fixture}` in its sentence stands for who plays it."""
    if (found := league.fixture(fixture)) is not None:
        players, season = found[0].playing(found[1]), found[0].number
        told = sentence.replace("{fixture}", " against ".join(map(tag, players)))
        yield _to_league(league.id, record, kind, told, season=season, fixture=fixture, game=game, players=players)


def ruling_told(league: UUID, record: AnyRecord, among: Sequence[UUID] | None = None) -> Iterator[Companion]:
    """The statements beside a ruling on games of a league: all that it names, or those `among` them."""
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
            yield _to_league(league, record, kind, sentence, game=game)


def game_opened(league: League, fixture: UUID, step: Step) -> list[Companion]:
    """The statements beside the opening of a fixture's game."""
    sentence = "{fixture}: the table is open."
    return list(_of_fixture(league, step.records[0], "game_opened", sentence, fixture, step.game.id))


async def game_ended(reads: "Reads", known: "Aggregates[League]", step: Step) -> list[Companion]:
    """The statements beside the end of a fixture's game: for its division's players, and the league's event."""
    fixture, game, record = step.game.opening.fixture, step.game, step.records[-1]
    if fixture is None or (found := await league_of(reads, known, fixture)) is None:
        return []
    kind = "game_voided" if game.status == "voided" else "game_finished"
    return [
        *_table_changes(found, fixture, record, game.id),
        *_of_fixture(found, record, kind, _end_sentence(game), fixture, game.id),
    ]


async def league_of(reads: "Reads", known: "Aggregates[League]", fixture: UUID) -> League | None:
    """The league that this fixture is of; None while the read model does not know it."""
    async with reads.of(LEAGUES_PROJECTION) as snapshot:
        place = await snapshot.document(FIXTURE_OF(), str(fixture))
    return None if place is None else await known.of(place.league)


def _end_sentence(game: Game) -> str:
    tags = {player: tag(player) for player in game.players if player is not None}
    return end_summary(Ended(game.type.key, game.players, game.result, game.moves, game.status == "voided"), tags)


def contest_told(contest: Contest, events: Iterable[object], at: int) -> list[Companion]:
    """The statement beside the closing of a league's contest."""
    league = contest.announced.league
    if league is None or not any(isinstance(event, Closed) for event in events):
        return []
    sentence = "A deal of the season is closed: its attempts and its seed can be seen."
    return [league_statement(
        league, "contest_closed", at, sentence, of=contest.id, version=contest.version + 1, contest=contest.id
    )]  # fmt: skip
