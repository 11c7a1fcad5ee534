"""What openapi-generator makes for Python."""

import sys
from collections.abc import Iterator
from uuid import UUID

from openapi_client import (
    ApiClient,
    Command,
    Configuration,
    DealWanted,
    GamesApi,
    LiveApi,
    NameBody,
    Opening,
    OpenKlondike,
    OpenSpiteAndMalice,
    PlayApi,
    PlayersApi,
    RecordsApi,
    ReplayApi,
    SpiteAndMaliceOptions,
)
from player import lines_of, run

HOST = sys.argv[1]


class Seat:
    def __init__(self, name: str) -> None:
        registered = PlayersApi(ApiClient(Configuration(host=HOST))).register_player(NameBody(name=name))
        self._client = ApiClient(Configuration(host=HOST, access_token=registered.token.secret))

    def open_klondike(self, deal: list[str]) -> UUID:
        return self._open(Opening(OpenKlondike(game_type="klondike", deal=DealWanted(deal))))

    def open_spite_and_malice(self) -> UUID:
        return self._open(
            Opening(OpenSpiteAndMalice(game_type="spite_and_malice", options=SpiteAndMaliceOptions(stock=3)))
        )

    def _open(self, opening: Opening) -> UUID:
        game = GamesApi(self._client).open_game(opening).actual_instance
        assert game is not None
        return game.id

    def join(self, game: UUID) -> None:
        GamesApi(self._client).join_game(game)

    def status(self, game: UUID) -> str:
        found = GamesApi(self._client).get_game(game).actual_instance
        assert found is not None
        return found.status

    def legal(self, game: UUID) -> tuple[int, list[Command]]:
        legal = PlayApi(self._client).list_legal_commands(game).actual_instance
        assert legal is not None
        return legal.version, [Command(command.actual_instance) for command in legal.commands]

    def post(self, game: UUID, command: Command, version: int) -> None:
        PlayApi(self._client).post_command(game, command, if_match=f'"{version}"')

    def frames(self, game: UUID, cursor: str | None) -> tuple[list[int], str | None]:
        page = ReplayApi(self._client).list_frames(game, cursor=cursor, limit=25)
        steps = [frame.actual_instance.step for frame in page.frames if frame.actual_instance is not None]
        return steps, page.next

    def record(self, game: UUID) -> str:
        # The client reads no media type of this name: it hands over the bytes.
        return RecordsApi(self._client).get_record_without_preload_content(game).data.decode()

    def is_consistent(self, record: str) -> bool:
        return RecordsApi(self._client).verify_record(record.encode()).consistent

    def follow(self, game: UUID) -> Iterator[str]:
        answer = LiveApi(ApiClient(self._client.configuration)).stream_game_without_preload_content(game)
        yield from lines_of(answer.stream(None))


run(Seat)
