"""`make clients`: both tables against a server with a PostgreSQL of its own; fails if a cell is not `yes`.

The clients that the generators write, and the HTTP clients of other languages. With names of generators: these
alone."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from service.postgres import private_server
from service.postgres.postmaster import DATABASE
from tests import clusters
from tests.api.serving import serving
from tests.debian import NotThere
from tests.openapi.generators.makers import MAKERS
from tests.openapi.generators.table import Cells, cells_of, failures, rows
from tests.openapi.stock_clients import programs


def main() -> int:
    generated: dict[str, Cells] = {}
    stock: dict[str, Cells] = {}
    chosen = [maker for maker in MAKERS if maker.name in sys.argv[1:]]
    with TemporaryDirectory(prefix="kibitz-clients-") as folder, clusters.kept() as kept:
        clusters.share(kept)
        with (
            private_server(clusters.fill(Path(folder)), clusters.FAST) as postgres,
            serving(postgres.create_database("clients", DATABASE)) as service,
        ):
            try:
                for maker in chosen or MAKERS:
                    print(f"{maker.name} ...", file=sys.stderr, flush=True)
                    generated[maker.name] = cells_of(maker, service.url)
                for client in () if chosen else programs.CLIENTS:
                    print(f"{client.name} ...", file=sys.stderr, flush=True)
                    stock[client.name] = programs.cells_of(client, service.url)
            except (NotThere, RuntimeError) as error:
                sys.exit(str(error))
    print("\n".join([*rows(generated), "", *rows(stock), *failures(generated | stock)]))
    return 1 if failures(generated | stock) else 0


if __name__ == "__main__":
    sys.exit(main())
