"""`kibitz migrate`: the one command that changes the schema."""

from argparse import ArgumentParser, Namespace

from service.cli.database import direct_address, place, private_postgres
from service.cli.options import database_options
from service.event_store import schema
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """Apply the missing migrations, if any."""
    if settings.database_url is not None:
        schema.migrate(direct_address(settings))
    else:
        with private_postgres(settings, may_start=True, may_create=True) as server:
            schema.migrate(server.dsn)
    print(f"The schema is at {schema.migrations()[-1].name} ({place(settings)}).")
    return 0
