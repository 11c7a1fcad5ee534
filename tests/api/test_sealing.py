"""What a running service keeps of live games tells nothing to whoever has the database and not the key."""

import shutil
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.games import GAME_TYPES
from tests.service.sealing.dumps import dump, secrets_of

from . import holding, truth, watching
from .playing import look, moves, of, opened, play_on, say
from .problems import told
from .serving import KEYS, Player, registered, serving

DRAW = {"type": "klondike/draw"}


def of_every_kind(player: Player, steps: int) -> list[dict[str, Any]]:
    """A live game of each game type, all seats the player's own, some steps into it."""
    games = []
    for key, kind in sorted(GAME_TYPES.items()):
        game = opened(player, key, **({"hot_seat": True} if kind.seats[-1] > 1 else {}))
        for _ in play_on([player] * kind.seats[-1], game, Random(3), steps):
            pass
        if look(player, game)["status"] == "playing":
            games.append(game)
    return games


def test_no_secret_of_a_live_game_or_an_open_contest_is_in_the_database_of_a_service(database: str) -> None:
    with serving(database, run_worker=True) as service:
        ada = registered(service, "Ada")
        games = of_every_kind(ada, 12)
        given = opened(ada, "golf", deal=given_cards())
        contest = holding.announced(database, "klondike")
        games += [given, holding.entered(ada, contest)]
        command = moves(ada, given)[0]
        assert say(ada, given, command, headers={"idempotency-key": "one"}).status_code == 200
        holding.settled(service)
        records = [record for game in games for record in truth.records(service, game)]
        records += truth.records(service, {"id": contest})
        secrets, text = secrets_of(records), dump(database)
    assert len(games) >= len(GAME_TYPES)
    assert len(secrets) > 1000
    assert [secret for secret in secrets if secret in text] == []
    assert all(secret not in service.log().encode() for secret in secrets if len(secret) > 20)


def given_cards() -> list[str]:
    """A whole pack, in some order."""
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
    Random(5).shuffle(cards)
    return cards


def test_what_is_kept_of_a_body_cannot_be_searched_for_it(database: str) -> None:
    body = b'{"type":"klondike/draw"}'
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        headers = {"idempotency-key": "one", "content-type": "application/json"}
        first = ada.http.post(of(game, "/commands"), content=body, headers=headers)
        assert sha256(b"\n" + body).digest() not in dump(database)
        assert ada.http.post(of(game, "/commands"), content=body, headers=headers).content == first.content
        other = b'{"commands":[' + body + b"]}"
        told(ada.http.post(of(game, "/commands/batch"), content=other, headers=headers), 422, "key_reused")


def test_a_refusal_that_is_kept_is_sealed_and_told_again_after_a_restart(database: str) -> None:
    body = [DRAW, {"type": "klondike/move", "source": "waste", "target": "foundation_spades", "count": 9}]
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        first = say(ada, game, body, headers={"idempotency-key": "list"})
        assert first.json()["refusal"]["detail"].encode() not in dump(database)
    with serving(database) as service:
        assert say(ada.on(service), game, body, headers={"idempotency-key": "list"}).content == first.content


def test_without_its_key_a_live_game_is_refused_by_name_and_all_else_goes_on(database: str, tmp_path: Path) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        lost, over = opened(ada), opened(ada)
        say(ada, over, [DRAW, {"type": "game/resign"}])
        before = ada.get(of(over, "/record")).content
        frames = ada.get(of(over, "/frames")).content
    with serving(database, sealing_keys=str(tmp_path / "others")) as service:
        ada = ada.on(service)
        for answer in (ada.get(of(lost)), say(ada, lost, DRAW), ada.get(of(lost, "/frames"))):
            told(answer, 503, "key_missing")
        assert ada.get(of(over, "/record")).content == before
        assert ada.get(of(over, "/frames")).content == frames
        another = opened(ada)
        assert say(ada, another, DRAW).status_code == 200
        holding.settled(service)
        # At the start, at the first game that needs it, and in the process of heavy work, whose lines come late.
        watching.until(lambda: service.log().count("sealing key missing") >= 3)
        assert service.log().count("sealing key missing") == 3
    with serving(database, sealing_keys=str(both(tmp_path))) as service:
        assert say(ada.on(service), lost, DRAW).status_code == 200
        assert say(ada.on(service), another, DRAW).status_code == 200


def both(folder: Path) -> Path:
    """A folder with the keys of this run and the others."""
    for file in KEYS.glob("*.seal"):
        shutil.copy(file, folder / "others")
    return folder / "others"


@pytest.mark.parametrize("key", ["klondike", "spite_and_malice"])
def test_the_record_of_a_revealed_game_is_the_same_with_and_without_sealing(database: str, key: str) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = opened(ada, key, **({"hot_seat": True} if key != "klondike" else {}))
        for _ in play_on([ada] * 2, game, Random(3), 5):
            pass
        say(ada, game, {"type": "game/resign"}, params={"seat": 0})
        record = ada.get(of(game, "/record"))
        assert record.status_code == 200
        records = truth.records(service, game)
        truth.done(service, "DELETE FROM unsealed WHERE stream = %s", UUID(game["id"]))
        for one in records:
            clear = truth.in_the_clear(one)
            truth.done(service, "UPDATE events SET state = %s WHERE stream = %s AND version = %s", clear, *one_of(one))
    with serving(database) as service:
        assert ada.on(service).get(of(game, "/record")).content == record.content


def one_of(record: Any) -> tuple[UUID, int]:
    return record.stream, record.version
