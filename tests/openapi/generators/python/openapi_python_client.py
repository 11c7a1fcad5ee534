"""What openapi-python-client makes."""

import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import UUID

from kibitz_client import AuthenticatedClient, Client
from kibitz_client.api.games import get_game, join_game, open_game
from kibitz_client.api.live import stream_game
from kibitz_client.api.play import list_legal_commands, post_command
from kibitz_client.api.players import register_player
from kibitz_client.api.records import get_record, verify_record
from kibitz_client.api.replay import list_frames
from kibitz_client.models import (
    FrameList,
    KlondikeCommandAnswer,
    KlondikeGame,
    KlondikeLegalCommands,
    NameBody,
    OpenKlondike,
    OpenKlondikeGameType,
    OpenSpiteAndMalice,
    OpenSpiteAndMaliceGameType,
    Registration,
    SpiteAndMaliceCommandAnswer,
    SpiteAndMaliceGame,
    SpiteAndMaliceLegalCommands,
    SpiteAndMaliceOptions,
    Verification,
)
from kibitz_client.types import UNSET, File
from player import run

SERVER = sys.argv[1]


class Seat:
    def __init__(self, name: str) -> None:
        registered = register_player.sync(client=Client(base_url=SERVER), body=NameBody(name=name))
        assert isinstance(registered, Registration), registered
        assert isinstance(registered.token.secret, str)
        self._client = AuthenticatedClient(base_url=SERVER, token=registered.token.secret)

    def open_klondike(self, deal: list[str]) -> UUID:
        game = open_game.sync(client=self._client, body=OpenKlondike(OpenKlondikeGameType.KLONDIKE, deal=deal))
        assert isinstance(game, KlondikeGame), game
        return game.id

    def open_spite_and_malice(self) -> UUID:
        kind, options = OpenSpiteAndMaliceGameType.SPITE_AND_MALICE, SpiteAndMaliceOptions(stock=3)
        game = open_game.sync(client=self._client, body=OpenSpiteAndMalice(kind, options))
        assert isinstance(game, SpiteAndMaliceGame), game
        return game.id

    def join(self, game: UUID) -> None:
        assert isinstance(join_game.sync(game, client=self._client), SpiteAndMaliceGame)

    def status(self, game: UUID) -> str:
        found = get_game.sync(game, client=self._client)
        assert isinstance(found, KlondikeGame | SpiteAndMaliceGame), found
        return str(found.status)

    def legal(self, game: UUID) -> tuple[int, list[Any]]:
        legal = list_legal_commands.sync(game, client=self._client)
        assert isinstance(legal, KlondikeLegalCommands | SpiteAndMaliceLegalCommands), legal
        return legal.version, list(legal.commands)

    def post(self, game: UUID, command: Any, version: int) -> None:
        answer = post_command.sync(game, client=self._client, body=command, if_match=f'"{version}"')
        assert isinstance(answer, KlondikeCommandAnswer | SpiteAndMaliceCommandAnswer), answer

    def frames(self, game: UUID, cursor: str | None) -> tuple[list[int], str | None]:
        page = list_frames.sync(game, client=self._client, cursor=cursor or UNSET, limit=25)
        assert isinstance(page, FrameList), page
        return [frame.step for frame in page.frames], page.next_

    def record(self, game: UUID) -> str:
        record = get_record.sync(game, client=self._client)
        assert isinstance(record, str), record
        return record

    def is_consistent(self, record: str) -> bool:
        found = verify_record.sync(client=Client(base_url=SERVER), body=File(payload=BytesIO(record.encode())))
        assert isinstance(found, Verification), found
        return found.consistent

    def follow(self, game: UUID) -> Iterator[str]:
        # The client has no streams of its own: it lends its connection, and the request it would send.
        with self._client.get_httpx_client().stream(**stream_game._get_kwargs(game), timeout=60) as answer:
            yield from answer.iter_lines()


run(Seat)
