"""Players, their tokens, and what happens to them."""

from tests.api.passkey_rows import passkey_of
from tests.api.serving import registered
from tests.api.watching import until
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY


def play(cast: Cast) -> None:
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
