"""The inbox: exactly the games in which it is one's turn, in the transaction of the step, as a list and live."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

import psycopg
import pytest

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, Step, play
from domain.play.table import Opening, open_game
from service.live import inbox

from . import truth
from .cutting import wire
from .playing import RESIGN, UNDO, Game, in_turn, look, moves, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service, done, pages, registered, serving, speaking
from .streaming import Told, calm_events_at, ending, events_at
from .test_streams import open_streams
from .watching import until

SPITE = "spite_and_malice"
COMPANY = sorted(key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1)
SELECT = "SELECT game, player, game_type, seats, since, version FROM waiting ORDER BY game, player"


def waiting(player: Player, **query: Any) -> list[Any]:
    """The games in the player's inbox."""
    return done(player.get("/v1/inbox", params=query))["games"]


def ids(games: list[Any]) -> list[str]:
    return [game["game_id"] for game in games]


def begun(pair: tuple[Player, Player]) -> tuple[Game, Player, Player]:
    """A game of two, who is to act in it, and the other."""
    game = seated(opened(pair[0], SPITE), pair[1])
    return game, *in_turn(pair, game)


def pass_turn(player: Player, game: Game) -> None:
    """Play until it is the other's turn."""
    rng = Random(1)
    while (seen := look(player, game))["view"]["to_act"] == seen["your_seats"]:
        done(say(player, game, rng.choice(moves(player, game))))


def rows(conninfo: str) -> list[tuple[Any, ...]]:
    """The whole table."""
    with psycopg.connect(conninfo) as connection:
        return connection.execute(SELECT.encode()).fetchall()


def test_a_dealt_game_is_in_the_actors_inbox_alone(pair: tuple[Player, Player]) -> None:
    game = opened(pair[0], SPITE)
    assert [waiting(player) for player in pair] == [[], []]
    game = seated(game, pair[1])
    first, second = in_turn(pair, game)
    seat = look(first, game)["your_seats"]
    assert waiting(second) == []
    turn = {"game_id": game["id"], "game_type": SPITE, "since": game["updated_at"], "version": game["version"]}
    assert waiting(first) == [turn | {"seats": seat}]


@pytest.mark.parametrize("key", [SPITE, "screaming_yoda"])
def test_the_inbox_has_a_game_while_one_may_act(key: str, service: Service) -> None:
    """Of two game types: `test_the_statements_leave_what_the_records_fold_to` has all, without a service."""
    most = GAME_TYPES[key].seats[-1]
    players = [registered(service, f"Player {seat}") for seat in range(most)]
    game = seated(opened(players[0], key, **({"seats": most} if most > 2 else {})), *players[1:])
    since = agreed(players, game, {})
    for _ in play_on(players, game, Random(5), most=80 // most):
        since = agreed(players, game, since)
    for player in players:
        say(player, game, RESIGN)
    assert look(players[0], game)["status"] == "finished"
    assert [waiting(player) for player in players] == [[]] * most


def agreed(players: list[Player], game: Game, before: dict[int, str]) -> dict[int, str]:
    """Looks and inboxes say the same; since when the game waits, by seat: who had to act before waits on."""
    looked = [look(player, game) for player in players]
    assert all(seen["view"]["to_act"] == looked[0]["view"]["to_act"] for seen in looked)
    acting = looked[0]["view"]["to_act"] if looked[0]["status"] == "playing" else []
    since = {seat: before.get(seat, looked[0]["updated_at"]) for seat in acting}
    for seat, player in enumerate(players):
        turns = [(turn["game_id"], turn["seats"], turn["since"], turn["version"]) for turn in waiting(player)]
        assert turns == ([(game["id"], [seat], since[seat], looked[0]["version"])] if seat in acting else [])
    return since


def test_games_alone_and_games_not_begun_are_left_out(pair: tuple[Player, Player]) -> None:
    ann, ben = pair
    opened(ann)
    opened(ann, SPITE, hot_seat=True)
    left = seated(opened(ann, SPITE, await_seeds=True), ben)
    done(ben.post(of(left, "/leave")))
    seeded = seated(opened(ann, SPITE, await_seeds=True), ben)
    assert [waiting(player) for player in pair] == [[], []]
    for player in pair:
        done(player.post(of(seeded, "/seed"), {"client_seed": "mine"}))
    assert sorted(ids(waiting(ann) + waiting(ben))) == [seeded["id"]]


def test_only_what_is_accepted_changes_the_rows(service: Service, pair: tuple[Player, Player]) -> None:
    game, first, second = begun(pair)
    before, listed = rows(service.conninfo), moves(first, game)
    told(say(first, game, UNDO), 409, "illegal", "undo_not_offered")
    told(say(second, game, listed[0]), 409, "illegal", "not_your_turn")
    done(say(first, game, listed[0], params={"dry_run": True}))
    assert rows(service.conninfo) == before
    discard = next(command for command in listed if command["target"].startswith("discard"))
    answer = say(first, game, [discard, discard]).json()
    assert (answer["accepted"], waiting(first)) == (1, [])
    assert [(turn["game_id"], turn["version"]) for turn in waiting(second)] == [(game["id"], answer["version"])]
    truth.done(service, "DELETE FROM waiting WHERE game = %s", game["id"])
    pass_turn(second, game)
    assert ids(waiting(first)) == [game["id"]], "a game without rows comes with its next step"


def test_rows_and_step_are_written_in_one_transaction(service: Service, pair: tuple[Player, Player]) -> None:
    game = opened(pair[0], SPITE)
    head = truth.head(service)
    truth.done(service, "ALTER TABLE waiting ADD CONSTRAINT refuse CHECK (version < 0) NOT VALID")
    told(pair[1].post(f"/v1/games/{game['id']}/join", {}), 500, "broken")
    truth.done(service, "ALTER TABLE waiting DROP CONSTRAINT refuse")
    assert (truth.head(service), [waiting(player) for player in pair]) == (head, [[], []])
    first, second = in_turn(pair, seated(game, pair[1]))
    for player in (first, second, first):
        last = "SELECT xmin FROM events WHERE stream = %s ORDER BY version DESC LIMIT 1"
        assert truth.rows(service, "SELECT xmin FROM waiting WHERE game = %s", game["id"]) == truth.rows(
            service, last, game["id"]
        )
        pass_turn(player, game)


def played_at_once(service: Service, pair: tuple[Player, Player], most: int | None = None) -> list[Game]:
    """Twenty games of two, each of them so long, or the first the shortest."""

    def played(number: int) -> Game:
        voices = pair[0].on(service), pair[1].on(service)
        game = seated(opened(voices[0], SPITE), voices[1])
        list(play_on(voices, game, Random(number), most=number if most is None else most))
        if most and number % 2:
            say(voices[0], game, RESIGN)
        return game

    with ThreadPoolExecutor(20) as pool:
        return list(pool.map(played, range(20)))


def test_twenty_games_are_paged_and_rebuilt_as_the_log_has_them(database: str) -> None:
    with serving(database) as service:
        pair = registered(service, "Ann"), registered(service, "Ben")
        games = played_at_once(service, pair)
        for player, other in (pair, pair[::-1]):
            assert len(waiting(player)) + len(waiting(other)) == 20
            listed = [game for page in pages(player, "/v1/inbox", limit=3) for game in page["games"]]
            assert listed == waiting(player) == sorted(listed, key=lambda turn: (turn["since"], turn["game_id"]))[::-1]
            assert set(ids(listed)) == {game["id"] for game in games if in_turn(pair, game)[0].id == player.id}
        say(pair[0], games[3], RESIGN)
        opened(pair[0])
        before, fingerprint = rows(database), inbox.rebuild(database, truth.codec())
        assert rows(database) == before
        truth.done(service, "DELETE FROM waiting WHERE game = %s", games[0]["id"])
        truth.done(service, "UPDATE waiting SET player = %s, since = 7 WHERE game = %s", pair[0].id, games[1]["id"])
        over = "INSERT INTO waiting VALUES (%s, %s, 'klondike', '{0}', 7, 7)"
        truth.done(service, over, games[3]["id"], pair[0].id)
        assert rows(database) != before
        assert inbox.rebuild(database, truth.codec()) == fingerprint
        assert rows(database) == before
        assert len(before) == 19
        inboxes = [player.get("/v1/inbox").content for player in pair]
    with serving(database, run_worker=False) as service:
        assert [player.on(service).get("/v1/inbox").content for player in pair] == inboxes


@pytest.mark.parametrize("together", [1, 5])
@pytest.mark.parametrize("key", COMPANY)
def test_the_statements_leave_what_the_records_fold_to(key: str, together: int, database: str) -> None:
    """Also where several steps are stored together: who is waited for again in between waits from then on."""
    steps, stored, game = list(walk(key)), list[AnyRecord](), None
    with psycopg.connect(database, autocommit=True) as connection:
        for batch in (steps[at : at + together] for at in range(0, len(steps), together)):
            step = Step(tuple(record for step in batch for record in step.records), batch[-1].game)
            for statement in inbox.companions(inbox.changes(game, step)):
                connection.execute(statement.sql.encode(), statement.params)
            game, stored = step.game, [*stored, *step.records]
            rows = connection.execute(SELECT.encode()).fetchall()
            assert rows == sorted(map(inbox.row, inbox.folded_waits(stored)))
            acting = game.type.look(game.state, None).to_act if game.status == "playing" else ()
            assert sorted(seat for row in rows for seat in row[3]) == sorted(acting)


def walk(key: str) -> Iterator[Step]:
    """A random game of as many players as there can be, and its end, as steps at times of their own."""
    kind, rng = GAME_TYPES[key], Random(3)
    players = tuple(UUID(int=seat + 1) for seat in range(kind.seats[-1]))
    opening = Opening(type=kind, options=kind.options(), players=players)
    yield (step := open_game(UUID(int=99), opening, ev.Sealed(bytes(32), bytes(32)), Act(players[0], None, 1)))
    for time in range(2, 62):
        if step.game.status != "playing":
            return
        seat = rng.choice(kind.look(step.game.state, None).to_act)
        command = rng.choice(kind.legal_commands(step.game.state, seat))
        yield (step := play(step.game, command, Act(players[seat], seat, time)))
    yield play(step.game, ev.Resign(), Act(players[0], 0, 99))


def test_the_inbox_needs_a_token_and_a_known_cursor(pair: tuple[Player, Player], service: Service, eve: Player) -> None:
    game = seated(opened(pair[0], SPITE, visibility="unlisted"), pair[1])
    assert game["id"] not in ids(waiting(eve))
    told(service.http.get("/v1/inbox/events"), 401, "unauthenticated")
    for cursor in ("", "x", "AAA", "AAgAAAAAAAAAB3g", "AAEBMDE5MDAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAw"):
        told(eve.get("/v1/inbox", params={"cursor": cursor}), 400, "malformed")


def events(player: Player, **query: Any) -> Iterator[Told]:
    """The events of the player's inbox, without heartbeats."""
    return calm_events_at(player, "/v1/inbox/events", **query)


def test_the_stream_tells_the_snapshot_and_then_every_change(service: Service, pair: tuple[Player, Player]) -> None:
    old, first, second = begun(pair)
    live = events(second.on(service))
    assert next(live) == Told("snapshot", None, {"games": []})
    pass_turn(first, old)
    assert next(live) == Told("waiting", None, waiting(second)[0])
    pass_turn(second, old)
    assert next(live) == Told("done", None, {"game_id": old["id"]})
    pass_turn(first, old)
    assert next(live).name == "waiting"
    again = events(second.on(service))
    assert next(again) == Told("snapshot", None, {"games": waiting(second)})
    assert say(first, old, RESIGN).status_code == 200
    assert next(live) == next(again) == Told("done", None, {"game_id": old["id"]})


def test_twenty_games_at_once_are_told_without_gap(service: Service, pair: tuple[Player, Player]) -> None:
    _, ben = pair
    live = events_at(ben.on(service), "/v1/inbox/events")
    assert next(live).name == "snapshot"
    played_at_once(service, pair, most=12)
    marker, first, second = begun(pair)
    if second is ben:
        pass_turn(first, marker)
    assert told_to_wait(live, marker) == set(ids(waiting(ben, limit=200)))


def told_to_wait(live: Iterator[Told], last: Game) -> set[str]:
    """The games that are told to wait, by turns with being done, once the last of them is and nothing more comes."""
    games: set[str] = set()
    for event in live:
        if event.name != "heartbeat":
            assert (event.data["game_id"] in games) == (event.name == "done")
            games ^= {event.data["game_id"]}
        elif last["id"] in games:
            break
    return games


def test_a_quiet_stream_has_heartbeats_and_ends_at_its_limit(ada: Player) -> None:
    names = [event.name for event in islice(events_at(ada, "/v1/inbox/events"), 5)]
    assert names == ["snapshot", *["heartbeat"] * 4]
    for seconds in (0, 0.25):
        assert ending(list(events(ada, max_seconds=seconds))) == "limit"


def test_a_stream_whose_token_or_client_goes_leaves_nothing_behind(service: Service, ada: Player) -> None:
    before = open_streams(service)
    minted = ada.post("/v1/tokens", {"label": "a guest", "scopes": ["read"]}).json()
    live, other = events(speaking(service, ada.id, minted["secret"], minted["id"])), events_at(ada, "/v1/inbox/events")
    assert [next(stream).name for stream in (live, other)] == ["snapshot", "snapshot"]
    assert open_streams(service) == before + 2
    ada.http.delete(f"/v1/tokens/{minted['id']}")
    assert ending(list(live)) == "access"
    other.close()  # type: ignore[attr-defined]
    until(lambda: open_streams(service) == before)


def test_a_stop_breaks_off_without_a_heartbeat(database: str) -> None:
    with serving(database, heartbeat=3600.0) as service:
        ann, ben = registered(service, "Ann"), registered(service, "Ben")
        live = [events(player.on(service)) for player in (ann, ben)]
        assert [next(stream).name for stream in live] == ["snapshot"] * 2
        game, first, second = begun((ann, ben))
        if first is ben:
            live.reverse()
        assert next(live[0]).name == "waiting"
        pass_turn(first, game)
        assert [next(stream).name for stream in live] == ["done", "waiting"]
        assert ids(waiting(second)) == [game["id"]]
        service.end()
        assert [list(stream) for stream in live] == [[], []]


def test_a_commit_whose_answer_was_lost_is_told(database: str) -> None:
    with wire(database) as laid, serving(laid.conninfo, run_worker=False) as service:
        pair = registered(service, "Ann"), registered(service, "Ben")
        game, first, _ = begun(pair)
        live = events(first.on(service))
        assert ids(next(live).data["games"]) == [game["id"]]
        laid.armed.set()
        told(say(first, game, RESIGN), 503, "unavailable")
        assert next(live) == Told("done", None, {"game_id": game["id"]})
        assert rows(database) == []
