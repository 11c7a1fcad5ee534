"""Apps: making one known, those that you made known, deleting one."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from service.http.operation import Answer, Call, operation, reply
from service.http.security_headers import NO_STORE
from service.live import shapes
from service.oauth.apps import App
from service.problems import Refused

TAG = "apps"
_MINE: dict[str, Any] = {"tag": TAG, "access": "required", "scope": "account:write"}
_URI = Annotated[str, Meta(min_length=3, max_length=500)]


class AppBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the app is called, and where players come back to when they have said yes or no."""

    name: shapes.Name
    redirect_uris: Annotated[tuple[_URI, ...], Meta(
        max_length=10,
        description="Addresses, compared to the letter; on 127.0.0.1 and [::1] with any port. None: only for devices.",
    )]  # fmt: skip
    confidential: Annotated[bool, Meta(description="It runs on a server that can keep a secret, and gets one.")] = False
    devices: Annotated[bool, Meta(description="It may sign in by a code that its player types at `/device`.")] = False


class AppShown(Struct, frozen=True, omit_defaults=True):
    """An app that you made known; `client_secret` is shown once, when it is made known."""

    client_id: UUID
    name: str
    redirect_uris: tuple[str, ...]
    confidential: bool
    devices: bool
    created_at: shapes.Time
    client_secret: str | None = None


class AppList(Struct, frozen=True):
    """All your apps, oldest first; no more than a hundred. The list is whole: it has no pages."""

    apps: tuple[AppShown, ...]


@operation(
    id="register_app", method="POST",
    keeps_answer=True,
    path="/v1/apps", **_MINE, body=AppBody, problems=("illegal",),
    answers={201: Answer(type=AppShown, says="The app; its secret, if it has one, is shown this once.")},
    examples={"on a phone": {"name": "Kiebitz", "redirect_uris": ["org.example.kiebitz:/back"]},
              "on a server": {"name": "Score Club", "redirect_uris": ["https://scores.example.org/back"],
                              "confidential": True},
              "in a terminal": {"name": "Clubhouse bot", "redirect_uris": [], "devices": True}},
)  # fmt: skip
async def register_app(call: Call[AppBody, None]) -> Response[bytes]:
    """Make an app known, so that it may ask players for leave to act for them.

    A public app (on a phone, in a browser, in a terminal) has no secret; PKCE protects its codes.
    """
    body = call.body
    app, secret = await call.services.apps.register(
        call.player, body.name, body.redirect_uris, body.confidential, body.devices
    )
    return reply(_show_app(app, secret), 201, Cache_Control=NO_STORE)


@operation(
    id="list_apps", method="GET", path="/v1/apps", **_MINE, answers={200: Answer(type=AppList, says="Your apps.")}
)
async def list_apps(call: Call[None, None]) -> Response[bytes]:
    """List the apps that you made known."""
    return reply(AppList(tuple(_show_app(app) for app in await call.services.apps.of(call.player))))


@operation(
    id="delete_app", method="DELETE", keeps_answer=True,
    path="/v1/apps/{client_id:uuid}", **_MINE, problems=("no_such_thing",),
    answers={204: Answer(type=None, says="Deleted.")},
)  # fmt: skip
async def delete_app(call: Call[None, None]) -> Response[Any]:
    """Delete an app of yours: whatever players have allowed it is revoked."""
    app = await call.services.apps.find(str(call.id("client_id")))
    if app is None or app.player != call.player:
        raise Refused("no_such_thing", "You have no such app.")
    await call.services.apps.delete(app)
    await call.services.grants.revoke_all(app)
    return Response(None, status_code=204)


def _show_app(app: App, secret: str | None = None) -> AppShown:
    return AppShown(
        app.id, app.name, app.redirect_uris, app.secret is not None, app.devices, shapes.moment(app.created_at), secret
    )


HANDLERS = (register_app, list_apps, delete_app)
