"""Same-deal contests: one that is over when the rest of the story begins, and those of a league."""

from datetime import UTC, datetime, timedelta
from itertools import product

from domain.games import GAME_TYPES
from service.contests.certificates import examine_deals
from tests.api.boxes import running
from tests.api.holding import announced, move, resign, settled
from tests.openapi.exchanges.stage import NOBODY, Cast


def begin(cast: Cast) -> dict[str, str]:
    """What is over when the rest of the story begins, while it is open: a day of FreeCell whose deal the solver has
    won, and a league's contest of Golf. The ids of the day, of the league and of its contest, by parameter."""
    stage, day = cast.stage, _certified_day(cast)
    stage.name(contest=day)
    settled(stage.service)
    one = {"contest_id": day}
    stage.succeed("enter_contest", cast.ada, **one)
    stage.refuse("get_witness", None, "contest_open", **one)
    stage.refuse("list_results", cast.ada, "contest_open", **one)
    stage.refuse("get_foreknowledge", cast.ada, "organisers_only", **one)
    club = _club(cast)
    for player, contest in product((cast.ada, cast.bob), (day, club["contest_id"])):
        game = player.post(f"/v1/contests/{contest}/enter").json()
        move(player, game)
        resign(player, game)
    settled(stage.service)
    return {**one, "league_id": club["league_id"]}


def _certified_day(cast: Cast) -> str:
    kind = GAME_TYPES["freecell"]
    return announced(cast.stage.service.conninfo, "freecell", looked=examine_deals(kind.key, kind.options()))


def _club(cast: Cast) -> dict[str, str]:
    stage, olga = cast.stage, cast.olga
    club = running(olga, cast.ada, cast.bob, name="Patience club", game_type="golf", rules="same-deal-1")
    stage.name(club=club["id"])
    closes = f"{datetime.now(UTC) + timedelta(hours=2):%Y-%m-%dT%H:%M:%S.%fZ}"
    hours = {"opens": "2020-01-01T00:00:00Z", "closes": closes}
    made = stage.succeed("announce_league_contest", olga, hours, league_id=club["id"])
    stage.name(club_contest=made["id"])
    stage.refuse("announce_league_contest", cast.ada, "organisers_only", hours, league_id=club["id"])
    return {"league_id": club["id"], "contest_id": made["id"]}


def play(cast: Cast, over: dict[str, str]) -> None:
    """What is told when it is over."""
    stage, ada = cast.stage, cast.ada
    one, league = {"contest_id": over["contest_id"]}, {"league_id": over["league_id"]}
    settled(stage.service)
    stage.refuse("enter_contest", cast.cyd, "contest_not_open", **one)
    stage.succeed("list_contests", None, query={"game_type": "freecell"})
    stage.refuse("list_contests", None, "malformed", query={"day": "someday"})
    month = stage.succeed("get_contest", None, **one)["day"][:7]
    stage.refuse("get_contest", None, "no_such_thing", contest_id=NOBODY)
    stage.succeed("get_witness", None, **one)
    stage.succeed("list_results", None, **one)
    stage.succeed("get_foreknowledge", cast.mo, **one)
    stage.succeed("get_day_season", None, game_type="freecell", query={"month": month})
    stage.refuse("get_day_season", None, "no_such_thing", game_type="chess")
    stage.succeed("get_day_standing", None, game_type="freecell", player_id=ada.id, query={"month": month})
    stage.refuse("get_day_standing", None, "no_such_thing", game_type="freecell", player_id=NOBODY)
    stage.succeed("get_league_standings", None, season=1, **league)
    stage.refuse("get_league_standings", None, "no_such_thing", season=7, **league)
    stage.succeed("get_league_standing", None, season=1, player_id=ada.id, **league)
    stage.refuse("get_league_standing", None, "no_such_thing", season=1, player_id=NOBODY, **league)
