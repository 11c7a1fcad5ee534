"""What `kibitz doctor` says of a worker and of a database that is not there."""

import subprocess

from service.event_store.schema import migrate
from service.postgres import Server
from tests import forking
from tests.ports import free_ports

from .programs import KIBITZ, environment, kibitz


def test_a_worker_of_another_database_of_the_same_server_is_none_of_this_one(postgres: Server) -> None:
    kept, unkept = postgres.create_database("kept"), postgres.create_database("unkept")
    for conninfo in (kept, unkept):
        migrate(conninfo)
    with forking.Popen(
        [*KIBITZ, "worker"], stdout=subprocess.PIPE, text=True, env=environment(DATABASE_URL=kept)
    ) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        while " a worker is at it" not in kibitz("doctor", DATABASE_URL=kept).stdout:
            assert worker.poll() is None
        assert "and no worker is at it" in kibitz("doctor", DATABASE_URL=unkept).stdout
        worker.terminate()


def test_what_is_wrong_is_a_sentence_of_its_own_before_what_to_do() -> None:
    ran = kibitz("doctor", DATABASE_URL=f"postgresql://nobody@127.0.0.1:{free_ports()}/none")
    told = next(line for line in ran.stdout.splitlines() if line.startswith("FAULT Database: "))
    assert told.endswith("Connection refused. To do: check DATABASE_URL and its server.")
