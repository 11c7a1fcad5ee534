"""The process of heavy work: `python -m service.live.heavy`, started by `service.live.heavy.process`.

It runs the work it reads from standard input until that ends, at a lower priority than the service.
"""

import copyreg
import os
import pickle
import signal
import sys
import traceback
from typing import Any

from domain.game_type import Forbidden, Illegal, Missing
from service.keys.sealing import SealingKeyMissing
from service.live.heavy import stored
from service.live.heavy.process import LENGTH
from service.telemetry import logs
from service.workers.searching import lower_priority

for kind in (Illegal, Forbidden, Missing):
    copyreg.pickle(kind, lambda error: (type(error), (error.rule, error.message, error.pointer)))
copyreg.pickle(SealingKeyMissing, lambda error: (SealingKeyMissing, (error.stream, error.key)))


def main() -> None:
    """Answer one piece of work after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the service, which ends this
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints must not end up between the answers
    conninfo, settings, niceness, seconds = pickle.loads(_read())
    lower_priority(niceness)
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    stored.prepare(conninfo, settings)
    while text := _read():
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process
        answer = _answer(text)
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(len(answer).to_bytes(LENGTH, "big") + answer)
        answers.flush()


def _answer(text: bytes) -> bytes:
    try:
        work, given, named = pickle.loads(text)
        return pickle.dumps(("found", work(*given, **named)))
    except Exception as error:  # noqa: BLE001  sent to the caller
        return pickle.dumps(("raised", _portable_error(error)))


def _portable_error(error: Exception) -> Exception:
    """The error, if it can be pickled; else a RuntimeError with its traceback."""
    error.__cause__ = error.__context__ = None
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


def _read() -> bytes:
    stdin: Any = sys.stdin.buffer
    head: bytes = stdin.read(LENGTH)
    text: bytes = stdin.read(int.from_bytes(head, "big")) if len(head) == LENGTH else b""
    return text


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
