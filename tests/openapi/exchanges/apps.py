"""Apps: made known, allowed, and let go."""

from tests.api.test_devices import device_app
from tests.api.test_oauth import BACK, VERIFIER, code_for, made_app
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY


def play(cast: Cast) -> None:
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
