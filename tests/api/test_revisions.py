"""A running service whose next version brings a second revision of a game type: the toy's, over a real store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.games import AnyGameType
from domain.play.aggregate import AnyRecord
from domain.play.open_record import MEDIA_TYPE, OpenRecord, record_lines
from tests.api import serving as module
from tests.domain.toy_2 import TOY_2
from tests.domain.toy_games import forged, relabelled, with_an_ace
from tests.laws.registry import registered as known
from tests.laws.toy import TOY

from .serving import Player, Service, registered, serving


class Before(NamedTuple):
    """What was stored under revision 1, and what the service told of it then."""

    ada: Player
    under_way: str
    finished: str
    told: dict[str, Any]


@pytest.fixture(scope="module")
def toys(conninfo: str) -> Iterator[str]:
    """The database of services that know the toy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SERVED", Path(__file__).with_name("served_toy.py"))
        yield conninfo


@pytest.fixture(scope="module")
def before(toys: str) -> Before:
    """The service before revision 2: two games, one of them finished."""
    with serving(toys, forked=False, toy_revisions=[1]) as service:  # unions of all game types are made at import
        ada = registered(service, "Ada")
        games = [opened(ada, hand=5) for _ in range(2)]
        for game in games:
            played(ada, game, 6)
        ada.post(f"/v1/games/{games[1]}/commands", {"type": "game/resign"})
        return Before(ada, games[0], games[1], {game: told(ada, game) for game in games})


@pytest.fixture(scope="module")
def service(toys: str, before: Before) -> Iterator[Service]:
    """The service with both revisions, on the same database."""
    with serving(toys, forked=False, toy_revisions=[1, 2]) as running:
        yield running


@pytest.fixture(scope="module")
def ada(service: Service, before: Before) -> Player:
    return before.ada.on(service)


def opened(player: Player, **options: Any) -> str:
    answer = player.post("/v1/games", {"game_type": "toy", "options": options})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def played(player: Player, game: str, steps: int) -> None:
    """So many of the first commands that are listed."""
    for _ in range(steps):
        command = player.get(f"/v1/games/{game}/legal-commands").json()["commands"][0]
        assert player.post(f"/v1/games/{game}/commands", command).status_code == 200


def told(player: Player, game: str) -> Any:
    """The game, what can be said in it and its frames, as bytes."""
    paths = ("", "/legal-commands", "/frames", "/record", "/verification")
    return [player.get(f"/v1/games/{game}{path}").content for path in paths]


def test_stored_games_are_told_in_the_same_bytes(before: Before, ada: Player) -> None:
    assert {game: told(ada, game) for game in before.told} == before.told


def test_an_old_game_goes_on_under_revision_1(before: Before, ada: Player) -> None:
    refused = ada.post(f"/v1/games/{before.under_way}/commands", {"type": "toy/pass"})
    assert (refused.status_code, refused.json()["rule"]) == (409, "other_game_type")
    played(ada, before.under_way, 1)
    look = ada.get(f"/v1/games/{before.under_way}").json()
    assert (look["revision"], look["options"].keys()) == (1, {"hand", "undo", "hands"})
    fork = ada.post(f"/v1/games/{before.finished}/fork", {"step": 3}).json()
    assert (fork["revision"], fork["forked_from"]) == (1, {"game_id": before.finished, "step": 3})
    ada.post(f"/v1/games/{before.under_way}/commands", {"type": "game/resign"})
    for game in before.told:
        answer = ada.get(f"/v1/games/{game}/verification").json()
        assert (answer["revision"], answer["faults"]) == (1, []), answer


def test_new_games_open_under_revision_2(ada: Player) -> None:
    game = opened(ada, free_aces=False)
    assert ada.get(f"/v1/games/{game}").json()["revision"] == 2
    assert {"type": "toy/pass"} in ada.get(f"/v1/games/{game}/legal-commands").json()["commands"]
    assert ada.post(f"/v1/games/{game}/commands", {"type": "toy/pass"}).status_code == 200


def test_the_description_covers_both(ada: Player) -> None:
    schemas = ada.get("/v1/openapi.json").json()["components"]["schemas"]
    assert {"ToyDraw", "ToyPass", "ToyPassed", "ToyAceLaid", "ToyLaid"} <= schemas.keys()
    shown = ada.get("/v1/game-types/toy").json()
    assert (shown["revision"], "free_aces" in shown["options"]["properties"]) == (2, True)
    first = ada.get("/v1/game-types/toy?revision=1").json()
    assert (first["revision"], "free_aces" in first["options"]["properties"]) == (1, False)
    assert ada.get("/v1/game-types/toy?revision=3").status_code == 404


@pytest.mark.parametrize("game_type", [TOY, TOY_2], ids=["revision 1", "revision 2"])
def test_an_import_is_exported_as_the_same_bytes(ada: Player, game_type: AnyGameType) -> None:
    text = text_of(finished(game_type))
    brought = bring(ada, text)
    assert (brought.status_code, brought.json()["revision"]) == (201, game_type.revision), brought.text
    assert ada.get(f"/v1/games/{brought.json()['id']}/record").content == text


def test_a_game_that_claims_another_revision_is_refused(ada: Player) -> None:
    for played_under, claimed in ((TOY, TOY_2), (TOY_2, TOY)):
        with known(TOY), known(TOY_2):
            records = forged(finished(played_under), claimed)
        refused = bring(ada, text_of(records))
        assert refused.status_code in (409, 422), refused.text
        assert "step" in refused.text.lower()
    refused = bring(ada, text_of(relabelled(finished(TOY), 3)))
    assert refused.status_code in (409, 422), refused.text
    assert "Nobody knows revision 3 of toy." in refused.text


def finished(game_type: AnyGameType) -> list[AnyRecord]:
    """A game of this revision, with an ace in it."""
    with known(TOY), known(TOY_2):
        game = with_an_ace(game_type)
        if game.game.status == "playing":
            game.resign()
    return game.records


def text_of(records: list[AnyRecord]) -> bytes:
    return b"".join(record_lines(OpenRecord(tuple(records), None)))


def bring(player: Player, text: bytes) -> Any:
    return player.http.post("/v1/records", content=text, headers={"content-type": MEDIA_TYPE})
