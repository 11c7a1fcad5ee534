"""Webhooks, to an address that nobody has: `.invalid` is for that (RFC 2606)."""

from tests.api.playing import opened, say
from tests.openapi.exchanges.cast import Cast
from tests.openapi.exchanges.stage import NOBODY


def play(cast: Cast) -> None:
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
