"""Founding a league, naming it anew, dissolving it."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.capabilities import DailyOptions, OptionRules, PureLuck
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.league import events as ev
from domain.league.aggregate import League
from domain.league.decide.guards import Events, check_organiser
from domain.league.rules import LEAGUE_RULES, BoxRules, DayRules


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


def found_league(wanted: Founding, organiser: UUID) -> Events:
    """The league; its organiser is not a member until they join."""
    kind, rules = _game_type_and_rules(wanted)
    table = wanted.table or (max(2, kind.seats[0]) if isinstance(rules, BoxRules) else 1)
    _check_table(kind, rules, table)
    if wanted.division_size < table:
        raise Illegal("division_size", "A division has players for a table at least.")
    if kind.has(PureLuck):
        raise Illegal("pure_luck", f"{kind.name} is pure luck: it has statistics and no ranking.")
    options = kind.get(OptionRules).settle(_read_options(wanted.options, kind.options), table)
    return [ev.Founded(
        name=wanted.name, organiser=organiser, game_type=kind.key, options=msgspec.to_builtins(options), rules=rules,
        membership=wanted.membership, table=table, rounds=wanted.rounds, division_size=wanted.division_size,
        move_seconds=wanted.move_seconds,
    )]  # fmt: skip


def _game_type_and_rules(wanted: Founding) -> tuple[AnyGameType, BoxRules | DayRules]:
    kind, rules = GAME_TYPES.get(wanted.game_type), LEAGUE_RULES.get(wanted.rules)
    if kind is None:
        raise Illegal("unknown_game_type", "There is no such game type.")
    if rules is None:
        raise Illegal("unknown_rules", f"There is no such rule set; there are {', '.join(LEAGUE_RULES)}.")
    return kind, rules


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


def _read_options(options: dict[str, Any], kind: type[Struct]) -> Any:
    try:
        return msgspec.convert(options, kind)
    except msgspec.ValidationError as error:
        raise Illegal("options", f"The options cannot be read: {error}.") from error


def rename(league: League, name: str, by: UUID) -> Events:
    """Another name; nothing where it is the old one."""
    check_organiser(league, by)
    return [ev.Renamed(name)] if name != league.name else []


def dissolve(league: League, reason: str, by: UUID) -> Events:
    """The league is over; its tables stay."""
    check_organiser(league, by)
    return [ev.Dissolved(reason)]
