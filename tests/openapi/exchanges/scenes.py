"""Scenes of the story: players and tokens, apps, webhooks, a puzzle, tables of every kind, the service itself."""

from random import Random

from tests.api.holding import settled
from tests.api.passkey_rows import passkey_of
from tests.api.playing import opened, play_on, say, seated
from tests.api.puzzled import RIGHT, lost_with_puzzle
from tests.api.serving import registered
from tests.api.test_devices import device_app
from tests.api.test_oauth import BACK, VERIFIER, code_for, made_app
from tests.api.watching import until
from tests.openapi.exchanges.stage import NOBODY, Cast


def play_players(cast: Cast) -> None:
    """Somebody registers, is renamed, has tokens, and goes."""
    stage, ada = cast.stage, cast.ada
    stage.succeed("register_player", None, {"name": "Ada"})
    stage.refuse("register_player", None, "malformed", {"name": ""})
    guest = registered(stage.service, "Guest")
    stage.name(guest=guest.id)
    stage.succeed("get_me", ada)
    stage.refuse("get_me", None, "unauthenticated")
    stage.succeed("rename_me", guest, {"name": "Ada Byron", "findable": True})
    stage.succeed("list_players", ada, query={"name": "ada b"})
    stage.refuse("list_players", None, "unauthenticated", query={"name": "ada b"})
    stage.refuse("rename_me", guest, "malformed", {"name": "A" * 200})
    stage.succeed("get_player", None, player_id=ada.id)
    stage.refuse("get_player", None, "no_such_thing", player_id=NOBODY)
    stage.succeed("get_reliability", None, player_id=ada.id)
    stage.refuse("get_reliability", None, "no_such_thing", player_id=NOBODY)
    _tokens(cast)
    _passkeys(cast)
    stage.succeed("erase_me", guest)
    stage.refuse("erase_me", guest, "unauthenticated")


def _tokens(cast: Cast) -> None:
    stage = cast.stage
    guest = registered(stage.service, "Tess")
    made = stage.succeed("mint_token", guest, {"label": "my bot", "scopes": ["read", "play"], "days": 30})
    stage.refuse("mint_token", guest, "malformed", {"label": "my bot", "scopes": ["read", "fly"]})
    # The day of use is written down beside the answer.
    until(lambda: "last_used_on" in guest.get("/v1/tokens").json()["tokens"][0])
    stage.succeed("list_tokens", guest)
    stage.refuse("list_tokens", None, "unauthenticated")
    stage.succeed("relabel_token", guest, {"label": "kitchen tablet"}, token_id=made["id"])
    stage.refuse("relabel_token", guest, "no_such_thing", {"label": "kitchen tablet"}, token_id=NOBODY)
    stage.succeed("revoke_token", guest, token_id=made["id"])
    stage.refuse("revoke_token", guest, "no_such_thing", token_id=made["id"])
    stage.succeed("revoke_tokens", guest, query={"keep": "asking"})
    stage.refuse("revoke_tokens", guest, "malformed", query={"keep": "mine"})


def _passkeys(cast: Cast) -> None:
    stage = cast.stage
    guest = registered(stage.service, "Pat")
    passkey = str(passkey_of(stage.service, guest.id, "laptop"))
    stage.name(passkey=passkey)
    stage.succeed("list_passkeys", guest)
    stage.refuse("list_passkeys", None, "unauthenticated")
    stage.succeed("relabel_passkey", guest, {"label": "kitchen tablet"}, passkey_id=passkey)
    stage.refuse("relabel_passkey", guest, "no_such_thing", {"label": "kitchen tablet"}, passkey_id=NOBODY)
    stage.succeed("delete_passkey", guest, passkey_id=passkey)
    stage.refuse("delete_passkey", guest, "no_such_thing", passkey_id=passkey)


def play_apps(cast: Cast) -> None:
    """Bob makes an app; Ada lets it act for her; it learns of its token and gives it back."""
    stage, bob = cast.stage, cast.bob
    asked = {"name": "Score Club", "redirect_uris": [BACK], "confidential": True}
    stage.succeed("register_app", bob, asked)
    stage.refuse(
        "register_app", bob, "malformed", {"name": "Score Club", "redirect_uris": ["http://scores.example.org"]}
    )
    stage.succeed("list_apps", bob)
    stage.refuse("list_apps", None, "unauthenticated")
    app = made_app(bob, confidential=True)
    stage.name(app=app["client_id"])
    own = {"client_id": app["client_id"], "client_secret": app["client_secret"]}
    code = code_for(stage.service, cast.ada, app)
    shown = {"grant_type": "authorization_code", **own, "code": code, "redirect_uri": BACK, "code_verifier": VERIFIER}
    issued = stage.succeed("issue_token", None, form=shown)
    stage.refuse("issue_token", None, "invalid_grant", form={**shown, "code": "kbz_" + "A" * 43})
    stage.succeed("introspect_token", None, form={**own, "token": issued["access_token"]})
    stage.refuse("introspect_token", None, "invalid_client", form={"token": issued["access_token"]})
    stage.succeed("revoke_app_token", None, form={**own, "token": issued["refresh_token"]})
    wrong = {**own, "client_secret": "kbz_" + "A" * 43, "token": issued["refresh_token"]}
    stage.refuse("revoke_app_token", None, "invalid_client", form=wrong)
    device = device_app(bob)
    stage.succeed("authorize_device", None, form={"client_id": device["client_id"], "scope": "games:read games:play"})
    stage.refuse("authorize_device", None, "invalid_scope", form={"client_id": device["client_id"], "scope": "fly"})
    stage.succeed("describe_oauth", None)
    stage.refuse_parameter("describe_oauth")
    stage.succeed("delete_app", bob, client_id=app["client_id"])
    stage.refuse("delete_app", bob, "no_such_thing", client_id=NOBODY)


def play_webhooks(cast: Cast) -> None:
    """Cyd has her events sent."""
    stage, cyd = cast.stage, cast.cyd
    wanted = {"url": "https://hooks.kibitz.invalid/mine", "types": ["finished", "invitation"]}
    made = stage.succeed("add_webhook", cyd, wanted)
    stage.refuse("add_webhook", cyd, "malformed", {"url": "http://10.0.0.1/", "types": ["finished", "won"]})
    one = {"webhook_id": made["id"]}
    stage.name(webhook=made["id"])
    stage.succeed("list_webhooks", cyd)
    stage.refuse("list_webhooks", None, "unauthenticated")
    stage.succeed("get_webhook", cyd, **one)
    stage.refuse("get_webhook", cast.eve, "no_such_thing", **one)
    stage.succeed("change_webhook", cyd, {"enabled": False}, **one)
    stage.refuse("change_webhook", cyd, "malformed", {"url": "https://localhost/"}, **one)
    stage.succeed("rotate_webhook_secret", cyd, **one)
    stage.refuse("rotate_webhook_secret", cast.eve, "no_such_thing", **one)
    cyd.http.patch(f"/v1/webhooks/{made['id']}", json={"enabled": True})
    say(cyd, opened(cyd, "golf"), {"type": "game/resign"})
    sent = stage.succeed("list_webhook_deliveries", cyd, **one)["deliveries"][0]
    stage.refuse("list_webhook_deliveries", cast.eve, "no_such_thing", **one)
    stage.succeed("replay_webhook_delivery", cyd, **one, delivery_id=sent["id"])
    stage.refuse("replay_webhook_delivery", cyd, "no_such_thing", **one, delivery_id=NOBODY)
    stage.succeed("delete_webhook", cyd, **one)
    stage.refuse("delete_webhook", cyd, "no_such_thing", **one)


def play_puzzles(cast: Cast) -> None:
    """Ada's game, mined past the running server."""
    stage, ada, bob = cast.stage, cast.ada, cast.bob
    stage.refuse("get_next_puzzle", bob, "no_such_thing")
    stage.refuse("get_daily_puzzle", None, "no_such_thing")
    game, _ = lost_with_puzzle(ada, stage.service.conninfo)
    puzzle = stage.succeed("get_daily_puzzle", None)
    stage.name(puzzle=puzzle["id"], puzzled=game["id"])
    one, said = {"puzzle_id": puzzle["id"]}, {"commands": [RIGHT]}
    stage.succeed("get_next_puzzle", bob, query={"game_type": "black_hole"})
    stage.refuse("attempt_puzzle", bob, "puzzle_over", {"commands": [RIGHT, RIGHT]}, **one)
    stage.succeed("attempt_puzzle", bob, said, **one)
    stage.succeed("get_puzzle", bob, **one)
    stage.refuse("get_puzzle", bob, "no_such_thing", puzzle_id=NOBODY)
    stage.succeed("get_puzzle_standing", bob)
    run = stage.succeed("start_puzzle_run", bob, {"mode": "streak"})["id"]
    stage.name(run=run)
    stage.refuse("start_puzzle_run", bob, "malformed", {"mode": "marathon"})
    stage.succeed("get_puzzle_run", bob, run_id=run)
    stage.refuse("get_puzzle_run", ada, "no_such_thing", run_id=run)
    stage.refuse("get_puzzle_standing", None, "unauthenticated")


def play_boards(cast: Cast) -> None:
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


def play_service_itself(cast: Cast) -> None:
    """Its description, its problems, its health."""
    stage = cast.stage
    documents = ("get_openapi_document", "get_asyncapi_document", "get_reference_page")
    for operation in (*documents, "list_problems", "get_liveness"):
        stage.succeed(operation, None)
        stage.refuse_parameter(operation)
    stage.succeed("get_problem", None, kind="stale_version")
    stage.refuse("get_problem", None, "no_such_thing", kind="bad_luck")
    stage.succeed("get_readiness", None)
    stage.refuse("get_readiness", None, "malformed", query={"only": "worker"})
