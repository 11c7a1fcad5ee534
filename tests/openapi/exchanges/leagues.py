"""Leagues: founded, joined, their seasons, fixtures, rulings and ends."""

from tests.api.boxes import begun, fixture, until_it_counts
from tests.api.holding import settled
from tests.api.playing import say
from tests.openapi.exchanges.stage import NOBODY, Cast

PAST = {"starts": "2020-01-01T00:00:00Z", "ends": "2020-02-01T00:00:00Z"}


def play(cast: Cast) -> None:
    """Olga founds a league; a season of it is played."""
    stage, ada, bob, cyd, eve, olga = cast.stage, cast.ada, cast.bob, cast.cyd, cast.eve, cast.olga
    founding = {"name": "Thursday table", "game_type": "spite_and_malice", "rules": "box-units-3"}
    made = stage.succeed("found_league", olga, founding)
    stage.refuse("found_league", olga, "unknown_rules", {**founding, "rules": "box-units-9"})
    stage.name(league=made["id"])
    one = {"league_id": made["id"]}
    stage.succeed("list_leagues", None, query={"limit": 2})
    stage.refuse("list_leagues", None, "malformed", query={"limit": 0})
    stage.succeed("get_league", None, **one)
    stage.refuse("get_league", None, "no_such_thing", league_id=NOBODY)
    stage.succeed("rename_league", olga, {"name": "Friday table"}, **one)
    stage.refuse("rename_league", eve, "organisers_only", {"name": "Eve's table"}, **one)
    _members(cast, one)
    for player in (ada, bob, cyd):
        player.post(f"/v1/leagues/{made['id']}/join")
    stage.refuse("open_season", ada, "organisers_only", PAST, **one)
    stage.succeed("open_season", olga, PAST, **one)
    _fixtures(cast, made)
    _closing(cast, one)
    stage.succeed("list_league_events", None, query={"limit": 2}, **one)
    stage.refuse("list_league_events", None, "malformed", query={"cursor": "mine"}, **one)
    stage.succeed("dissolve_league", olga, {"reason": "We move on."}, **one)
    stage.refuse("dissolve_league", olga, "dissolved", {"reason": "We move on."}, **one)


def _members(cast: Cast, one: dict[str, str]) -> None:
    stage, ada, eve, olga = cast.stage, cast.ada, cast.eve, cast.olga
    stage.succeed("invite_to_league", olga, {"player_id": eve.id}, **one)
    stage.refuse("invite_to_league", olga, "unknown_player", {"player_id": NOBODY}, **one)
    stage.succeed("withdraw_league_invitation", olga, player_id=eve.id, **one)
    stage.refuse("withdraw_league_invitation", olga, "not_invited", player_id=eve.id, **one)
    stage.succeed("join_league", ada, **one)
    stage.refuse("join_league", ada, "member", **one)
    stage.succeed("leave_league", ada, **one)
    stage.refuse("leave_league", ada, "not_a_member", **one)
    stage.succeed("appoint_organiser", olga, {"player_id": ada.id}, **one)
    stage.refuse("appoint_organiser", eve, "organisers_only", {"player_id": eve.id}, **one)
    stage.succeed("dismiss_organiser", olga, player_id=ada.id, **one)
    stage.refuse("dismiss_organiser", olga, "last_organiser", player_id=olga.id, **one)


def _fixtures(cast: Cast, league: dict[str, str]) -> None:
    """One is played, one walked over, one cancelled; somebody comes late, and somebody goes."""
    stage, ada, bob, cyd, eve, olga = cast.stage, cast.ada, cast.bob, cast.cyd, cast.eve, cast.olga
    one, two = {"league_id": league["id"]}, fixture(ada, league, ada, cyd)
    stage.name(fixture=two)
    walked = {"league_id": league["id"], "fixture_id": two}
    stage.succeed("open_fixture", ada, **walked)
    stage.refuse("open_fixture", eve, "not_in_fixture", **walked)
    stage.succeed(
        "award_fixture", olga, {"to_player_id": ada.id, "reason": "The other side offered no date."}, **walked
    )
    stage.refuse("award_fixture", eve, "organisers_only", {"to_player_id": ada.id, "reason": "She is nice."}, **walked)
    stage.succeed("reopen_fixture", olga, {"reason": "They did come."}, **walked)
    stage.refuse("reopen_fixture", olga, "not_ended", {"reason": "They did come."}, **walked)
    stage.succeed("cancel_fixture", olga, {"reason": "No date was found."}, **walked)
    stage.refuse("cancel_fixture", olga, "fixture_over", {"reason": "No date was found."}, **walked)
    game = begun(league, ada, bob)
    stage.name(league_game=game["id"])
    until_it_counts(game, ada, bob)
    say(bob, game, {"type": "game/resign"})
    settled(stage.service)
    stage.succeed("list_fixtures", None, season=1, **one)
    stage.refuse("list_fixtures", None, "no_such_thing", season=7, **one)
    stage.succeed("get_tables", None, season=1, **one)
    stage.refuse("get_tables", None, "no_such_thing", season=7, **one)
    eve.post(f"/v1/leagues/{league['id']}/join")
    stage.succeed("replace_player", olga, {"player_id": cyd.id, "by_player_id": eve.id}, season=1, **one)
    stage.refuse(
        "replace_player", ada, "organisers_only", {"player_id": cyd.id, "by_player_id": eve.id}, season=1, **one
    )
    stage.succeed("remove_member", olga, {"reason": "Never came."}, player_id=eve.id, **one)
    stage.refuse("remove_member", olga, "not_a_member", {"reason": "Never came."}, player_id=eve.id, **one)
    _rulings(cast, one, game["id"])


def _rulings(cast: Cast, one: dict[str, str], game: str) -> None:
    stage, olga, ada = cast.stage, cast.olga, cast.ada
    void = {"type": "void_games", "game_ids": [game], "reason": "Both seats were one person."}
    stage.succeed("make_league_ruling", olga, void, **one)
    stage.refuse("make_league_ruling", ada, "organisers_only", void, **one)
    stage.succeed("list_league_rulings", None, **one)
    stage.refuse("list_league_rulings", None, "no_such_thing", league_id=NOBODY)
    stage.succeed("make_ruling", cast.mo, void)
    stage.refuse("make_ruling", ada, "scope_missing", void)
    stage.succeed("list_rulings", None)
    stage.refuse("list_rulings", None, "malformed", query={"limit": 0})


def _closing(cast: Cast, one: dict[str, str]) -> None:
    stage, olga = cast.stage, cast.olga
    stage.refuse("get_promotions", None, "season_open", season=1, **one)
    stage.refuse("decide_promotions", olga, "season_open", {}, season=1, **one)
    stage.succeed("close_season", olga, season=1, **one)
    stage.refuse("close_season", olga, "season_closed", season=1, **one)
    stage.succeed("get_promotions", None, season=1, **one)
    stage.succeed("decide_promotions", olga, {}, season=1, **one)
