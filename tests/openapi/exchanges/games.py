"""Games: opened, joined, played, followed, given up, and played again."""

from tests.api.playing import look, opened, say, seated
from tests.openapi.exchanges.stage import Cast

SPITE = "spite_and_malice"
RESIGN = {"type": "game/resign"}
DRAW = {"type": "klondike/draw"}


def play(cast: Cast) -> None:
    """Ada and Bob sit down at tables, and get up."""
    stage, ada, eve = cast.stage, cast.ada, cast.eve
    stage.succeed("list_game_types", None)
    stage.refuse_parameter("list_game_types")
    stage.succeed("get_game_type", None, game_type="golf")
    stage.refuse("get_game_type", None, "no_such_thing", game_type="chess")
    made = stage.succeed("open_game", ada, {"game_type": "klondike", "options": {"draw": 3, "undo": False}})
    stage.name(klondike=made["id"])
    wish = {"winnable": True, "level": "hard"}
    stage.refuse("open_game", ada, "no_certified_deals", {"game_type": "klondike", "deal": wish})
    stage.refuse("open_game", ada, "malformed", {"game_type": "klondike", "options": {"draw": 2}})
    private = opened(ada, "golf", visibility="private")
    stage.succeed("get_game", None, game_id=made["id"])
    stage.refuse("get_game", eve, "no_such_thing", game_id=private["id"])
    stage.succeed("list_games", None, query={"game_type": "klondike", "status": "playing", "limit": 2})
    stage.refuse("list_games", None, "malformed", query={"status": "running"})
    _table(cast)
    _commands(cast)
    _endings(cast)


def _table(cast: Cast) -> None:
    """What comes before the deal."""
    stage, ada, bob, eve = cast.stage, cast.ada, cast.bob, cast.eve
    table = opened(ada, SPITE, await_seeds=True)
    stage.name(table=table["id"])
    stage.succeed("invite_to_game", ada, {"player_id": bob.id}, game_id=table["id"])
    stage.refuse("invite_to_game", eve, "not_the_opener", {"player_id": bob.id}, game_id=table["id"])
    stage.succeed("withdraw_game_invitation", ada, game_id=table["id"], player_id=bob.id)
    stage.refuse("withdraw_game_invitation", ada, "not_invited", game_id=table["id"], player_id=bob.id)
    stage.succeed("join_game", bob, {"seat": 1}, game_id=table["id"])
    stage.refuse("join_game", bob, "already_seated", {"seat": 1}, game_id=table["id"])
    stage.succeed("leave_game", bob, game_id=table["id"])
    stage.refuse("leave_game", bob, "not_seated", game_id=table["id"])
    stage.succeed("seed_game", ada, {"client_seed": "my lucky number"}, game_id=table["id"])
    stage.refuse("seed_game", eve, "not_seated", {"client_seed": "my lucky number"}, game_id=table["id"])
    practice = opened(ada, SPITE, rated=False, await_seeds=True)
    stage.succeed("seat_bot", ada, {"level": "greedy"}, game_id=practice["id"])
    stage.refuse("seat_bot", ada, "rated_game", {"level": "greedy"}, game_id=table["id"])


def _commands(cast: Cast) -> None:
    """What is said in a game, and heard."""
    stage, ada, eve = cast.stage, cast.ada, cast.eve
    game = opened(ada, "klondike")
    stage.name(patience=game["id"])
    stage.succeed("list_legal_commands", ada, game_id=game["id"])
    stage.refuse("list_legal_commands", eve, "not_your_seat", game_id=game["id"])
    helped = opened(ada, "black_hole", rated=False, hints=True, seed="planted 0")
    stage.name(helped=helped["id"])
    stage.succeed("get_hint", ada, game_id=helped["id"])
    stage.refuse("get_hint", ada, "no_hints", game_id=game["id"])
    here, keyed = {"If-Match": f'"{game["version"]}"'}, {"Idempotency-Key": "step 3"}
    stage.succeed("post_command", ada, DRAW, headers=here | keyed, game_id=game["id"])
    stage.refuse("post_command", ada, "stock_not_empty", {"type": "klondike/recycle"}, game_id=game["id"])
    stage.succeed("post_commands", ada, {"commands": [DRAW, DRAW]}, game_id=game["id"])
    stage.refuse("post_commands", ada, "stale_version", {"commands": [DRAW]}, headers=here, game_id=game["id"])
    stage.succeed("stream_game", None, query={"max_seconds": 0}, game_id=game["id"])
    stage.refuse("stream_game", None, "malformed", query={"after": 9999, "max_seconds": 0}, game_id=game["id"])


def _endings(cast: Cast) -> None:
    """What comes when a game is over."""
    stage, ada, bob, eve, mo = cast.stage, cast.ada, cast.bob, cast.eve, cast.mo
    pair = seated(opened(ada, SPITE), bob)
    stage.name(pair=pair["id"])
    stage.succeed("list_inbox", (ada, bob)[look(ada, pair)["view"]["to_act"][0]])
    stage.refuse("list_inbox", None, "unauthenticated")
    stage.succeed("stream_inbox", ada, query={"max_seconds": 0})
    stage.refuse("stream_inbox", None, "unauthenticated")
    stage.succeed("abandon_game", ada, game_id=pair["id"])
    stage.refuse("abandon_game", eve, "not_seated", game_id=pair["id"])
    stage.refuse("open_rematch", ada, "game_not_finished", game_id=pair["id"])
    say(ada, pair, RESIGN)
    stage.succeed("open_rematch", ada, game_id=pair["id"])
    stage.succeed("void_game", mo, {"reason": "The players were one person."}, game_id=pair["id"])
    stage.refuse("void_game", ada, "scope_missing", {"reason": "I had no luck."}, game_id=pair["id"])
    stage.succeed("list_account_events", ada, query={"limit": 2})
    stage.refuse("list_account_events", None, "unauthenticated")
    game = opened(ada, "golf")
    stage.name(golf=game["id"])
    stage.refuse("fork_game", ada, "game_not_finished", {"step": 0}, game_id=game["id"])
    say(ada, game, RESIGN)
    stage.succeed("fork_game", ada, {"step": 0}, game_id=game["id"])
