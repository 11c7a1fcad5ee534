"""Games that are over: replayed, embedded, verified, taken along and brought here."""

from domain.play.open_record import MEDIA_TYPE
from service.api.examples import RECORD
from service.api.replays.records import MOVES
from tests.api.analysing import await_analysis
from tests.api.holding import settled
from tests.api.playing import Game, opened, say
from tests.openapi.exchanges.stage import NOBODY, Cast

DRAW = {"type": "klondike/draw"}
MOVE_LIST = "#1\n\n6a 6b 6h\n"


def play(cast: Cast) -> None:
    """Ada gives a game up; everybody looks at it."""
    stage, ada, eve = cast.stage, cast.ada, cast.eve
    game = opened(ada, "klondike")
    stage.name(replayed=game["id"])
    stage.refuse("verify_game", ada, "game_not_revealed", game_id=game["id"])
    say(ada, game, [DRAW, DRAW])
    say(ada, game, {"type": "game/resign"})
    settled(stage.service)
    one, hidden = {"game_id": game["id"]}, {"game_id": opened(ada, "golf", visibility="private")["id"]}
    stage.succeed("list_frames", None, query={"first": 1, "limit": 2}, **one)
    stage.refuse("list_frames", eve, "no_such_thing", **hidden)
    stage.succeed("get_frame", None, step=1, **one)
    stage.refuse("get_frame", None, "no_such_thing", step=999, **one)
    stage.succeed("list_moments", None, **one)
    stage.refuse("list_moments", eve, "no_such_thing", **hidden)
    stage.succeed("get_deal_proof", None, **one)
    stage.refuse("get_deal_proof", eve, "no_such_thing", **hidden)
    stage.succeed("get_replay_page", None, **one)
    stage.refuse("get_replay_page", eve, "no_such_thing", **hidden)
    stage.succeed("get_embedded_replay", None, **one)
    stage.refuse("get_embedded_replay", None, "no_such_thing", **hidden)
    page = f"{stage.service.url}/games/{game['id']}"
    stage.succeed("get_oembed", None, query={"url": page, "maxwidth": 480})
    stage.refuse("get_oembed", None, "no_such_thing", query={"url": "https://elsewhere.example.org/games/7"})
    stage.succeed("get_feed", None, query={"limit": 1})
    stage.refuse("get_feed", None, "malformed", query={"cursor": "yesterday"})
    stage.succeed("verify_game", None, **one)
    _comments(cast, game, hidden)
    _analysis(cast, hidden)
    _records(cast, game, hidden)


def _comments(cast: Cast, game: Game, hidden: dict[str, str]) -> None:
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    one, said = {"game_id": game["id"]}, {"version": 4, "text": "I would have gone on here."}
    made = stage.succeed("add_comment", bob, said, **one)
    stage.name(comment=made["id"])
    going = {"game_id": opened(ada, "golf")["id"]}
    stage.refuse("add_comment", ada, "game_not_finished", {"version": 1, "text": "What now?"}, **going)
    stage.succeed("list_comments", None, **one)
    stage.refuse("list_comments", cast.eve, "no_such_thing", **hidden)
    stage.succeed("delete_comment", bob, comment_id=made["id"], **one)
    stage.refuse("delete_comment", bob, "no_such_thing", comment_id=NOBODY, **one)


def _analysis(cast: Cast, hidden: dict[str, str]) -> None:
    stage, ada = cast.stage, cast.ada
    game = opened(ada, "golf", seed="planted 14")
    stage.name(analysed=game["id"])
    stage.refuse("analyse_game", ada, "game_not_finished", {}, game_id=game["id"])
    say(ada, game, {"type": "game/resign"})
    stage.succeed("analyse_game", None, {}, game_id=game["id"])
    await_analysis(ada, game)
    stage.succeed("get_analysis", None, game_id=game["id"])
    stage.succeed("get_analysis_line", None, game_id=game["id"])
    stage.succeed("judge_deal", ada, {"game_type": "golf", "seed": "planted 14"})
    stage.refuse("judge_deal", ada, "no_deal", {"game_type": "golf"})
    stage.succeed("get_losses", ada)
    stage.refuse("get_losses", None, "unauthenticated")
    stage.refuse("get_analysis", cast.eve, "no_such_thing", **hidden)
    stage.refuse("get_analysis_line", cast.eve, "no_such_thing", **hidden)


def _records(cast: Cast, game: Game, hidden: dict[str, str]) -> None:
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    stage.succeed("get_record", None, game_id=game["id"])
    stage.refuse("get_record", cast.eve, "no_such_thing", **hidden)
    stage.succeed("verify_record", None, text=(MEDIA_TYPE, RECORD))
    stage.refuse("verify_record", None, "malformed", text=(MEDIA_TYPE, "1. e4 e5\n"))
    kept = stage.succeed("import_record", bob, text=(MEDIA_TYPE, RECORD))
    stage.refuse("import_record", bob, "malformed", text=(MEDIA_TYPE, "1. e4 e5\n"))
    stage.succeed("list_imports", bob)
    stage.refuse("list_imports", None, "unauthenticated")
    stage.succeed("delete_import", bob, game_id=kept["id"])
    stage.refuse("delete_import", bob, "no_such_thing", game_id=NOBODY)
    stage.succeed("import_moves", ada, game_type="freecell", text=(MOVES, MOVE_LIST))
    stage.refuse("import_moves", ada, "same_zone", game_type="freecell", text=(MOVES, "#1\n\n11\n"))
    stage.succeed("list_keys", None)
    stage.refuse_parameter("list_keys")
