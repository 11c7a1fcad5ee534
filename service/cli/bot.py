"""`kibitz bot`: a player that is a program, at the tables of a service."""

import asyncio
import os
import signal
from functools import partial
from typing import Annotated

from cyclopts import Parameter
from kibitz_client import KibitzError

from service.cli.ending import ENDS, Refusal, Usage
from service.cli.login import Credentials
from service.cli.options import Count, read_settings
from service.house.client import Bot, BotOptions
from service.house.engine import CHOICES


def play(
    *,
    server: str,
    token: str | None = None,
    name: str | None = None,
    choice: str = "greedy",
    game_type: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    games: Count | None = None,
    seed: str | None = None,
) -> None:
    """Play at the tables of a service until so many games are over or a signal comes.

    Args:
        server: the service to play at
        token: play as this player (KIBITZ_TOKEN, which no list of processes shows; else `kibitz login`)
        name: register a new player of this name, marked as a bot, for as long as it runs
        choice: how it plays (greedy)
        game_type: only these (all for several)
        games: end after so many games
        seed: draw the same lots again in the same games
    """
    read_settings()
    if token and name:
        raise Usage("--token and --name exclude each other.")
    if choice not in CHOICES:
        raise Usage(f"--choice is one of {', '.join(CHOICES)}.")
    credentials, renew = Credentials(), None
    token = None if name else token or os.environ.get("KIBITZ_TOKEN")
    if not (name or token) and (token := credentials.access_token(server)) is not None:
        renew = partial(credentials.access_token, server)
    options = BotOptions(
        server=server,
        token=token,
        renew=renew,
        name=name or "Bot",
        choice=choice,
        game_types=tuple(dict.fromkeys(game_type or ())),
        games=games,
        seed=seed,
    )

    async def play_until_end() -> None:
        playing = asyncio.ensure_future(Bot(options, lambda sentence: print(sentence, flush=True)).run())
        loop = asyncio.get_running_loop()
        for number in ENDS:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(playing.cancel))
        await asyncio.wait([playing])
        if not playing.cancelled():
            print(f"That makes {playing.result()}.", flush=True)

    try:
        asyncio.run(play_until_end())
    except KibitzError as error:
        raise Refusal(str(error)) from error
