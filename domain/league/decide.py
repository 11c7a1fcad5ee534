"""What members and organisers may do: each function gives the events, or raises Illegal with the rule's slug."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb
from typing import Any
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct

from domain.capabilities import DailyOptions, OptionRules, PureLuck
from domain.game_type import Forbidden, Illegal, Missing
from domain.games import GAME_TYPES, AnyGameType
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.events import Fixture
from domain.league.rules import LEAGUE_RULES, BoxRules, DayRules
from domain.record import Micros

MOST_MEMBERS = 1000
MOST_INVITED = 1000
MOST_ORGANISERS = 20
Events = Sequence[Struct]


def _check_not_dissolved(league: League) -> None:
    if league.dissolved:
        raise Illegal("dissolved", "The league is dissolved.")


def _check_organiser(league: League, by: UUID) -> None:
    """Raises Illegal unless `by` is an organiser and the league is not dissolved."""
    _check_not_dissolved(league)
    if by not in league.organisers:
        raise Forbidden("organisers_only", "Only an organiser of the league may do that.")


def _season_of(league: League, number: int) -> Season:
    if not 1 <= number <= len(league.seasons):
        raise Missing("no_such_season", "There is no such season.")
    return league.seasons[number - 1]


def _fixture_of(league: League, fixture: UUID) -> tuple[Season, ev.Fixture]:
    place = league.fixture(fixture)
    if place is None:
        raise Missing("no_such_fixture", "There is no such fixture.")
    return place


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


def found_league(founding: Founding, organiser: UUID) -> Events:
    """The league; its organiser is not a member until they join."""
    kind, rules = GAME_TYPES.get(founding.game_type), LEAGUE_RULES.get(founding.rules)
    if kind is None:
        raise Illegal("unknown_game_type", "There is no such game type.")
    if rules is None:
        raise Illegal("unknown_rules", f"There is no such rule set; there are {', '.join(LEAGUE_RULES)}.")
    table = founding.table or (max(2, kind.seats[0]) if isinstance(rules, BoxRules) else 1)
    _check_table(kind, rules, table)
    if founding.division_size < table:
        raise Illegal("division_size", "A division has players for a table at least.")
    if kind.has(PureLuck):
        raise Illegal("pure_luck", f"{kind.name} is pure luck: it has statistics and no ranking.")
    try:
        chosen: Any = msgspec.convert(founding.options, kind.options)
    except msgspec.ValidationError as error:
        raise Illegal("options", f"The options cannot be read: {error}.") from error
    options = kind.get(OptionRules).settle(chosen, table)
    return [ev.Founded(
        name=founding.name, organiser=organiser, game_type=kind.key, options=msgspec.to_builtins(options), rules=rules,
        membership=founding.membership, table=table, rounds=founding.rounds, division_size=founding.division_size,
        move_seconds=founding.move_seconds,
    )]  # fmt: skip


def _check_table(kind: AnyGameType, rules: BoxRules | DayRules, table: int) -> None:
    seats = kind.seat_counts
    if isinstance(rules, BoxRules):
        if table not in seats or not 2 <= table <= 5:
            raise Illegal("table_size", f"{kind.name} is not played by {table} at a league's table.")
        if rules.points == "two_one_zero" and table != 2:
            raise Illegal("two_players", "2, 1 and 0 points are for two players; larger tables use placement units.")
    elif table != 1 or 1 not in seats:
        raise Illegal("solo_only", "A same-deal league is for game types that one plays alone.")
    elif rules.boards and not kind.has(DailyOptions):
        raise Illegal("no_boards", f"{kind.name} has no boards; choose other rules.")


def rename(league: League, name: str, by: UUID) -> Events:
    """Another name; nothing where it is the old one."""
    _check_organiser(league, by)
    return [ev.Renamed(name)] if name != league.name else []


def dissolve(league: League, reason: str, by: UUID) -> Events:
    """The league is over; its tables stay."""
    _check_organiser(league, by)
    return [ev.Dissolved(reason)]


def invite(league: League, player: UUID, by: UUID) -> Events:
    """An organiser offers membership."""
    _check_organiser(league, by)
    if player in league.members:
        raise Illegal("member", "That player is a member.")
    if player in league.invited:
        raise Illegal("already_invited", "That player is invited.")
    if len(league.invited) >= MOST_INVITED:
        raise Illegal("too_many_invites", f"At most {MOST_INVITED} invitations stand at a time.")
    return [ev.MemberInvited(player)]


def withdraw_invitation(league: League, player: UUID, by: UUID) -> Events:
    """An organiser withdraws the invitation, or the invited player declines it."""
    if by != player:
        _check_organiser(league, by)
    _check_not_dissolved(league)
    if player not in league.invited:
        raise Missing("not_invited", "That player is not invited.")
    return [ev.InvitationWithdrawn(player)]


def join(league: League, by: UUID) -> Events:
    """Anybody may join an open league, else the invited and the organisers; they play from the next season on."""
    _check_not_dissolved(league)
    if by in league.members:
        raise Illegal("member", "You are a member.")
    if league.founded.membership == "invite" and by not in league.invited and by not in league.organisers:
        raise Forbidden("not_invited", "Membership of this league is by invitation.")
    if len(league.members) >= MOST_MEMBERS:
        raise Illegal("league_full", f"A league has {MOST_MEMBERS} members at most.")
    return [ev.MemberJoined(by)]


def leave(league: League, by: UUID) -> Events:
    """The member leaves the league and its open season; the tables decide what becomes of the fixtures."""
    _check_not_dissolved(league)
    if by not in league.members:
        raise Forbidden("not_a_member", "You are not a member.")
    return _remove_member(league, by, None)


def remove(league: League, player: UUID, reason: str, by: UUID) -> Events:
    """An organiser removes a member, saying why."""
    _check_organiser(league, by)
    return _remove_member(league, player, reason)


def _remove_member(league: League, player: UUID, reason: str | None) -> Events:
    _check_not_dissolved(league)
    if player not in league.members:
        raise Missing("not_a_member", "That player is not a member.")
    return [ev.MemberLeft(player, reason)]


def name_organiser(league: League, player: UUID, by: UUID) -> Events:
    """Another organiser beside those there are."""
    _check_organiser(league, by)
    if player in league.organisers:
        raise Illegal("organiser", "That player is an organiser.")
    if len(league.organisers) >= MOST_ORGANISERS:
        raise Illegal("too_many_organisers", f"A league has {MOST_ORGANISERS} organisers at most.")
    return [ev.OrganiserNamed(player)]


def dismiss_organiser(league: League, player: UUID, by: UUID) -> Events:
    """An organiser dismisses another one, or themselves; the last one stays."""
    _check_organiser(league, by)
    if player not in league.organisers:
        raise Missing("not_an_organiser", "That player is not an organiser.")
    if len(league.organisers) == 1:
        raise Illegal("last_organiser", "A league keeps one organiser at least.")
    return [ev.OrganiserDismissed(player)]


def open_season(
    league: League, starts: Micros, ends: Micros, by: UUID, requested: Sequence[Sequence[UUID]] = ()
) -> Events:
    """The next season, once the one before is closed and its promotions are decided; divisions as given or decided.

    In the first season members are put into divisions in the order of joining.
    """
    _check_organiser(league, by)
    before = league.season
    if before is not None and not before.closed:
        raise Illegal("season_open", f"Season {before.number} is not closed.")
    if before is not None and isinstance(league.founded.rules, BoxRules) and before.decided is None and not requested:
        raise Illegal("not_decided", "Promotion and relegation are not decided.")
    if ends <= starts:
        raise Illegal("season_ends", "A season ends after it starts.")
    divisions = tuple(tuple(division) for division in (requested or decided_divisions(league, before)))
    check_divisions(league, divisions)
    number = len(league.seasons) + 1
    games = fixture_list(league, number, divisions)
    return [ev.SeasonOpened(season=number, starts=starts, ends=ends, divisions=divisions, fixtures=games)]


def close_season(league: League, season: int, by: UUID) -> Events:
    """The tables of the season are published as they stand, whenever an organiser says so."""
    _check_organiser(league, by)
    if _season_of(league, season).closed:
        raise Illegal("season_closed", "The season is closed.")
    return [ev.SeasonClosed(season)]


def decide_promotions(league: League, season: int, tables: str, moves: Sequence[ev.Move], by: UUID) -> Events:
    """Who changes division; the hash says on which published tables that rests."""
    _check_organiser(league, by)
    current = _season_of(league, season)
    if not isinstance(league.founded.rules, BoxRules):
        raise Illegal("no_divisions", "A same-deal league has one division, and nobody moves.")
    if not current.closed or current.decided is not None:
        raise Illegal("not_to_decide", "Promotions are decided once, after the season is closed.")
    if len({move.player for move in moves}) < len(moves):
        raise Illegal("divisions", "A player moves once.")
    wrong = [move for move in moves if current.division_of(move.player) != move.before or move.before == move.after]
    if wrong or any(not 0 <= move.after < len(current.divisions) for move in moves):
        raise Illegal("divisions", "A move is from a player's own division to another one that there is.")
    return [ev.PromotionsDecided(season, tables, tuple(moves))]


def replace_player(league: League, season: int, player: UUID, substitute: UUID, by: UUID) -> Events:
    """Another member plays what is left of the season."""
    _check_organiser(league, by)
    current = _season_of(league, season)
    if current.closed or current.division_of(player) is None:
        raise Illegal("not_in_season", "That player is not in a season that runs.")
    if substitute not in league.members or substitute in current.left or current.division_of(substitute) is not None:
        raise Illegal("substitute", "A substitute is a member who has no place in this season.")
    return [ev.PlayerReplaced(season, player, substitute)]


def add_contest(league: League, contest: UUID, by: UUID) -> Events:
    """A same-deal contest in the season that runs."""
    _check_organiser(league, by)
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league plays fixtures, not same-deal contests.")
    if league.season is None or league.season.closed:
        raise Illegal("no_season", "No season runs.")
    return [ev.ContestAdded(league.season.number, contest)]


def give_walkover(league: League, fixture: UUID, to: UUID, reason: str, by: UUID) -> Events:
    """A fixture without a game goes to the side that was there."""
    season, entry = _find_open_fixture(league, fixture, by)
    players = season.playing(entry)
    if to not in players:
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.WalkoverGiven(fixture, to, reason, tuple(player for player in players if player != to))]


def declare_not_played(league: League, fixture: UUID, absent: Sequence[UUID], reason: str, by: UUID) -> Events:
    """The fixture is declared not played: nobody gets points."""
    season, entry = _find_open_fixture(league, fixture, by)
    if set(absent) - set(season.playing(entry)):
        raise Illegal("not_in_fixture", "That player is not in the fixture.")
    return [ev.NotPlayed(fixture, tuple(absent), reason)]


def reopen_fixture(league: League, fixture: UUID, reason: str, by: UUID) -> Events:
    """A walkover, or the ruling that the fixture was not played, is taken back."""
    _check_organiser(league, by)
    season, _ = _fixture_of(league, fixture)
    if fixture not in season.ended:
        raise Illegal("not_ended", "The fixture was not ended without a game.")
    return [ev.FixtureReopened(fixture, reason)]


def fixture_players(league: League, fixture: UUID, by: UUID, at: Micros) -> tuple[UUID, ...]:
    """The players of a fixture whose game `by` may open at this time, in order of the seats."""
    season, entry = _fixture_of(league, fixture)
    players = season.playing(entry)
    if by not in players:
        raise Forbidden("not_in_fixture", "You are not in that fixture.")
    if season.closed or league.dissolved or fixture in season.ended:
        raise Illegal("fixture_over", "The fixture is over.")
    if at < season.starts:
        raise Illegal("season_not_begun", "The season has not begun.")
    if set(players) & set(season.left):
        raise Illegal("player_left", "One of the players has left the league.")
    return players


def _find_open_fixture(league: League, fixture: UUID, by: UUID) -> tuple[Season, ev.Fixture]:
    _check_organiser(league, by)
    season, entry = _fixture_of(league, fixture)
    if fixture in season.ended:
        raise Illegal("fixture_over", "The fixture is over.")
    return season, entry


MOST_FIXTURES = 10_000
"""The most fixtures of one season."""


def fixture_list(league: League, season: int, divisions: Sequence[Sequence[UUID]]) -> tuple[ev.Fixture, ...]:
    """The fixtures of a season; none in a same-deal league. Raises Illegal for more than MOST_FIXTURES."""
    if not isinstance(league.founded.rules, BoxRules):
        return ()
    if sum(comb(len(division), league.founded.table) for division in divisions) * league.founded.rounds > MOST_FIXTURES:
        raise Illegal("too_many_fixtures", f"A season has {MOST_FIXTURES} fixtures at most: make divisions smaller.")
    return tuple(fixtures(league.id, season, divisions, league.founded.table, league.founded.rounds))


def check_divisions(league: League, divisions: Sequence[Sequence[UUID]]) -> None:
    """Raises Illegal for divisions that cannot play."""
    placed = [player for division in divisions for player in division]
    if len(set(placed)) != len(placed) or set(placed) - set(league.members):
        raise Illegal("divisions", "Divisions hold members, and each of them once.")
    if len(placed) < max(2, league.founded.table):
        raise Illegal("too_few_members", "There are not enough members for a season.")
    if any(len(division) < league.founded.table for division in divisions):
        raise Illegal("small_division", "A division has too few players for one table.")


def decided_divisions(league: League, before: Season | None) -> list[list[UUID]]:
    """As decided after the season before, newcomers in the lowest; same-deal leagues have one division.

    A substitute keeps the place that they took over; a replaced player comes back as a newcomer (our ruling).
    """
    if not isinstance(league.founded.rules, BoxRules):
        return [list(league.members)]
    if before is None or before.decided is None:
        return _cut_divisions(list(league.members), league.founded.division_size, league.founded.table)
    everybody = _decided_rows(before, before.decided)
    rows = [[player for player in row if player in league.members] for row in everybody]
    if league.founded.rules.even:
        sizes = [min(len(row), len(division)) for row, division in zip(everybody, before.divisions, strict=True)]
        _fill_gaps(rows, sizes, before.decided)
    placed = {player for row in rows for player in row}
    rows = [row for row in rows if row] or [[]]
    rows[-1] += [player for player in league.members if player not in placed]
    return _balanced_divisions(rows, league.founded.division_size, league.founded.table)


def _decided_rows(before: Season, decided: ev.PromotionsDecided) -> list[list[UUID]]:
    """Who plays in which division next, as decided, including those who have left since."""
    after = {move.player: move.after for move in decided.moves}
    rows: list[list[UUID]] = [[] for _ in before.divisions]
    for number, division in enumerate(before.places):
        for player in division:
            rows[after.get(player, number)].append(player)
    return rows


def _fill_gaps(rows: list[list[UUID]], sizes: Sequence[int], decided: ev.PromotionsDecided) -> None:
    """Fill gaps that arose since the decision with players from below: those relegated there first, then in order."""
    for at, (row, below) in enumerate(pairwise(rows)):
        falling = {move.player for move in decided.moves if (move.before, move.after) == (at, at + 1)}
        below.sort(key=lambda player: player not in falling)
        gap = max(0, sizes[at] - len(row))
        row += below[:gap]
        del below[:gap]


def _balanced_divisions(rows: list[list[UUID]], size: int, table: int) -> list[list[UUID]]:
    """Cut a lowest division that is too large; one too small for a table joins the one above (the highest: below)."""
    *upper, lowest = rows
    cut = [*upper, *_cut_divisions(lowest, size, table)]
    while len(cut) > 1 and any(len(row) < table for row in cut):
        at = next(number for number, row in enumerate(cut) if len(row) < table)
        to = at - 1 if at else 1
        cut[to] = cut[to] + cut[at] if to < at else cut[at] + cut[to]
        del cut[at]
    return cut


def _cut_divisions(players: list[UUID], size: int, table: int) -> list[list[UUID]]:
    cut = [players[at : at + size] for at in range(0, len(players), size)] or [[]]
    if len(cut) > 1 and len(cut[-1]) < table:
        last = cut.pop()
        cut[-1] = cut[-1] + last
    return cut


def fixtures(
    league: UUID, season: int, divisions: Sequence[Sequence[UUID]], table: int, rounds: int
) -> Iterator[Fixture]:
    """The fixtures of a season: each set of `table` players of a division once a round, the seats rotated by round.

    A division smaller than a table plays nothing. Ids follow from league, season, division, round and number.
    """
    for division, players in enumerate(divisions):
        for turn in range(rounds):
            for number, group in enumerate(_round_robin_pairs(players) if table == 2 else combinations(players, table)):
                name = f"{season}/{division}/{turn}/{number}"
                first = turn % len(group)
                yield Fixture(uuid5(league, name), division, turn, (*group[first:], *group[:first]))


def _round_robin_pairs(players: Sequence[UUID]) -> Iterator[tuple[UUID, ...]]:
    """All pairs in the order of a round robin (the circle method), first seats shared out evenly."""
    circle: list[UUID | None] = [*players, *([None] if len(players) % 2 else [])]
    for turn in range(len(circle) - 1):
        for place in range(len(circle) // 2):
            player, other = circle[place], circle[-1 - place]
            if player is not None and other is not None:
                yield (player, other) if (place == 0 and turn % 2 == 0) or place % 2 else (other, player)
        circle = [circle[0], circle[-1], *circle[1:-1]]
