"""`kibitz login`: the player of a terminal signs in at a service, in a browser anywhere (RFC 8628)."""

from argparse import ArgumentParser, Namespace
from time import monotonic, sleep
from typing import Any

from service.cli.credentials import Credentials, OAuthRefusal, SignedIn, post_form, service_address, signed_in
from service.cli.ending import Refusal
from service.oauth.apps import DEVICE_CODE
from service.oauth.devices import read_user_code
from service.settings import Settings

_SCOPE = "games:read games:play"
_SLOWER = 5.0  # seconds that RFC 8628 adds for `slow_down`
_WORDS = {
    "access_denied": "You did not allow it.",
    "expired_token": "The code has expired before anybody allowed it; try again.",
}


def arguments(parser: ArgumentParser) -> None:
    server_argument(parser)


def server_argument(parser: ArgumentParser) -> None:
    """Which service."""
    parser.add_argument("server", nargs="?", metavar="SERVER", help="its address (http://127.0.0.1 at KIBITZ_PORT)")


def chosen_server(chosen: Namespace, settings: Settings) -> str:
    """The service that is meant; raises Refusal."""
    return service_address(chosen.server or f"http://127.0.0.1:{settings.port}")


def run(chosen: Namespace, settings: Settings) -> int:
    """Show a code, wait for the player's answer, keep the tokens."""
    server, credentials = chosen_server(chosen, settings), Credentials()
    try:
        codes = post_form(server, "/oauth/device_authorization", scope=_SCOPE)
        code = read_user_code(str(codes["user_code"]))  # nothing else of a service's may reach the terminal
        print(f"Open {server}/device in a browser, sign in, and type {code}", flush=True)
        given = _await_answer(server, codes)
    except OAuthRefusal as error:
        raise Refusal(_WORDS.get(str(error), f"{server} refuses: {str(error)!a}.")) from error
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(f"{server} does not answer as Kibitz does.") from error
    before = credentials.keep(server, given)
    if before is not None:
        _revoke_quietly(server, before)
    print(f"You are signed in at {server}; `kibitz logout {server}` ends it.", flush=True)
    return 0


def _await_answer(server: str, codes: dict[str, Any]) -> SignedIn:
    """Ask until the player has answered; raises OAuthRefusal."""
    pause, ends = float(codes.get("interval", _SLOWER)), monotonic() + float(codes["expires_in"])
    while monotonic() < ends:
        sleep(pause)
        try:
            return signed_in(
                post_form(server, "/oauth/token", grant_type=DEVICE_CODE, device_code=codes["device_code"])
            )
        except OAuthRefusal as error:
            if str(error) == "slow_down":
                pause += _SLOWER
            elif str(error) != "authorization_pending":
                raise
    raise OAuthRefusal("expired_token")


def _revoke_quietly(server: str, given: SignedIn) -> None:
    """Revoke what an earlier `login` was given; that it was revoked already does not matter."""
    try:
        post_form(server, "/oauth/revoke", token=given.refresh_token)
    except (OAuthRefusal, Refusal):
        return
