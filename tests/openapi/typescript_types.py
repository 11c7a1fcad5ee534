"""The types of the client for TypeScript: `python -m tests.openapi.typescript_types` writes them."""

from pathlib import Path

from tests.debian import exit_where_missing
from tests.openapi import node_programs

_PUBLISHED = Path(__file__).parents[2] / "openapi"
COMMITTED = _PUBLISHED / "clients" / "typescript" / "src" / "openapi.ts"


def write(file: Path) -> None:
    """Write the types of the committed description."""
    done = node_programs.run("openapi-typescript", str(_PUBLISHED / "openapi.json"), "-o", str(file))
    if done.returncode:
        raise RuntimeError(done.stderr)


if __name__ == "__main__":
    with exit_where_missing():
        write(COMMITTED)
