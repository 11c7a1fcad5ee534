"""`kibitz moderator`: the only way to a token with the scope `moderate`."""

import asyncio
from argparse import ArgumentParser, ArgumentTypeError, Namespace

import msgspec

from domain.player import MODERATOR_SCOPES
from service.accounts.access import Access
from service.accounts.players import Accounts, Token
from service.cli.database import database
from service.cli.options import database_options
from service.event_store.store import EventStore
from service.live.shapes import Name
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--name", dest="called", metavar="NAME", required=True, type=_name, help="what the moderator is called"
    )
    parser.add_argument("--days", type=_days, help="days until the token expires (KIBITZ_TOKEN_DAYS)")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """The token on stdout, shown this once; the service may run meanwhile."""
    days = chosen.days or settings.token_days
    with database(settings) as conninfo:
        token = asyncio.run(_register(conninfo, chosen.called, days))
    print(token.secret)
    return 0


async def _register(conninfo: str, name: str, days: int) -> Token:
    store = EventStore(conninfo)
    await store.open()
    try:
        _, token = await Accounts(store, Access(store)).register(name, days, scopes=MODERATOR_SCOPES)
    finally:
        await store.close()
    return token


def _name(text: str) -> str:
    try:
        return msgspec.convert(text, Name)
    except msgspec.ValidationError:
        raise ArgumentTypeError(f"{text!r} is no name: 1 to 40 printable characters") from None


def _days(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 3660:
        raise ArgumentTypeError(f"{text!r} is no number of days from 1 to 3660")
    return int(text)
