"""The store with a sealing key: a dump tells nothing of a live game, and whoever has the key reads it as before."""

import asyncio
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from structlog.testing import capture_logs

from domain.capabilities import NumberedDeals, OptionRules
from domain.games import GAME_TYPES, AnyGameType
from domain.play import events as ev
from domain.play.aggregate import fold
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.table import Opening, open_game
from domain.record import Withheld
from projections import PROJECTIONS
from projections.engine import following
from projections.engine.builds import builds
from projections.engine.following import FoldFailed, Follower
from service.event_store import unsealing
from service.event_store.codec import Codec, standard_codec
from service.event_store.library import CardTable
from service.event_store.reading import read_log, read_stream, read_topics
from service.event_store.store import EventStore
from service.keys.sealing import BrokenSeal, SealingKeyMissing, Seals, make_sealing_key, sealing_key_files
from service.workers.health import Health, look
from service.workers.worker import Worker, rebuild
from tests.service.event_store.made import TIME, on_a_loop
from tests.waiting import until

from .dumps import dump, secrets_of


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "keys"


@pytest.fixture
def codec(keys: Path) -> Codec:
    return standard_codec().sealing(Seals(keys).open())


def live(kind: AnyGameType, seed: int = 1, steps: int = 25, given: Sequence[str] | None = None) -> list[Step]:
    """A game that goes on, opened with secrets of its own and played by lot: the same game for the same seed."""
    lots, seats = Random(seed), kind.seats[0]
    options = kind.get(OptionRules).settle(kind.options(), seats)
    seated = tuple(uuid4() for _ in range(seats))
    opening = Opening(type=kind, options=options, players=seated)
    deal, key = (sha256(f"{word} of {kind.key} {seed}".encode()).digest() for word in ("deal", "key"))
    secret = ev.Sealed(deal, key, None if given is None else tuple(given))
    played = [open_game(uuid4(), opening, secret, Act(seated[0], None, TIME))]
    while len(played) < steps:
        game = played[-1].game
        offered = [(seat, one) for seat in range(seats) for one in legal_commands(game, seat)]
        chosen = [one for one in offered if not isinstance(one[1], ev.Resign)]
        if not chosen:
            break
        seat, command = lots.choice(chosen)
        step = play(game, command, Act(seated[seat], seat, TIME + len(played)))
        if step.game.status != "playing":
            break
        played.append(step)
    return played


def ended(step: Step) -> Step:
    """The game is given up, and revealed."""
    return play(step.game, ev.Resign(), Act(step.game.players[0], 0, TIME + 1000))


def records_of(steps: Iterable[Step]) -> list[Any]:
    return [record for step in steps for record in step.records]


def kept(database: str, steps: Iterable[Step], codec: Codec | None) -> None:
    """These steps in the log."""

    async def keep() -> None:
        async with EventStore(database, codec) as store:
            for step in steps:
                await store.append(step.records)

    asyncio.run(keep())


def read(database: str, game: UUID, codec: Codec | None = None) -> list[Any]:
    with psycopg.connect(database, autocommit=True) as connection:
        return read_stream(connection, game, codec=codec)


FREECELL = GAME_TYPES["freecell"]
GIVEN = tuple(FREECELL.get(NumberedDeals).cards(1, FREECELL.options()))


@pytest.mark.parametrize(
    ("played", "count"),
    [
        *(pytest.param(partial(live, kind), 10, id=key) for key, kind in sorted(GAME_TYPES.items())),
        pytest.param(partial(live, FREECELL, steps=1, given=GIVEN), 251, id="freecell, a given deal"),
    ],
)
def test_no_secret_of_a_live_game_is_in_a_dump_of_the_database(
    database: str, codec: Codec, played: Callable[[], list[Step]], count: int
) -> None:
    steps = played()
    kept(database, steps, codec)
    secrets, text = secrets_of(records_of(steps)), dump(database)
    assert len(secrets) >= count
    assert [secret for secret in secrets if secret in text] == []
    assert read(database, steps[0].game.id, codec) == records_of(steps)


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_without_a_key_the_same_search_finds_the_secrets(database: str, key: str) -> None:
    steps = live(GAME_TYPES[key])
    kept(database, steps, None)
    secrets, text = secrets_of(records_of(steps)), dump(database)
    found = [secret for secret in secrets if secret in text]
    sealed: ev.Sealed = steps[0].records[1].event
    assert {sealed.seed, sealed.digest_key} < set(found)
    assert len(found) > len(secrets) / 4  # of several spellings one or two


def test_what_tables_and_lists_are_made_of_stays_in_the_clear(codec: Codec) -> None:
    steps = [*(played := live(GAME_TYPES["klondike"])), ended(played[-1])]
    topics = {codec.topic(record) for record in records_of(steps) if not codec.secret(record)}
    assert topics == {"game/opened", "game/resigned", "game/finished", "game/revealed", "game/undone"}


SWAPPED = """
    UPDATE events AS here SET state = there.state FROM events AS there
    WHERE here.stream = there.stream AND here.version IN (4, 5) AND there.version = 9 - here.version
"""
CHANGED = "UPDATE events SET state = set_byte(state, 40, get_byte(state, 40) # 1) WHERE version = 3"


@pytest.mark.parametrize(("done", "told"), [(SWAPPED, "Version 4"), (CHANGED, "Version 3")])
def test_a_row_in_anothers_place_or_changed_is_told(database: str, codec: Codec, done: str, told: str) -> None:
    steps = live(GAME_TYPES["klondike"])
    kept(database, steps, codec)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(done.encode())
    with pytest.raises(BrokenSeal, match=told):
        read(database, steps[0].game.id, codec)


def test_rows_in_the_clear_from_before_are_read_and_the_game_goes_on_sealed(database: str, codec: Codec) -> None:
    steps = live(GAME_TYPES["klondike"])
    kept(database, steps[:10], None)
    kept(database, steps[10:], codec)
    assert read(database, steps[0].game.id, codec) == records_of(steps)


def test_a_game_is_played_across_a_rotation(database: str, codec: Codec, keys: Path) -> None:
    steps = live(GAME_TYPES["klondike"])
    kept(database, steps[:10], codec)
    make_sealing_key(keys)
    rotated = standard_codec().sealing(Seals(keys).open())
    kept(database, steps[10:], rotated)
    assert read(database, steps[0].game.id, rotated) == records_of(steps)
    with psycopg.connect(database) as connection:
        assert unsealing.needed_keys(connection) == {codec.seals.newest: 1, rotated.seals.newest: 1}
    with pytest.raises(SealingKeyMissing, match=rotated.seals.newest.hex()):
        read(database, steps[0].game.id, codec.sealing(_only(keys, codec.seals.newest)))
    kept(database, [ended(steps[-1])], rotated)
    with psycopg.connect(database) as connection:
        assert unsealing.needed_keys(connection) == {}
    assert len(read(database, steps[0].game.id)) == len(records_of(steps)) + 3


def _only(keys: Path, one: bytes) -> Seals:
    for name in sealing_key_files(keys):
        if name != f"{one.hex()}.seal":
            (keys / name).unlink()
    return Seals(keys).read()


@on_a_loop
async def test_a_revealed_game_is_read_without_any_key(database: str, tmp_path: Path) -> None:
    codec = standard_codec().sealing(Seals(tmp_path / "keys").open())
    steps = [*(played := live(GAME_TYPES["bridge_solitaire"])), ended(played[-1])]
    async with EventStore(database, codec) as store, EventStore(database, standard_codec().sealing(Seals())) as other:
        for step in steps:
            await store.append(step.records)
        assert await other.records(steps[0].game.id) == records_of(steps)
        assert [one.record for one in await other.read_after(0)] == records_of(steps)
    assert fold(records_of(steps)) == steps[-1].game


def test_readers_of_the_log_pass_by_what_they_lack_the_key_for_and_readers_of_the_game_are_told(
    database: str, codec: Codec
) -> None:
    lost, sound = live(GAME_TYPES["klondike"]), live(GAME_TYPES["golf"], 2)
    kept(database, lost, codec)
    kept(database, sound, None)
    with psycopg.connect(database, autocommit=True) as connection:
        found = [one.record for one in read_log(connection, 0, 1000, standard_codec().sealing(Seals()))]
    withheld = [record for record in found if isinstance(record.event, Withheld)]
    assert {record.stream for record in withheld} == {lost[0].game.id}
    assert [record.version for record in withheld] == [one.version for one in records_of(lost) if codec.secret(one)]
    assert found[len(records_of(lost)) :] == records_of(sound)
    assert read(database, sound[0].game.id) == records_of(sound)
    with pytest.raises(SealingKeyMissing):
        read(database, lost[0].game.id)


def test_the_keys_that_a_database_knows_and_nobody_has_are_missed_by_name(database: str, codec: Codec) -> None:
    asyncio.run(unsealing.begin(database, codec.seals, 3600))
    assert codec.seals.sealing  # a database that was made with sealing waits for no older program
    with psycopg.connect(database, autocommit=True) as connection:
        assert unsealing.missing_keys(connection, codec.seals) == []
        assert unsealing.missing_keys(connection, Seals()) == [codec.seals.newest]


def test_in_a_database_of_before_nothing_is_sealed_while_older_programs_may_run(database: str, codec: Codec) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE schema_migrations SET applied_at = now()")
        connection.execute("UPDATE schema_migrations SET applied_at = applied_at - interval '30 days' WHERE number = 1")
        assert 3500 < unsealing.grace(connection, 3600) <= 3600
        connection.execute("UPDATE schema_migrations SET applied_at = applied_at - interval '2 hours' WHERE number > 1")
        assert unsealing.grace(connection, 3600) == 0
    steps = live(GAME_TYPES["klondike"])
    codec.seals.postpone(3600)
    kept(database, steps, codec)
    assert read(database, steps[0].game.id) == records_of(steps)


def test_the_librarys_application_reads_what_is_sealed_if_it_is_given_the_keys(
    database: str, codec: Codec, keys: Path
) -> None:
    steps = live(GAME_TYPES["klondike"])
    kept(database, steps, codec)
    with CardTable({"DATABASE_URL": database, "SEALING_KEYS": str(keys)}) as application:
        assert application.game(steps[0].game.id) == steps[-1].game
    with CardTable({"DATABASE_URL": database}) as application, pytest.raises(SealingKeyMissing):
        application.game(steps[0].game.id)


def test_a_read_model_waits_for_a_missing_key_and_goes_on_once_it_is_there_or_given_up(
    database: str, codec: Codec
) -> None:
    rubber, golf = live(GAME_TYPES["bridge_solitaire"], 5, 400), live(GAME_TYPES["golf"], 2, 3)
    assert any(codec.topic(record) == "bridge_solitaire/hand_scored" for record in records_of(rubber))
    kept(database, [*rubber, *golf], codec)
    with pytest.raises(FoldFailed, match="rubbers"):
        Worker(database, read=partial(read_topics, codec=standard_codec().sealing(Seals()))).catch_up()
    assert stands(database, "games") > stands(database, "rubbers")
    Worker(database, read=partial(read_topics, codec=codec)).catch_up()
    whole = stands(database, "rubbers")
    with psycopg.connect(database, autocommit=True) as connection:
        unsealing.give_up(connection, codec.seals.newest)
    rebuild(database, ["rubbers"], read=partial(read_topics, codec=standard_codec().sealing(Seals())))
    assert stands(database, "rubbers") == whole == stands(database, "games")


def test_a_worker_goes_on_by_itself_when_a_missing_key_comes_into_its_folder(
    database: str, codec: Codec, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RETRY", 10**6)  # seconds: whatever else fails stands still
    kept(database, live(GAME_TYPES["bridge_solitaire"], 5, 400), codec)
    worker = Worker(database, read=partial(read_topics, codec=standard_codec().sealing(Seals(tmp_path / "new").read())))
    worker.start()
    try:
        until(lambda: worker.progress.failing == ("rubbers",))
        until(lambda: stands(database, "games") > stands(database, "rubbers"))
        until(lambda: "The projection rubbers waits for a sealing key." in complaints(database))
        shutil.copytree(keys, tmp_path / "new")
        until(lambda: stands(database, "rubbers") == stands(database, "games"))
        until(lambda: not worker.progress.failing)
    finally:
        worker.stop()


def test_what_waits_for_a_key_says_so_once_without_a_traceback(
    database: str, codec: Codec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "KEY_RETRY", 0.0)
    kept(database, live(GAME_TYPES["bridge_solitaire"], 5, 400), codec)
    follower = Follower(PROJECTIONS.values(), partial(read_topics, codec=standard_codec().sealing(Seals())), 10**6)
    with psycopg.connect(database, autocommit=True) as connection, capture_logs() as said:
        follower.begin(connection)
        for _ in range(3):
            follower.round(connection)
    assert [line for line in said if line["event"].startswith("projection")] == [
        {"event": "projection waits for a key", "log_level": "warning", "projection": "rubbers",
         "told": f"The sealing key {codec.seals.newest.hex()} is missing: give it back, or give it up."},
    ]  # fmt: skip
    assert [one.error for one in follower.failures] == ["KeyMissing"]


def complaints(database: str) -> tuple[str, ...]:
    """What readiness has to say."""
    with psycopg.connect(database, autocommit=True) as connection:
        standing = look(connection, standard_codec())
    return Health(EventStore(database, standard_codec()), Seals(), 30.0).complaints(standing)


def stands(database: str, projection: str) -> int:
    """The position of the read model that is seen."""
    with psycopg.connect(database) as connection:
        return max(one.position for one in builds(connection) if one.projection == projection)
