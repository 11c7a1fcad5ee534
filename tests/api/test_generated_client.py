"""A stock generator makes a typed client of the description, and a game is played with nothing else."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from domain.play.open_record import MEDIA_TYPE
from service.api.replays.move_lists import MOVES
from service.api.replays.records import NOTATIONS

from .serving import Service

NAME = "generated_kibitz_client"
PLAIN = dict.fromkeys((MEDIA_TYPE, MOVES, *NOTATIONS), "application/octet-stream") | {
    "application/x-ndjson": "text/plain"
}
"""What the generator is told of media types that it has not heard of: a body is sent and got as it is."""


@pytest.fixture(scope="module")
def generated(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, str]]:
    """The generated package, imported, and what the generator said. No formatter is run on it."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_bytes(service.http.get("/v1/openapi.json").content)
    config = {"post_hooks": [], "package_name_override": NAME, "content_type_overrides": PLAIN}
    (folder / "config.yaml").write_text(json.dumps(config))
    command = [
        sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--path", "openapi.json",
        "--config", "config.yaml", "--output-path", NAME,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield import_module(NAME), done.stdout + done.stderr
    sys.path.remove(str(folder))


def api(name: str) -> Any:
    """The generated module of an operation, wherever its tag has put it."""
    package = import_module(f"{NAME}.api")
    found = list(Path(str(package.__path__[0])).glob(f"*/{name}.py"))
    assert len(found) == 1, name
    return import_module(f"{NAME}.api.{found[0].parent.name}.{name}")


def test_the_generator_skips_nothing_and_warns_of_nothing(service: Service, generated: tuple[ModuleType, str]) -> None:
    said = generated[1]
    assert not re.search(r"(?i)warning|error|unable|skip|unsupported|ignor", said), said
    for path in service.http.get("/v1/openapi.json").json()["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                assert api(operation["operationId"]).sync_detailed


def test_a_game_of_klondike_is_played_through_typed_models(service: Service, generated: tuple[ModuleType, str]) -> None:
    client, models = generated[0], import_module(f"{NAME}.models")
    anybody = client.Client(base_url=service.url)
    registration = api("register_player").sync(client=anybody, body=models.NameBody(name="A stranger"))
    assert isinstance(registration, models.Registration)
    me = client.AuthenticatedClient(base_url=service.url, token=registration.token.secret)
    game = api("open_game").sync(client=me, body=models.OpenKlondike(models.OpenKlondikeGameType("klondike")))
    assert isinstance(game, models.GameLook)
    steps = 0
    while steps < 20 and (commands := own(api("list_legal_commands").sync(game.id, client=me).commands)):
        played = api("play").sync(game.id, client=me, body=commands[steps % len(commands)])
        assert isinstance(played, models.Played)
        assert played.frames[0].seat == 0
        steps += 1
    frames = api("list_frames").sync(game.id, client=anybody)
    assert isinstance(frames, models.Frames)
    assert steps == 20
    assert [frame.step for frame in frames.frames] == list(range(steps + 1))
    frame = api("get_frame").sync(game.id, steps, client=me)
    assert isinstance(frame, models.Frame)
    assert isinstance(frame.view, models.View)
    assert "stock" in [zone.id for zone in frame.view.zones]
    refused = api("play").sync(
        game.id, client=anybody_else(client, service), body=models.GameUndo(models.GameUndoType("game/undo"))
    )
    assert isinstance(refused, models.Problem)
    assert refused.status == 403


def own(commands: list[Any]) -> list[Any]:
    """The commands of the game itself."""
    return [command for command in commands if not str(command.type_).startswith("game/")]


def anybody_else(client: ModuleType, service: Service) -> Any:
    other = api("register_player").sync(
        client=client.Client(base_url=service.url), body=import_module(f"{NAME}.models").NameBody(name="Another")
    )
    return client.AuthenticatedClient(base_url=service.url, token=other.token.secret)
