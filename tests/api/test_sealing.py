"""What a running service keeps of live games tells nothing to whoever has the database and not the key."""

import shutil
from hashlib import sha256
from pathlib import Path
from random import Random
from uuid import UUID

from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from tests.service.sealing.dumps import dump, secrets_of

from . import holding, truth, watching
from .playing import look, moves, of, opened, play_on, say
from .problems import told
from .recording import taken
from .serving import KEYS, registered, serving

DRAW = {"type": "klondike/draw"}


def test_the_database_holds_no_secret_of_live_games_and_contests(database: str) -> None:
    with serving(database, run_worker=True) as service:
        ada = registered(service, "Ada")
        games = []
        for key, kind in sorted(GAME_TYPES.items()):  # a live one of each type, some steps into it
            game = opened(ada, key, **({"hot_seat": True} if kind.seats[-1] > 1 else {}))
            list(play_on([ada] * kind.seats[-1], game, Random(3), 5))
            games += [game] * (look(ada, game)["status"] == "playing")
        given = opened(ada, "golf", deal=Random(5).sample(PACK, 52))
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


def test_kept_answers_are_sealed_and_told_again_after_a_restart(database: str) -> None:
    body = b'{"type":"klondike/draw"}'
    batch = [DRAW, {"type": "klondike/move", "source": "waste", "target": "foundation_spades", "count": 9}]
    headers = {"idempotency-key": "one", "content-type": "application/json"}
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        first = ada.http.post(of(game, "/commands"), content=body, headers=headers)
        refused = say(ada, game, batch, headers={"idempotency-key": "list"})
        for text in (sha256(b"\n" + body).digest(), refused.json()["refusal"]["detail"].encode()):
            assert text not in dump(database)
        assert ada.http.post(of(game, "/commands"), content=body, headers=headers).content == first.content
        other = b'{"commands":[' + body + b"]}"
        told(ada.http.post(of(game, "/commands/batch"), content=other, headers=headers), 422, "key_reused")
    with serving(database) as service:
        assert say(ada.on(service), game, batch, headers={"idempotency-key": "list"}).content == refused.content


def test_without_its_key_a_live_game_alone_is_refused(database: str, tmp_path: Path) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        lost, over = opened(ada), opened(ada)
        say(ada, over, [DRAW, {"type": "game/resign"}])
        before = [ada.get(of(over, path)).content for path in ("/record", "/frames")]
    with serving(database, sealing_keys=str(tmp_path / "others")) as service:
        ada = ada.on(service)
        for answer in (ada.get(of(lost)), say(ada, lost, DRAW), ada.get(of(lost, "/frames"))):
            told(answer, 503, "key_missing")
        assert [ada.get(of(over, path)).content for path in ("/record", "/frames")] == before
        another = opened(ada)
        assert say(ada, another, DRAW).status_code == 200
        holding.settled(service)
        # At the start, at the first game that needs it, and in the process of heavy work, whose lines come late.
        watching.until(lambda: service.log().count("sealing key missing") >= 3)
        assert service.log().count("sealing key missing") == 3
    for file in KEYS.glob("*.seal"):
        shutil.copy(file, tmp_path / "others")
    with serving(database, sealing_keys=str(tmp_path / "others")) as service:
        assert [say(ada.on(service), game, DRAW).status_code for game in (lost, another)] == [200, 200]


def test_a_revealed_record_is_the_same_without_sealing(database: str) -> None:
    with serving(database) as service:
        ada, kept = registered(service, "Ada"), []
        for key in ("klondike", "spite_and_malice"):
            game = opened(ada, key, **({"hot_seat": True} if key != "klondike" else {}))
            list(play_on([ada] * 2, game, Random(3), 5))
            say(ada, game, {"type": "game/resign"}, params={"seat": 0})
            kept.append((game, taken(ada, game)))
            records = truth.records(service, game)
            truth.done(service, "DELETE FROM unsealed WHERE stream = %s", UUID(game["id"]))
            for one in records:
                clear = "UPDATE events SET state = %s WHERE stream = %s AND version = %s"
                truth.done(service, clear, truth.in_the_clear(one), one.stream, one.version)
    with serving(database) as service:
        assert [taken(ada.on(service), game) for game, _ in kept] == [record for _, record in kept]
