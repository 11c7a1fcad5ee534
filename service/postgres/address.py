"""Where the server listens: a socket in a folder of mode 0700, and no TCP port.

Connection strings lead there: to the service's own DATABASE, or to MAINTENANCE, which every server has.
"""

import errno
import os
import socket
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

from service.postgres.folder import DataFolder

USER, DATABASE, MAINTENANCE = "kibitz", "kibitz", "postgres"
_LONGEST_SOCKET = 100  # bytes; the systems allow 104 to 108, see sockaddr_un in unix(7)
_SOCKET_PORT = 5432  # names the socket's file; no TCP port is opened
_PREFIX = "kibitz-"
_ALIVE = {0, errno.EAGAIN, errno.EACCES}


@dataclass(frozen=True)
class Address:
    """A folder with the server's socket, and the port that names the socket's file."""

    host: str
    port: int

    @property
    def listening(self) -> bool:
        """Whether a server listens there now, ready or not: proof of life that no stale or reused pid can fake."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(1)
            return probe.connect_ex(str(_socket(Path(self.host), self.port))) in _ALIVE


def last_address(data: DataFolder) -> Address | None:
    """The last known address of this folder's server, which may have stopped."""
    with suppress(FileNotFoundError, ValueError):
        port, host = data.address.read_text("utf-8").split("\n", 1)
        return Address(host, int(port))
    return None


def conninfo(address: Address, database: str) -> str:
    """A libpq connection string for a database of the server."""
    return make_conninfo(host=address.host, port=address.port, user=USER, dbname=database)


def choose(data: DataFolder) -> Address:
    """A place for a server to listen at, remembered in the data folder and taken again."""
    address = Address(str(_socket_folder(data)), _SOCKET_PORT)
    data.write_private(data.address, f"{address.port}\n{address.host}")
    return address


def forget(data: DataFolder, address: Address) -> None:
    """Clear away what `choose` made, once the server has stopped."""
    data.address.unlink(missing_ok=True)
    with suppress(OSError):
        Path(address.host).rmdir()


def _socket(folder: Path, port: int) -> Path:
    return folder / f".s.PGSQL.{port}"


def _fits(folder: Path) -> bool:
    # libpq takes a comma in `host` for the end of one of several hosts, and knows no way to quote it.
    return len(os.fsencode(_socket(folder, _SOCKET_PORT))) <= _LONGEST_SOCKET and "," not in str(folder)


def _socket_folder(data: DataFolder) -> Path:
    own = data.path / "sockets"
    return data.make_private(own if _fits(own) else _short_folder(data))


def _short_folder(data: DataFolder) -> Path:
    """The short folder of the last start if it is still ours alone, else a new one with an unpredictable name."""
    last = last_address(data)
    if last is not None and _is_ours(Path(last.host), data):
        return Path(last.host)
    temporary = Path(tempfile.gettempdir())
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=temporary if _fits(temporary / f"{_PREFIX}12345678") else "/tmp"))


def _is_ours(folder: Path, data: DataFolder) -> bool:
    if folder.is_symlink() or not folder.is_dir() or not folder.name.startswith(_PREFIX):
        return False
    owner = os.geteuid() if data.account is None else data.account.uid
    return folder.stat().st_uid == owner and folder.stat().st_mode & 0o777 == 0o700
