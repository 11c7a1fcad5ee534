"""Runs a program under the filter of system calls that a unit sets: `python -m tests.deploy.filtered UNIT PROGRAM ...`.

systemd's own program tells which calls a group has, and libseccomp makes and installs the filter, as systemd does.
FORBIDDEN names further calls, separated by blanks, that are refused as well. Also: the unit's socket families.
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests import debian

_ALLOW, _ERRNO, _EQUAL = 0x7FFF0000, 0x00050000, 4  # SCMP_ACT_ALLOW, SCMP_ACT_ERRNO, SCMP_CMP_EQ
_RULE = ctypes.c_uint32


class _Comparison(ctypes.Structure):
    """scmp_arg_cmp: a system call's argument and what it must be."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("datum", ctypes.c_uint64),
        ("mask", ctypes.c_uint64),
    )


def values(unit: Path, name: str) -> list[str]:
    """The values of every line of this name, in order."""
    return [line.partition("=")[2] for line in unit.read_text("utf-8").splitlines() if line.startswith(f"{name}=")]


def allowed_calls(filters: Iterable[str]) -> set[str]:
    """The system calls that these values of SystemCallFilter allow; the first of them is a list of what is allowed."""
    groups = _groups()
    calls = _expanded(["@default"], groups)
    for text in filters:
        named = _expanded(text.removeprefix("~").split(), groups)
        calls = calls - named if text.startswith("~") else calls | named
    return calls


def _groups() -> dict[str, list[str]]:
    program = debian.program("systemd", ["systemd-analyze"])
    text = subprocess.run([program, "syscall-filter", "--no-pager"], capture_output=True, text=True, check=True).stdout
    groups: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("@"):
            members = groups.setdefault(line.strip(), [])
        elif line.startswith("    ") and line.strip()[0] != "#":
            members.append(line.strip())
    return groups


def _expanded(names: Iterable[str], groups: Mapping[str, list[str]]) -> set[str]:
    calls: set[str] = set()
    for name in names:
        calls |= _expanded(groups[name], groups) if name.startswith("@") else {name}
    return calls


def install(calls: Iterable[str], families: Iterable[str], error: int) -> None:
    """From now on this process may make these system calls, and sockets of these families; all others fail so."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)  # Debian's apt needs it
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [_RULE]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, _RULE, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison),
    ]  # fmt: skip
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    context = library.seccomp_init(_ERRNO | error)
    every: list[list[_Comparison]] = [[]]
    sockets = [[_Comparison(0, _EQUAL, getattr(socket, family), 0)] for family in families]
    for name in calls:
        number = library.seccomp_syscall_resolve_name(name.encode())
        for rule in sockets if name == "socket" else every:
            if number >= 0:  # below: another machine's
                array = (_Comparison * len(rule))(*rule)
                assert library.seccomp_rule_add_array(context, _ALLOW, number, len(rule), array) == 0, name
    assert library.seccomp_load(context) == 0


def main(unit: str, *command: str) -> None:
    """Become this program, under the unit's filter."""
    path = Path(unit)
    calls = allowed_calls(values(path, "SystemCallFilter")) - set(os.environ.get("FORBIDDEN", "").split())
    (error,), (families,) = values(path, "SystemCallErrorNumber"), values(path, "RestrictAddressFamilies")
    install(calls, families.split(), getattr(errno, error))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
