"""A league's seasons: opened, closed, promotions decided, players replaced, contests added."""

from collections.abc import Sequence
from uuid import UUID

from domain.game_type import Illegal
from domain.league import events as ev
from domain.league.aggregate import League, Season
from domain.league.decide.divisions import check_divisions, decided_divisions, fixture_list
from domain.league.decide.guards import Events, check_organiser, season_of
from domain.league.rules import BoxRules
from domain.record import Micros


def open_season(league: League, starts: Micros, ends: Micros, by: UUID, given: Sequence[Sequence[UUID]] = ()) -> Events:
    """The next season, once the one before is closed and its promotions are decided; divisions as given or decided.

    In the first season members are put into divisions in the order of joining.
    """
    check_organiser(league, by)
    before = league.season
    _check_season_over(league, before, bool(given))
    if ends <= starts:
        raise Illegal("season_ends", "A season ends after it starts.")
    divisions = tuple(tuple(division) for division in (given or decided_divisions(league, before)))
    check_divisions(league, divisions)
    number = len(league.seasons) + 1
    games = fixture_list(league, number, divisions)
    return [ev.SeasonOpened(season=number, starts=starts, ends=ends, divisions=divisions, fixtures=games)]


def _check_season_over(league: League, before: Season | None, given: bool) -> None:
    """Raises Illegal while the season before is open, or its promotions are neither decided nor replaced by `given`."""
    if before is not None and not before.closed:
        raise Illegal("season_open", f"Season {before.number} is not closed.")
    if before is not None and isinstance(league.founded.rules, BoxRules) and before.decided is None and not given:
        raise Illegal("not_decided", "Promotion and relegation are not decided.")


def close_season(league: League, season: int, by: UUID) -> Events:
    """The tables of the season are published as they stand: at its last day, or before it if all is played."""
    check_organiser(league, by)
    if season_of(league, season).closed:
        raise Illegal("season_closed", "The season is closed.")
    return [ev.SeasonClosed(season)]


def decide_promotions(league: League, season: int, tables: str, moves: Sequence[ev.Move], by: UUID) -> Events:
    """Who changes division; the hash says on which published tables that rests."""
    check_organiser(league, by)
    known = season_of(league, season)
    if not isinstance(league.founded.rules, BoxRules):
        raise Illegal("no_divisions", "A same-deal league has one division, and nobody moves.")
    if not known.closed or known.decided is not None:
        raise Illegal("not_to_decide", "Promotions are decided once, after the season is closed.")
    _check_moves(known, moves)
    return [ev.PromotionsDecided(season, tables, tuple(moves))]


def _check_moves(season: Season, moves: Sequence[ev.Move]) -> None:
    if len({move.player for move in moves}) < len(moves):
        raise Illegal("divisions", "A player moves once.")
    wrong = [move for move in moves if season.division_of(move.player) != move.before or move.before == move.after]
    if wrong or any(not 0 <= move.after < len(season.divisions) for move in moves):
        raise Illegal("divisions", "A move is from a player's own division to another one that there is.")


def replace_player(league: League, season: int, player: UUID, substitute: UUID, by: UUID) -> Events:
    """Another member plays what is left of the season."""
    check_organiser(league, by)
    known = season_of(league, season)
    if known.closed or known.division_of(player) is None:
        raise Illegal("not_in_season", "That player is not in a season that runs.")
    if substitute not in league.members or substitute in known.left or known.division_of(substitute) is not None:
        raise Illegal("substitute", "A substitute is a member who has no place in this season.")
    return [ev.PlayerReplaced(season, player, substitute)]


def add_contest(league: League, contest: UUID, by: UUID) -> Events:
    """A same-deal contest in the season that runs."""
    check_organiser(league, by)
    if isinstance(league.founded.rules, BoxRules):
        raise Illegal("box_league", "A box league plays fixtures, not same-deal contests.")
    if league.season is None or league.season.closed:
        raise Illegal("no_season", "No season runs.")
    return [ev.ContestAdded(league.season.number, contest)]
