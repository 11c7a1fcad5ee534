"""The soak: faults under load and long fuzzing, run by `make soak`; no part of `make test`."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def say(text: str) -> None:
    """Print it at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@contextmanager
def folder_for(name: str) -> Iterator[Path]:
    """A data folder for the length of a `with` block."""
    folder = Path(tempfile.mkdtemp(prefix=f"kibitz-{name}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
