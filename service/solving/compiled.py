"""The one place that knows numba: what is marked `compiled` becomes machine code, kept in a cache from then on.

Only the modules of service.solving.games import this, and they are imported by the first question: numba is no part of
a process that asks nothing.
"""

import os
import tempfile
from collections.abc import Callable
from getpass import getuser
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def _cache_folder() -> str:
    """A folder of the user's for these very sources; none where nothing can be written.

    numba looks only at the source of the function compiled, not of those that it calls, so the folder is named by all.
    """
    folder = Path(__file__).parent
    sources = b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))
    name = f"solving-{sha256(sources).hexdigest()[:16]}"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz"
    return next(filter(None, (_own(home / name), _own(Path(tempfile.gettempdir(), f"kibitz-{getuser()}", name)))), "")


def _own(folder: Path) -> str:
    """The folder, if it can be made and nobody else can write there: what is kept in it will be run."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        safe = folder.owner() == getuser() and not any(
            place.stat().st_mode & 0o022 for place in (folder, folder.parent)
        )
        return str(folder) if safe and os.access(folder, os.W_OK) else ""
    except (OSError, KeyError):
        return ""


_FOLDER = os.environ.get("NUMBA_CACHE_DIR") or _cache_folder()
numba.config.CACHE_DIR = _FOLDER  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """The function as machine code, compiled when it is first called."""
    return cast(F, numba.njit(cache=bool(_FOLDER), error_model="numpy")(function))


def compiled_with(function: F, name: str, **called: Callable[..., Any]) -> F:
    """A copy of the function, under this name in the cache, in which these compiled functions stand for its globals."""
    plain = cast(FunctionType, function)
    copy = FunctionType(plain.__code__, {**plain.__globals__, **called}, name)
    copy.__qualname__, copy.__module__ = name, plain.__module__
    return cast(F, compiled(copy))
