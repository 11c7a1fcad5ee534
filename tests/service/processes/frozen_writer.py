"""A process that sends the first half of a transaction which takes the log's row, and is then frozen: run by tests.

`python -m tests.service.processes.frozen_writer CONNINFO pipeline|transaction`
"""

import sys
import time

import psycopg

_TAKE = "UPDATE log SET epoch = epoch"


def main(conninfo: str, how: str) -> None:
    connection = psycopg.connect(conninfo, autocommit=True)
    if how == "transaction":
        connection.execute("BEGIN")
        connection.execute(_TAKE)
    else:  # a flight of which the rest was not sent any more: for the server no statement and no idleness goes on
        connection.pgconn.enter_pipeline_mode()
        connection.pgconn.send_query_params(_TAKE.encode(), [])
        connection.pgconn.send_flush_request()
        connection.pgconn.flush()
    sys.stdout.write("sent\n")
    sys.stdout.flush()
    time.sleep(3600)


if __name__ == "__main__":
    main(*sys.argv[1:])
