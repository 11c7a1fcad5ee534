"""Scripts and styles: served from memory under a path that carries the hash of them all, so they never change."""

from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}


def _read() -> dict[str, bytes]:
    folder = files("service.web").joinpath("static")
    found = [file for file in folder.iterdir() if PurePosixPath(file.name).suffix in TYPES]
    return {file.name: file.read_bytes() for file in sorted(found, key=lambda file: file.name)}


FILES = _read()
DIGEST = sha256(b"".join(name.encode() + b"\0" + text for name, text in FILES.items())).hexdigest()[:16]


def address(name: str) -> str:
    """Where this file is served."""
    return f"/static/{DIGEST}/{name}"
