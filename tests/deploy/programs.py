"""A program and the release after it, on one schema: the newer one has a migration that the older one does not know.

The older program is the project as it is. The newer one is the same with one migration more, put in as it starts.
"""

import os
import subprocess
import sys
from pathlib import Path

from service.event_store.schema import migrations

_ROOT = Path(__file__).parents[2]
NEWEST = migrations()[-1].number
NEXT = "9001_next"
EXPANDING = f"""
-- safe for: {NEWEST:04}
CREATE TABLE colours (player uuid PRIMARY KEY, colour text NOT NULL);
ALTER TABLE tokens ADD COLUMN colour text NOT NULL DEFAULT 'red';
ALTER TABLE idempotency_keys ADD COLUMN colour text;
CREATE INDEX tokens_coloured ON tokens (colour);
"""
_AT_START = """
from service.event_store import schema

known = [*schema.migrations(), schema.Migration({number}, {name!r}, {sql!r})]
schema.migrations = lambda: known
"""


def release(folder: Path, sql: str) -> dict[str, str]:
    """The environment in which Python runs the release that has this migration more."""
    source = _AT_START.format(number=int(NEXT.partition("_")[0]), name=NEXT, sql=sql)
    (folder / "sitecustomize.py").write_text(source)
    return {"PYTHONPATH": f"{folder}{os.pathsep}{_ROOT}"}


THIS = {"PYTHONPATH": str(_ROOT)}
"""The environment of the program as it is."""


def kibitz(program: dict[str, str], conninfo: str, *words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    """A command of this program, run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *words], env={**program, "DATABASE_URL": conninfo, **settings},
        cwd="/", capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
