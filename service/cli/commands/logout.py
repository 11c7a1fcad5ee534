"""`kibitz logout`: end what `kibitz login` has begun."""

from argparse import ArgumentParser, Namespace

from service.cli.commands.login import chosen_server, server_argument
from service.cli.credentials import Credentials, OAuthRefusal, post_form
from service.cli.ending import Refusal
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    server_argument(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Forget the tokens and revoke them; raises Refusal if the service could not be told."""
    server = chosen_server(chosen, settings)
    kept = Credentials().forget(server)
    if kept is None:
        print(f"You are not signed in at {server}.")
        return 0
    try:
        post_form(server, "/oauth/revoke", token=kept.refresh_token)
    except (OAuthRefusal, Refusal) as error:
        raise Refusal(f"The tokens are forgotten here, but not revoked. {error}") from error
    print(f"You are signed out at {server}.")
    return 0
