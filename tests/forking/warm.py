"""The warm process: `warm.py SOCKET`. It forks for whoever is at the other end of the socket, and ends with them."""

import asyncio
import atexit
import ctypes
import faulthandler
import fcntl
import gc
import importlib
import io
import os
import pickle
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

Asked = dict[str, Any]
_API = "service.cli.api_process"
_SERVERS = ("served.py",)
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def warm() -> None:
    """Import everything, and make an application once; its descriptions are the same in every process."""
    import service

    for module in pkgutil.walk_packages(service.__path__, "service."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from service import api
    from service.app import create_app
    from service.cli.server import configuration
    from service.http import openapi
    from service.settings import Settings

    importlib.import_module("tests.api.heavy_here")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(signing_keys=Path(folder))
        configuration(create_app(settings, "host=/nowhere", "127.0.0.1:1"), settings).load()
    documents = openapi.documents(api.find_handlers())
    vars(openapi).update(documents=lambda handlers: documents)


def requested(line: socket.socket) -> Asked:
    """Fork for every request; return in the child that is to do what this one asks."""
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    while True:
        text, files, _, _ = socket.recv_fds(line, 1 << 20, 250)
        if not text:
            os._exit(0)
        asked: Asked = pickle.loads(text)
        reader, writer = os.pipe()
        if (middle := os.fork()) == 0:
            if (pid := os.fork()) == 0:
                os.close(reader)
                os.close(writer)
                line.close()
                asked["files"] = files
                return asked
            os.write(writer, b"%d" % pid)
            os._exit(0)
        for number in (writer, *files):
            os.close(number)
        os.waitpid(middle, 0)
        line.send(os.read(reader, 100))
        os.close(reader)


def become(asked: Asked) -> None:
    """Be a process that was just started: its files, its environment, its folder, its signals."""
    if asked["session"]:
        os.setsid()
    if asked["group"] is not None and asked["group"] >= 0:
        os.setpgid(0, asked["group"])
    _take_files(asked["files"], asked["targets"])
    for number in _IGNORED:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(asked["cwd"])
    _take_command_line(asked["words"])
    os.environ.clear()
    os.environ.update(asked["env"])
    if asked["env"].get("PYTHONUNBUFFERED"):
        vars(sys)["stdout"].reconfigure(line_buffering=True)
    if asked["env"].get("PYTHONFAULTHANDLER"):
        faulthandler.enable()


def _take_command_line(words: list[str]) -> None:
    """Show in `/proc` what a process that was started would show: it is written over our own, proc_pid_stat(5)."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[45]), int(fields[46])
    text = b"\0".join(map(os.fsencode, (sys.executable, *words)))[: end - begin - 1]
    ctypes.memmove(begin, text.ljust(end - begin, b"\0"), end - begin)


def _take_files(files: list[int], targets: list[int]) -> None:
    """Nothing is open but these, under the numbers that they are to have."""
    above = max(*targets, *files) + 1
    moved = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, above) for number in files]
    for number, target in zip(moved, targets, strict=True):
        os.dup2(number, target, inheritable=True)
    begin = 0
    for target in [*sorted(set(targets)), os.sysconf("SC_OPEN_MAX")]:
        if begin < target:  # of an empty range it would close all that is above
            os.closerange(begin, target)
        begin = target + 1
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        old: io.TextIOWrapper = getattr(sys, name)
        raw = open(number, mode + "b", closefd=False)  # noqa: SIM115  lasts as long as the process
        line = name == "stderr" or os.isatty(number)
        new = io.TextIOWrapper(raw, old.encoding, old.errors, line_buffering=line)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def forks(asked: Asked) -> bool:
    """Whether it starts processes of ours itself: those that do heavy work, or the whole company of `serve`."""
    words: list[str] = asked["words"]
    return words[:3] == ["-m", "service.cli", "serve"] or words[1:2] == [_API] or Path(words[0]).name in _SERVERS


def with_a_warm_process(asked: Asked) -> Asked:
    """What this process starts comes from a warm process of its own, which is forked before it has done anything.

    Returns what the process does in which this returns: in one that is forked later that is something else.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        _take_command_line([__file__])
        nothing = os.open(os.devnull, os.O_RDWR)
        _take_files([nothing, nothing, nothing, theirs.fileno()], [0, 1, 2, theirs.fileno()])
        os.set_inheritable(theirs.fileno(), False)
        asked = requested(theirs)
        become(asked)
        return asked
    theirs.close()
    from tests import forking
    from tests.forking import on_a_loop

    forking.come_from(ours)
    vars(subprocess)["Popen"] = forking.Popen
    vars(asyncio)["create_subprocess_exec"] = on_a_loop.create_subprocess_exec
    return asked


def run(words: list[str], path: list[str]) -> NoReturn:
    """What the interpreter does with these words, to the exit code; `path` is its own part of `sys.path`."""
    named = words[0] == "-m"
    sys.argv = words[1:] if named else words
    first = os.getcwd() if named else str(Path(words[0]).resolve().parent)
    sys.path[:] = [first, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *path]
    code = 0
    try:
        _at_start()
        if named:
            if not hasattr(sys.modules.get(words[1]), "__path__"):
                sys.modules.pop(words[1], None)  # it is not imported but run, which runpy would warn of
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        code = _number(end.code)
    except BaseException as error:  # noqa: BLE001  as the interpreter does
        sys.excepthook(type(error), error, error.__traceback__)
        code = -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    vars(threading)["_shutdown"]()
    vars(atexit)["_run_exitfuncs"]()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _at_start() -> None:
    """What a folder of `PYTHONPATH` wants done at every start."""
    for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        if folder and (site := Path(folder) / "sitecustomize.py").exists():
            runpy.run_path(str(site))
            return


def _number(code: object) -> int:
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)  # noqa: T201  as the interpreter does
    return 1


def main(descriptor: str, room: str) -> NoReturn:
    """Warm up, and fork until nobody is there to ask."""
    root = os.environ["PYTHONPATH"]
    path = [folder for folder in sys.path[1:] if folder != root]
    sys.path[:] = [root, *path]
    warm()
    gc.collect()
    gc.freeze()
    asked = requested(socket.socket(fileno=int(descriptor)))
    become(asked)
    while forks(asked):
        before, asked = asked, with_a_warm_process(asked)
        if asked is before:
            break
    run(asked["words"], path)


main(*sys.argv[1:])
