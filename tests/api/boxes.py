"""Box leagues over HTTP: founded, joined, their fixtures played."""

from collections.abc import Sequence
from typing import Any

from domain.capabilities import Counting
from domain.games import GAME_TYPES

from .holding import settled
from .playing import RESIGN, Game, look, moves, of, say
from .serving import Player, Service, done

League = dict[str, Any]
BOX = {"name": "Thursdays", "game_type": "spite_and_malice", "rules": "box-units-3"}
SEASON = {"starts": "2020-01-01T00:00:00Z", "ends": "2020-02-01T00:00:00Z"}


def at(league: League, rest: str = "") -> str:
    """A path of this league."""
    return f"/v1/leagues/{league['id']}{rest}"


def founded(organiser: Player, *members: Player, **body: Any) -> League:
    """A league with these members."""
    league: League = done(organiser.post("/v1/leagues", {**BOX, **body}), 201)
    for member in members:
        league = done(member.post(at(league, "/join")))
    return league


def running(organiser: Player, *members: Player, **body: Any) -> League:
    """A league whose first season runs."""
    league = founded(organiser, *members, **body)
    return done(organiser.post(at(league, "/seasons"), SEASON))


def fixtures(player: Player, league: League, season: int = 1) -> list[Any]:
    return done(player.get(at(league, f"/seasons/{season}/fixtures")))["fixtures"]


def fixture(player: Player, league: League, *others: Player, season: int = 1) -> str:
    """The fixture of these players."""
    ids = {other.id for other in others}
    matching = (row for row in fixtures(player, league, season) if {person["id"] for person in row["players"]} == ids)
    return str(next(matching)["id"])


def tables(player: Player, league: League, season: int = 1) -> Any:
    return done(player.get(at(league, f"/seasons/{season}/tables")))


def points(player: Player, league: League, division: int = 0) -> dict[str, int]:
    """The points by player."""
    return {row["player"]["id"]: row["points"] for row in tables(player, league)["divisions"][division]["rows"]}


def begun(league: League, opener: Player, other: Player, season: int = 1) -> Game:
    """The game of their fixture, both seated."""
    path = at(league, f"/fixtures/{fixture(opener, league, opener, other, season=season)}/open")
    return done(other.post(of(done(opener.post(path), 201), "/join"), {}))


def end_turn(game: Game, players: Sequence[Player]) -> str:
    """A turn of the game is ended as soon as may be; by the player with this id."""
    seen, by_id = look(players[0], game), {player.id: player for player in players}
    player = by_id[seen["seats"][seen["view"]["to_act"][0]]["player"]["id"]]
    done(say(player, game, ending_turn(player, game)))
    return player.id


def until_both_have_moved(game: Game, *players: Player) -> None:
    """Each of the two plays at least once."""
    moved = set[str]()
    while len(moved) < 2:
        moved.add(end_turn(game, players))


def until_it_counts(game: Game, *players: Player) -> None:
    """The two play on until the game counts, though it be given up."""
    for _ in range(len(players) * GAME_TYPES[game["game_type"]].get(Counting).moves):
        end_turn(game, players)


def ending_turn(player: Player, game: Game, seat: int | None = None) -> Any:
    """A listed command, one that ends the turn if there is one."""
    return min(moves(player, game, seat), key=lambda command: command["type"] == "spite_and_malice/play")


def won(service: Service, league: League, winner: Player, loser: Player, season: int = 1) -> Game:
    """A game of their fixture that the loser gives up once it counts."""
    game = begun(league, winner, loser, season)
    until_it_counts(game, winner, loser)
    done(say(loser, game, RESIGN))
    settled(service)
    return game
