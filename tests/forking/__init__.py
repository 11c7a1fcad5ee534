"""Programs of ours without their imports: forked from a process that has everything imported and has done nothing yet.

`forking.Popen` is `subprocess.Popen` for what needs no real start: `python -m service.cli ...` and `python tests/...py`
come from the warm process, as children of the caller all the same, with their own environment, folder, files, process
group and command line; what `kibitz serve` and servers start themselves comes from warm processes of their own, which
are children of theirs (`is_warm`). They share a hash seed and what is computed at import. What has a `preexec_fn`, an
account or a program other than this interpreter is started as ever. Tests of the command itself (that it can be
imported, what it runs on, how many files it needs) use `subprocess`.
"""

import atexit
import ctypes
import inspect
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_WARM = Path(__file__).with_name("warm.py")
_ROOM = "-" * 1000
"""An argument of the warm process that its forks write their own command lines over."""
_ROOT = Path(__file__).parents[2]
_SUBREAPER = 36
_NEEDS_A_START = ("preexec_fn", "shell", "executable")
_lock = threading.Lock()
_line: socket.socket | None = None
_real = subprocess.Popen
_given = inspect.signature(_real._execute_child)  # type: ignore[attr-defined]


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    """A process, forked where it can be."""

    def _execute_child(self, *values: Any) -> None:
        given = _given.bind(self, *values).arguments
        asked = _asked(given)
        if asked is None:
            super()._execute_child(*values)  # type: ignore[misc]
            return
        ends = {name: given[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")}
        standard = (ends["p2cread"], ends["c2pwrite"], ends["errwrite"])
        files = [number if found == -1 else found for number, found in enumerate(standard)]
        self.pid = _forked(asked, [*files, *given["pass_fds"]])
        self._child_created = True
        self._close_pipe_fds(*ends.values())  # type: ignore[attr-defined]


def _asked(given: dict[str, Any]) -> dict[str, Any] | None:
    """What the warm process is told; None for what has to be started."""
    words = [os.fspath(word) for word in given["args"]] if not isinstance(given["args"], (str, bytes)) else []
    plain = not any(given[name] for name in _NEEDS_A_START) and given["close_fds"]
    unchanged = all(given[f"{who}"] in (None, -1) for who in ("gid", "gids", "uid", "umask"))
    if not (words[:1] == [sys.executable] and len(words) > 1 and plain and unchanged and words[1] != "-c"):
        return None
    return {
        "words": words[1:], "cwd": os.fspath(given["cwd"] or os.getcwd()),
        "env": dict(os.environ if given["env"] is None else given["env"]), "targets": [0, 1, 2, *given["pass_fds"]],
        "session": given["start_new_session"], "group": given["process_group"],
    }  # fmt: skip


def _forked(asked: dict[str, Any], files: list[int]) -> int:
    """The number of a new child of ours that does what is asked."""
    with _lock:
        line = _warmed()
        libc = ctypes.CDLL(None)
        libc.prctl(_SUBREAPER, 1, 0, 0, 0)  # who forks it for us ends at once, and leaves it to us
        try:
            socket.send_fds(line, [pickle.dumps(asked)], files)
            said = line.recv(100)
        finally:
            libc.prctl(_SUBREAPER, 0, 0, 0, 0)
        if not said:
            raise OSError("The warm process has died.")
        return int(said)


def is_warm(words: Sequence[str]) -> bool:
    """Whether a process with this command line is one that only forks others."""
    return list(words[1:2]) == [str(_WARM)]


def come_from(line: socket.socket) -> None:
    """Here processes are forked by whoever is at the other end."""
    global _line
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    _line = line


def _warmed() -> socket.socket:
    """The way to the warm process, which is started when it is asked for the first time."""
    if _line is None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        come_from(ours)
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
        with theirs:
            process = _real(
                [sys.executable, str(_WARM), str(theirs.fileno()), _ROOM], pass_fds=[theirs.fileno()], cwd=_ROOT,
                env={**surroundings, "PYTHONPATH": str(_ROOT)},
            )  # fmt: skip
        atexit.register(_ended, ours, process)
    assert _line is not None
    return _line


def _ended(line: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    line.close()
    process.wait()


def run(words: Sequence[str], *, timeout: float, **more: Any) -> "subprocess.CompletedProcess[str]":
    """A program run to its end, as text; with what it said."""
    with Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)
