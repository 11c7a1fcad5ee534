"""The table of what clients by stock generators can do: compiles, plays, replays, streams."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.openapi.generators.makers import DOCUMENT, Failed, Maker

COLUMNS = ("compiles", "plays", "replays", "streams")
Cells = dict[str, str]
"""Column -> `yes`, or what went wrong."""


def cells_of(maker: Maker, server: str, document: Path = DOCUMENT) -> Cells:
    """Generate, compile and play in an empty folder; what comes after a failure is not tried."""
    with TemporaryDirectory(prefix="kibitz-client-") as made:
        folder = Path(made)
        maker.lay_out(folder)
        try:
            maker.generate(document, folder)
            maker.compile(folder)
        except Failed as failed:
            return {"compiles": str(failed)} | dict.fromkeys(COLUMNS[1:], "not tried")
        done = maker.play(folder, server)
        achieved = {line.partition(":")[0] for line in done.stdout.splitlines()}
        wrong = done.stderr[-2000:] or "the player says nothing"
        return {"compiles": "yes"} | {name: "yes" if name in achieved else wrong for name in COLUMNS[1:]}


def rows(table: dict[str, Cells]) -> list[str]:
    """The table as lines of text; a cell that is not `yes` is `NO`."""
    lines = list[str]()
    for name, cells in table.items():
        if not lines:
            lines.append(f"{'':24}" + "".join(f"{column:>13}" for column in cells))
        lines.append(f"{name:24}" + "".join(f"{'yes' if cell == 'yes' else 'NO':>13}" for cell in cells.values()))
    return lines


def failures(table: dict[str, Cells]) -> list[str]:
    """Client, column and what went wrong, of each cell that is not `yes`."""
    return [
        f"{name}, {column}: {cell}" for name, cells in table.items() for column, cell in cells.items() if cell != "yes"
    ]
