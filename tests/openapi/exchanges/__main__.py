"""`python -m tests.openapi.exchanges --record` plays the story and writes the description's examples.

What still tells the truth stays as it was recorded; with `--anew` everything is written as it was answered now.
"""

import logging
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from service.postgres import private_server
from tests import clusters
from tests.openapi.exchanges import recorded, story


def main(words: list[str]) -> int:
    """Play, and write if that is asked for."""
    parser = ArgumentParser(prog="python -m tests.openapi.exchanges", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the examples")
    parser.add_argument("--anew", action="store_true", help="and none as it was recorded before")
    chosen = parser.parse_args(words)
    logging.basicConfig(level="INFO", format="%(message)s")
    logging.getLogger("httpx").setLevel("WARNING")
    with TemporaryDirectory() as folder, private_server(clusters.fill(Path(folder)), clusters.FAST) as server:
        stage = story.play(server.dsn)
    if chosen.record or chosen.anew:
        logging.info("%s exchanges are new", recorded.write(stage, anew=chosen.anew))
    return 0


sys.exit(main(sys.argv[1:]))
