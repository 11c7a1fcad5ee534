"""The demonstration's leagues: a box league from its founding to an amendment, and a same-deal contest of a league."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from time import sleep
from typing import Any

from kibitz_client import Refused
from kibitz_client.sync import Kibitz

from tests.demo import bots

OPEN_FOR, PATIENCE = timedelta(seconds=20), timedelta(seconds=60)
"""How long the contest accepts attempts, and how long the demonstration waits for results."""


def main(people: list[Kibitz]) -> None:
    """The first of the people organises; four play the box league, three the contest."""
    _box_league(people[0], people[:4])
    _same_deal(people[0], people[:3], people[3])


def _box_league(organiser: Kibitz, members: list[Kibitz]) -> None:
    league = _founded(organiser, members, {
        "name": "Friday boxes", "game_type": "megiddo", "options": {"variant": "megi_9"}, "rules": "box-units-3",
        "division_size": 2, "rounds": 2,
    })  # fmt: skip
    seats = {member.request("get_me")["id"]: member for member in members}
    fixtures = organiser.request("list_fixtures", league_id=league, season=1)["fixtures"]
    games = [_fixture(league, fixture, seats) for fixture in fixtures]
    organiser.request("close_season", league_id=league, season=1)
    _until(lambda: _published(organiser, league) == 1)
    _print("The tables when the season was closed", organiser, league)
    _promoted(organiser, league)
    ruling = {"type": "void_games", "game_ids": games[:1], "reason": "two accounts, one person"}
    organiser.request("make_league_ruling", ruling, league_id=league)
    _until(lambda: _published(organiser, league) == 2)
    _print("The tables after a void, with its amendment", organiser, league)


def _founded(organiser: Kibitz, members: list[Kibitz], wanted: dict[str, Any]) -> str:
    """The id of a league with these members and a season that runs."""
    league = str(organiser.request("found_league", wanted)["id"])
    for member in members:
        member.request("join_league", league_id=league)
    now = datetime.now(UTC)
    body = {"starts": now.isoformat(), "ends": (now + timedelta(days=28)).isoformat()}
    organiser.request("open_season", body, league_id=league)
    _until(lambda: bool(_told(organiser, "list_fixtures", league_id=league, season=1)))
    return league


def _told(client: Kibitz, operation: str, **values: Any) -> Any:
    """What is answered, None for a problem: a read model follows the log a moment behind it."""
    try:
        return client.request(operation, **values)
    except Refused:
        return None


def _fixture(league: str, fixture: dict[str, Any], seats: dict[str, Kibitz]) -> str:
    """The fixture's game, opened by one of its players, joined by the others and played to its end."""
    players = [seats[player["id"]] for player in fixture["players"]]
    game = str(players[0].request("open_fixture", league_id=league, fixture_id=fixture["id"])["id"])
    for player in players[1:]:
        player.request("join_game", {}, game_id=game)
    _played(players, game, bots.anything)
    return game


def _played(players: list[Kibitz], game: str, choice: Any) -> None:
    """Whoever is to act chooses, until the game is over."""
    random = Random(game)
    while (look := players[0].request("get_game", game_id=game))["status"] == "playing":
        seat = random.choice(look["view"]["to_act"] or [0])
        legal = bots.listed_commands(players[seat], game, seat)
        players[seat].request("post_command", choice(legal, look, random), game_id=game, seat=seat)


def _published(organiser: Kibitz, league: str) -> int:
    """How often the first division's table was published."""
    return len(organiser.request("get_tables", league_id=league, season=1)["divisions"][0]["published"])


def _print(title: str, organiser: Kibitz, league: str) -> None:
    print(f"\n{title}:\n")
    print(organiser.request("get_tables", league_id=league, season=1, accept="text/plain"))


def _promoted(organiser: Kibitz, league: str) -> None:
    """The rules propose, the organiser decides: here the last above and the first below change places."""
    proposal = organiser.request("get_promotions", league_id=league, season=1)["moves"]
    above, below = organiser.request("get_tables", league_id=league, season=1)["divisions"]
    up, down = below["rows"][0]["player"], above["rows"][-1]["player"]
    moves = [{"player_id": up["id"], "before": 1, "after": 0}, {"player_id": down["id"], "before": 0, "after": 1}]
    decided = organiser.request("decide_promotions", {"moves": moves}, league_id=league, season=1)
    assert [(one["player"]["id"], one["before"], one["after"]) for one in decided["moves"]] == [
        tuple(move.values()) for move in moves
    ]
    print(f"Promotions: the rules propose {len(proposal)} moves; decided on the tables {decided['tables'][:12]}:")
    print(f"  up {up['name']}, down {down['name']}")


def _same_deal(organiser: Kibitz, members: list[Kibitz], stranger: Kibitz) -> None:
    """Announced, entered and played; who has finished sees the others who have, nobody else sees anything yet."""
    league = _founded(organiser, members, {"name": "Golfers", "game_type": "golf", "rules": "same-deal-evening-1"})
    now = datetime.now(UTC)
    body = {"opens": (now - timedelta(minutes=1)).isoformat(), "closes": (now + OPEN_FOR).isoformat()}
    contest = organiser.request("announce_league_contest", body, league_id=league)
    games = [member.request("enter_contest", contest_id=contest["id"])["id"] for member in members]
    for member, game in zip(members, games, strict=True):
        _played([member], game, bots.Patience())
    print(f"\nSame deal, golf: {len(games)} attempts; all is told after {contest['results']}.")
    for operation, values in (("list_results", {"contest_id": contest["id"]}), ("get_game", {"game_id": games[0]})):
        _withheld(stranger, operation, values)
    _results(members[0], contest, len(games))


def _withheld(stranger: Kibitz, operation: str, values: dict[str, Any]) -> None:
    try:
        stranger.request(operation, **values)
    except Refused as refused:
        print(f"  withheld: {refused}")
    else:
        raise AssertionError(f"{operation} told what the contest hides")


def _results(member: Kibitz, contest: dict[str, Any], attempts: int) -> None:
    """As they are told to who has finished; as they are for ever, where the contest closes soon enough."""
    soon = datetime.fromisoformat(contest["results"]) - datetime.now(UTC) < PATIENCE
    _until(lambda: len((_told(member, "list_results", contest_id=contest["id"]) or {}).get("results", ())) == attempts)
    _until(lambda: not soon or not member.request("list_results", contest_id=contest["id"])["provisional"])
    print(member.request("list_results", contest_id=contest["id"], accept="text/plain"))


def _until(true: Callable[[], bool]) -> None:
    """Wait for it; not for ever."""
    for _ in range(240):
        if true():
            return
        sleep(0.5)
    raise AssertionError("the read models do not follow")
