"""`kibitz bot`: a player that is a program, at the tables of a service."""

import asyncio
import os
import signal
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from functools import partial

from kibitz_client import KibitzError

from service.cli.credentials import Credentials
from service.cli.ending import ENDS, Refusal
from service.house.client import Bot, BotOptions
from service.house.engine import CHOICES
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--server", required=True, metavar="URL", help="the service to play at")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--token", help="play as this player (KIBITZ_TOKEN, which no list of processes shows; else `kibitz login`)"
    )
    as_new = "register a new player of this name, marked as a bot, for as long as it runs"
    who.add_argument("--name", dest="player", metavar="NAME", help=as_new)
    parser.add_argument("--choice", choices=list(CHOICES), default="greedy", help="how it plays (greedy)")
    parser.add_argument(
        "--game-type", nargs="+", action="extend", default=[], metavar="KEY", help="only these (all for several)"
    )
    parser.add_argument("--games", type=_count, metavar="N", help="end after so many games")
    parser.add_argument("--seed", metavar="S", help="draw the same lots again in the same games")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} is no number of games")
    return int(text)


def run(chosen: Namespace, settings: Settings) -> int:
    """Play until so many games are over or a signal comes; 0 for either."""
    try:
        asyncio.run(_play_until_end(_options(chosen)))
    except KibitzError as error:
        raise Refusal(str(error)) from error
    return 0


def _options(chosen: Namespace) -> BotOptions:
    given, credentials = chosen.token or os.environ.get("KIBITZ_TOKEN"), Credentials()
    kept = None if chosen.player or given else credentials.access_token(chosen.server)
    return BotOptions(
        server=chosen.server,
        token=None if chosen.player else given or kept,
        renew=None if kept is None else partial(credentials.access_token, chosen.server),
        name=chosen.player or "Bot",
        choice=chosen.choice,
        game_types=tuple(dict.fromkeys(chosen.game_type)),
        games=chosen.games,
        seed=chosen.seed,
    )


async def _play_until_end(options: BotOptions) -> None:
    playing = asyncio.ensure_future(Bot(options, lambda sentence: print(sentence, flush=True)).run())
    loop = asyncio.get_running_loop()
    for number in ENDS:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(playing.cancel))
    await asyncio.wait([playing])
    if not playing.cancelled():
        print(f"That makes {playing.result()}.", flush=True)
