"""Tables of every kind: scoreboards, ladders, and the scoresheets of rubbers."""

from random import Random

from tests.api.holding import settled
from tests.api.playing import opened, play_on, say, seated
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY


def play(cast: Cast) -> None:
    """Ada has played Golf alone, a rated game with Bob, and some of a rubber."""
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    game = opened(ada, "golf")
    list(play_on([ada], game, Random(1), most=4))
    say(ada, game, {"type": "game/resign"})
    pair = seated(opened(ada, "spite_and_malice", rated=True), bob)
    list(play_on([ada, bob], pair, Random(1), most=30))
    say(bob, pair, {"type": "game/resign"})
    rubber = opened(ada, "bridge_solitaire")
    stage.name(golf=game["id"], rubber=rubber["id"])
    list(play_on([ada], rubber, Random(3), most=10))
    settled(stage.service)
    mine = {"player_id": ada.id}
    stage.succeed("get_scoreboard", None, game_type="golf", query={"limit": 2})
    stage.refuse("get_scoreboard", None, "no_such_thing", game_type="chess")
    stage.succeed("get_player_scores", None, **mine)
    stage.refuse("get_player_scores", None, "no_such_thing", player_id=NOBODY)
    stage.succeed("list_counted_games", None, game_type="golf", **mine)
    stage.refuse("list_counted_games", None, "no_such_thing", game_type="chess", **mine)
    stage.succeed("get_ladder", None, game_type="spite_and_malice")
    stage.refuse("get_ladder", None, "no_such_thing", game_type="golf")
    stage.succeed("get_player_ladders", None, **mine)
    stage.refuse("get_player_ladders", None, "no_such_thing", player_id=NOBODY)
    stage.succeed("list_rated_games", None, game_type="spite_and_malice", **mine)
    stage.refuse("list_rated_games", None, "no_such_thing", game_type="golf", **mine)
    stage.succeed("get_rubber", None, game_id=rubber["id"])
    stage.refuse("get_rubber", None, "no_such_thing", game_id=game["id"])
    stage.succeed("list_rubbers", None, **mine)
    stage.refuse("list_rubbers", None, "no_such_thing", player_id=NOBODY)
    stage.succeed("get_back_score", None, **mine)
    stage.refuse("get_back_score", None, "no_such_thing", player_id=NOBODY)
