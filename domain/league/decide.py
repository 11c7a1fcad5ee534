"""What members and organisers may do: each function gives the events, or raises Illegal with the rule's slug."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.fixtures import fixtures
from domain.league.rules import LEAGUE_RULES, BoxRules
from domain.record import Micros

Events = Sequence[Struct]
MOST_MEMBERS = 1000


class Founding(Struct, frozen=True, kw_only=True):
    """How a league shall be founded; `rules` is the id of a rule set."""

    name: str
    game_type: str
    options: dict[str, Any] = {}
    rules: str
    membership: ev.Membership = "open"
    table: int | None = None
    rounds: int = 1
    division_size: int = 6
    move_seconds: int | None = None


def found(wanted: Founding, organiser: UUID) -> Events:
    """The league; its organiser is not a member until they join."""
    kind, rules = GAME_TYPES.get(wanted.game_type), LEAGUE_RULES.get(wanted.rules)
    if kind is None:
        raise Illegal("unknown_game_type", "There is no such game type.")
    if rules is None:
        raise Illegal("unknown_rules", f"There is no such rule set; there are {', '.join(LEAGUE_RULES)}.")
    table = wanted.table or (max(2, kind.seats[0]) if isinstance(rules, BoxRules) else 1)
    _fitting(kind.name, (*kind.seats, *kind.seats_by_option), rules, table)
    if wanted.division_size < table:
        raise Illegal("division_size", "A division has players for a table at least.")
    if kind.pure_luck:
        raise Illegal("pure_luck", f"{kind.name} is pure luck: it has statistics and no ranking.")
    options = kind.settle(_read(wanted.options, kind.options), table)
    return [ev.Founded(
        name=wanted.name, organiser=organiser, game_type=kind.key, options=msgspec.to_builtins(options), rules=rules,
        membership=wanted.membership, table=table, rounds=wanted.rounds, division_size=wanted.division_size,
        move_seconds=wanted.move_seconds,
    )]  # fmt: skip


def _fitting(name: str, seats: Sequence[int], rules: Any, table: int) -> None:
    if isinstance(rules, BoxRules):
        if table not in seats or not 2 <= table <= 5:
            raise Illegal("table_size", f"{name} is not played by {table} at a league's table.")
        if rules.points == "two_one_zero" and table != 2:
            raise Illegal("two_players", "2, 1 and 0 points are for two players; larger tables use placement units.")
    elif table != 1 or 1 not in seats:
        raise Illegal("solo_only", "A same-deal league is for game types that one plays alone.")


def _read(options: dict[str, Any], kind: type[Struct]) -> Any:
    try:
        return msgspec.convert(options, kind)
    except msgspec.ValidationError as error:
        raise Illegal("options", f"The options cannot be read: {error}.") from error


def rename(league: League, name: str, by: UUID) -> Events:
    _organiser(league, by)
    return [ev.Renamed(name)] if name != league.name else []


def invite(league: League, player: UUID, by: UUID) -> Events:
    """An organiser offers membership."""
    _organiser(league, by)
    if player in league.members or player in league.invited:
        raise Illegal("member", "That player is a member, or invited.")
    return [ev.MemberInvited(player)]


def withdraw_invitation(league: League, player: UUID, by: UUID) -> Events:
    """By an organiser, or by who was invited."""
    if by != player:
        _organiser(league, by)
    _lives(league)
    if player not in league.invited:
        raise Illegal("not_invited", "That player is not invited.")
    return [ev.InvitationWithdrawn(player)]


def join(league: League, by: UUID) -> Events:
    """Anybody where membership is open, else whoever is invited; plays from the next season on."""
    _lives(league)
    if by in league.members:
        raise Illegal("member", "You are a member.")
    if league.founded.membership == "invite" and by not in league.invited and by not in league.organisers:
        raise Illegal("not_invited", "Membership of this league is by invitation.")
    if len(league.members) >= MOST_MEMBERS:
        raise Illegal("league_full", f"A league has {MOST_MEMBERS} members at most.")
    return [ev.MemberJoined(by)]


def leave(league: League, by: UUID) -> Events:
    """Out of the league and of the season that runs: what becomes of the fixtures, the tables say."""
    return _leaving(league, by, None)


def remove(league: League, player: UUID, reason: str, by: UUID) -> Events:
    """An organiser removes a member, saying why."""
    _organiser(league, by)
    return _leaving(league, player, reason)


def _leaving(league: League, player: UUID, reason: str | None) -> Events:
    _lives(league)
    if player not in league.members:
        raise Illegal("not_a_member", "That player is not a member.")
    return [ev.MemberLeft(player, reason)]


def name_organiser(league: League, player: UUID, by: UUID) -> Events:
    _organiser(league, by)
    if player in league.organisers:
        raise Illegal("organiser", "That player is an organiser.")
    return [ev.OrganiserNamed(player)]


def dismiss_organiser(league: League, player: UUID, by: UUID) -> Events:
    """Any organiser may go, but the last."""
    _organiser(league, by)
    if player not in league.organisers:
        raise Illegal("not_an_organiser", "That player is not an organiser.")
    if len(league.organisers) == 1:
        raise Illegal("last_organiser", "A league keeps one organiser at least.")
    return [ev.OrganiserDismissed(player)]


def dissolve(league: League, reason: str, by: UUID) -> Events:
    _organiser(league, by)
    return [ev.Dissolved(reason)]


def open_season(league: League, starts: Micros, ends: Micros, by: UUID, given: Sequence[Sequence[UUID]] = ()) -> Events:
    """The next season, once the one before is closed and its promotions are decided; divisions as given, or by places.

    Of the first season the members are put into divisions in the order of joining.
    """
    _organiser(league, by)
    before = league.season
    if before is not None and not before.closed:
        raise Illegal("season_open", f"Season {before.number} is not closed.")
    if before is not None and isinstance(league.founded.rules, BoxRules) and before.decided is None and not given:
        raise Illegal("not_decided", "Promotion and relegation are not decided.")
    if ends <= starts:
        raise Illegal("season_ends", "A season ends after it starts.")
    divisions = tuple(tuple(division) for division in (given or _divisions(league, before)))
    _complete(league, divisions)
    number = len(league.seasons) + 1
    games = _fixtures(league, number, divisions)
    return [ev.SeasonOpened(season=number, starts=starts, ends=ends, divisions=divisions, fixtures=games)]


def _fixtures(league: League, season: int, divisions: Sequence[Sequence[UUID]]) -> tuple[ev.Fixture, ...]:
    if not isinstance(league.founded.rules, BoxRules):
        return ()
    return tuple(fixtures(league.id, season, divisions, league.founded.table, league.founded.rounds))


def _complete(league: League, divisions: Sequence[Sequence[UUID]]) -> None:
    placed = [player for division in divisions for player in division]
    if len(set(placed)) != len(placed) or set(placed) - set(league.members):
        raise Illegal("divisions", "Divisions hold members, and each of them once.")
    if len(placed) < max(2, league.founded.table):
        raise Illegal("too_few_members", "There are not enough members for a season.")
    if any(len(division) < league.founded.table for division in divisions):
        raise Illegal("small_division", "A division has too few players for one table.")


def _divisions(league: League, before: Season | None) -> list[list[UUID]]:
    """As decided after the season before, newcomers in the lowest; same-deal leagues have one division."""
    if not isinstance(league.founded.rules, BoxRules):
        return [list(league.members)]
    if before is None or before.decided is None:
        return _cut(list(league.members), league.founded.division_size, league.founded.table)
    after = {move.player: move.after for move in before.decided.moves}
    rows: list[list[UUID]] = [[] for _ in before.divisions]
    for number, division in enumerate(before.divisions):
        for player in division:
            if player in league.members:
                rows[after.get(player, number)].append(player)
    known = {player for division in before.divisions for player in division}
    rows[-1] += [player for player in league.members if player not in known]
    return _balanced(rows, league.founded.division_size, league.founded.table)


def _balanced(rows: list[list[UUID]], size: int, table: int) -> list[list[UUID]]:
    """A lowest division that grew too large is cut; one too small for a table joins the one above."""
    *upper, lowest = [row for row in rows if row] or [[]]
    cut = [*upper, *_cut(lowest, size, table)]
    while len(cut) > 1 and any(len(row) < table for row in cut):
        at = next(number for number, row in enumerate(cut) if len(row) < table)
        to = at - 1 if at else 1
        cut[to] = cut[to] + cut[at] if to < at else cut[at] + cut[to]
        del cut[at]
    return cut


def _cut(players: list[UUID], size: int, table: int) -> list[list[UUID]]:
    cut = [players[at : at + size] for at in range(0, len(players), size)] or [[]]
    if len(cut) > 1 and len(cut[-1]) < table:
        last = cut.pop()
        cut[-1] = cut[-1] + last
    return cut


def close_season(league: League, season: int, by: UUID) -> Events:
    """The tables of the season are published as they stand."""
    _organiser(league, by)
    if _season(league, season).closed:
        raise Illegal("season_closed", "The season is closed.")
    return [ev.SeasonClosed(season)]


def decide_promotions(league: League, season: int, tables: str, moves: Sequence[ev.Move], by: UUID) -> Events:
    """Who changes division; the hash says on which published tables that rests."""
    _organiser(league, by)
    known = _season(league, season)
    if not known.closed or known.decided is not None:
        raise Illegal("not_to_decide", "Promotions are decided once, after the season is closed.")
    wrong = [move for move in moves if known.division_of(move.player) != move.before]
    if wrong or any(not 0 <= move.after < len(known.divisions) for move in moves):
        raise Illegal("divisions", "A move is from a player's own division to one that there is.")
    return [ev.PromotionsDecided(season, tables, tuple(moves))]


def give_walkover(league: League, fixture: UUID, to: UUID, reason: str, by: UUID) -> Events:
    """A fixture without a game goes to the side that was there."""
    season, known = _open_fixture(league, fixture, by)
    players = playing(season, known)
    if to not in players:
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.WalkoverGiven(fixture, to, reason, tuple(player for player in players if player != to))]


def not_played(league: League, fixture: UUID, absent: Sequence[UUID], reason: str, by: UUID) -> Events:
    """A fixture that nobody gets anything for."""
    season, known = _open_fixture(league, fixture, by)
    if set(absent) - set(playing(season, known)):
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.NotPlayed(fixture, tuple(absent), reason)]


def reopen_fixture(league: League, fixture: UUID, reason: str, by: UUID) -> Events:
    """A walkover, or that it was not played, is taken back."""
    _organiser(league, by)
    found = league.fixture(fixture)
    if found is None or fixture not in found[0].ended:
        raise Illegal("not_ended", "The fixture was not ended without a game.")
    return [ev.FixtureReopened(fixture, reason)]


def replace_player(league: League, season: int, player: UUID, substitute: UUID, by: UUID) -> Events:
    """Another member plays what is left of the season."""
    _organiser(league, by)
    known = _season(league, season)
    if known.closed or known.division_of(player) is None:
        raise Illegal("not_in_season", "That player is not in a season that runs.")
    if known.division_of(substitute) is not None or substitute not in league.members:
        raise Illegal("substitute", "A substitute is a member who has no place in this season.")
    return [ev.PlayerReplaced(season, player, substitute)]


def add_contest(league: League, contest: UUID, by: UUID) -> Events:
    """A same-deal contest in the season that runs."""
    _organiser(league, by)
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league plays fixtures, not same-deal contests.")
    if league.season is None or league.season.closed:
        raise Illegal("no_season", "No season runs.")
    return [ev.ContestAdded(league.season.number, contest)]


def playing(season: Season, fixture: ev.Fixture) -> tuple[UUID, ...]:
    """Who is to play the fixture, substitutes in their places."""
    players = fixture.players
    for change in season.replaced:
        players = tuple(change.by if player == change.player else player for player in players)
    return players


def playable(league: League, fixture: UUID, by: UUID) -> tuple[UUID, ...]:
    """The players of a fixture whose game `by` may open now, in order of the seats."""
    found = league.fixture(fixture)
    if found is None:
        raise Illegal("no_such_fixture", "There is no such fixture.")
    season, known = found
    players = playing(season, known)
    if by not in players:
        raise Illegal("not_in_fixture", "You are not in that fixture.")
    if season.closed or league.dissolved or fixture in season.ended:
        raise Illegal("fixture_over", "The fixture is over.")
    if set(players) & set(season.left):
        raise Illegal("player_left", "One of the players has left the league.")
    return players


def _open_fixture(league: League, fixture: UUID, by: UUID) -> tuple[Season, ev.Fixture]:
    _organiser(league, by)
    found = league.fixture(fixture)
    if found is None:
        raise Illegal("no_such_fixture", "There is no such fixture.")
    if fixture in found[0].ended:
        raise Illegal("fixture_over", "The fixture is over.")
    return found


def _season(league: League, number: int) -> Season:
    if not 1 <= number <= len(league.seasons):
        raise Illegal("no_such_season", "There is no such season.")
    return league.seasons[number - 1]


def _organiser(league: League, by: UUID) -> None:
    _lives(league)
    if by not in league.organisers:
        raise Illegal("organisers_only", "Only an organiser of the league may do that.")


def _lives(league: League) -> None:
    if league.dissolved:
        raise Illegal("dissolved", "The league is dissolved.")
