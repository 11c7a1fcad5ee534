"""What every test may ask for: one private PostgreSQL for the run, and fresh databases cloned from a migrated one."""

import gc
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import psutil
import psycopg
import pytest
from psycopg import Connection
from xdist.scheduler import LoadScopeScheduling

from service.postgres import PostgresError, Server, join, private_server, start, stop
from service.postgres.postmaster import DATABASE
from tests import clusters
from tests.clusters import FAST
from tests.debian import NotThere

ELSEWHERE = "KIBITZ_TESTS_SERVER"
"""The address of a PostgreSQL, or of what speaks like one, on which `tests/service/event_store` is to be run."""
_RUN, _TEST = "kibitz-run-", "kibitz-test-"
_MEMORY, _ROOM = Path("/dev/shm"), 3 * 2**30
"""A file system in memory, and the bytes that it and the machine must have free for a run."""
# Seconds after which an unlocked folder is a dead run's: a test may leave its own unlocked for a while, a run does not.
_DEAD_AFTER = {_RUN: 0.0, _TEST: 3600.0}


def _work_in_memory() -> None:
    """Temporary files in memory, where there is room: a database is 300 files, and a disk takes ten times as long.

    What is killed to see that nothing is lost lies on the disk all the same (`on_disk`), as in earnest. Whoever sets
    TMPDIR decides.
    """
    if "TMPDIR" in os.environ or not _MEMORY.is_dir():
        return
    there, memory = os.statvfs(_MEMORY), psutil.virtual_memory().available
    usable = os.access(_MEMORY, os.W_OK | os.X_OK) and not there.f_flag & getattr(os, "ST_NOEXEC", 0)
    if usable and min(there.f_bavail * there.f_frsize, memory) >= _ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as in the background of a shell; all that is started inherits it
    signal.signal(signal.SIGINT, signal.default_int_handler)
_DISK = os.environ.setdefault("DISK_OF_THE_TESTS", tempfile.gettempdir())  # the run's other processes have TMPDIR set
_work_in_memory()
# No test speaks TLS, and httpx would read every authority of the system anew for each client: 30 ms of a processor.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).with_name("corpus"))


def on_disk(prefix: str) -> Path:
    """A new folder that is not in memory, whatever the others are."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=_DISK))


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Iterator[Server | clusters.Elsewhere]:
    """The run's own server, one for all its processes; or the one that ELSEWHERE names."""
    shared = getattr(request.config, "workerinput", {}).get("postgres")
    with _signals_as_interrupts():
        if ELSEWHERE in os.environ:
            yield clusters.Elsewhere(os.environ[ELSEWHERE])
        elif shared is None:
            with _the_runs_own() as server:
                yield server
        else:
            yield join(Path(shared))


@contextmanager
def _the_runs_own() -> Iterator[Server]:
    """Its data need not outlive the run, so nothing waits for a disk."""
    _clear_what_killed_runs_left()
    folder = _new_folder(_RUN)
    try:
        with private_server(clusters.fill(folder), FAST) as server:
            server.create_database("template", DATABASE)
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def template_database(postgres: Server) -> str:
    """The name of a database with the whole schema and no rows."""
    return "template"


@pytest.fixture
def database(postgres: Server, template_database: str) -> Iterator[str]:
    """The connection string of a migrated database that this test has for itself."""
    name = f"test_{uuid4().hex}"
    yield postgres.create_database(name, template_database)
    postgres.drop_database(name)


@pytest.fixture
def connection(database: str) -> Iterator[Connection[Any]]:
    """A connection to it, each statement of which is committed."""
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.fixture
def data_folder(empty_folder: Path) -> Path:
    """A data folder that was served before, for tests that start servers of their own."""
    return clusters.fill(empty_folder)


@pytest.fixture
def empty_folder() -> Iterator[Path]:
    """One that was not; whatever still runs on it at the end is stopped."""
    folder = _new_folder(_TEST)
    with _signals_as_interrupts():
        try:
            yield folder
        finally:
            _clear(folder)


def _new_folder(prefix: str) -> Path:
    # Not pytest's tmp_path: its path is long for a socket, and as root nobody else may enter it.
    return Path(tempfile.mkdtemp(prefix=prefix))


def _clear(folder: Path) -> None:
    if (folder / "address").exists():
        with suppress(PostgresError):
            stop(start(folder))
    shutil.rmtree(folder)


def _clear_what_killed_runs_left() -> None:
    """Remove the folders, and stop the servers, of earlier runs that had no chance to do it."""
    for prefix, age in _DEAD_AFTER.items():
        for address in [
            *Path(tempfile.gettempdir()).glob(f"{prefix}*/address"),
            *Path(_DISK).glob(f"{prefix}*/address"),
        ]:
            with suppress(PostgresError, OSError):
                if time.time() - address.stat().st_mtime >= age:
                    stop(start(address.parent))
                    shutil.rmtree(address.parent)


@contextmanager
def _signals_as_interrupts() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run as Ctrl-C does: with every fixture torn down."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, _interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class _Shared:
    """Where a run is spread over processes, whoever hands out the tests keeps the server that they share."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._server: Server | None = None
        self._where: dict[str, Any] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> "_ByFile":
        return _ByFile(config, log)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """What two processes share is set up in both, and nobody would notice but by the time that it takes."""
        node, group = getattr(report, "node", None), _together(report.nodeid)
        if report.when == "call":  # the report of a process that died tells no moment
            assert self._where.setdefault(group, node) is node, f"{group} runs in two processes"

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self) -> None:
        self._where.clear()  # what a process did that has died, another one goes on with

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        if self._server is None and ELSEWHERE not in os.environ:
            clusters.share(self._stack.enter_context(clusters.kept()))
            self._server = self._stack.enter_context(_the_runs_own())
        if self._server is not None:
            node.workerinput |= {"postgres": str(self._server.folder), "cluster": str(clusters.made())}

    def pytest_sessionfinish(self) -> None:
        self._stack.close()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Shared())
    elif "cluster" in config.workerinput:
        clusters.share(Path(config.workerinput["cluster"]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: "pytest.CallInfo[None]") -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A program that is missing and cannot be installed is reported in one line."""
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(NotThere):
        report.longrepr = str(call.excinfo.value)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Every test runs in a context of its own: no request id or span of one shows in the log lines of the next."""
    test = pyfuncitem.obj
    pyfuncitem.obj = partial(copy_context().run, test)
    try:
        return (yield)
    finally:
        pyfuncitem.obj = test


_LONG = (
    "openapi/test_schemathesis", "laws/test_laws", "laws/test_secrecy", "faults/", "api/worlds",
    "browser/test_play_every", "projections/test_stored_seasons", "api/test_process", "deploy/", "browser/",
    "projections/test_seasons", "api/test_withheld", "api/test_play", "service/house/", "service/postgres/",
    "service/cli/", "api/test_inbox", "openapi/", "service/pictures/test_golden", "api/test_outages",
    "games/bridge_solitaire/test_sheet", "api/test_stranger", "games/screaming_yoda/test_whole", "service/test_contest",
    "api/test_sealing", "api/test_pages", "api/test_hints", "api/test_no_secrets", "solving/", "house/",
    "api/test_analysis", "api/test_contests", "api/test_house_bots", "api/test_cut_off", "api/test_erasure",
)  # fmt: skip
"""Files that take more than ten seconds of a processor begin first: no process waits at the end for another's."""
_SPREAD = ("laws/test_laws.py", "laws/test_secrecy.py")
"""Files whose tests have little in common but the game type: what a file takes is no one process's alone then."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: next((at for at, name in enumerate(_LONG) if name in item.nodeid), len(_LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Of what modules and tests are made nothing is garbage, and all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


class _ByFile(LoadScopeScheduling):
    """A file's tests run in one process, one after the other: what they share is set up once.

    `--dist loadgroup` of xdist 3.8 would know the groups by marks, which pytest 9.2 keeps from it without a word.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _together(nodeid)


def _together(nodeid: str) -> str:
    """What runs in one process has this name in common: a file, mostly; of a file that is spread, a game type."""
    file, _, name = nodeid.partition("::")
    if not file.endswith(_SPREAD):
        return file
    test, _, given = name.partition("[")
    return f"{file}:{given.rstrip(']').partition('-')[0] or test}"
