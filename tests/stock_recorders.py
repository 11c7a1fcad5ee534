"""The eventsourcing library's own recorders, which ours are held against."""

from psycopg.conninfo import conninfo_to_dict


def stock(conninfo: str) -> dict[str, str]:
    """The environment that selects them in this database."""
    known = conninfo_to_dict(conninfo)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres", "POSTGRES_DBNAME": str(known["dbname"]),
        "POSTGRES_HOST": str(known["host"]), "POSTGRES_PORT": str(known.get("port", 5432)),
        "POSTGRES_USER": str(known["user"]), "POSTGRES_PASSWORD": str(known.get("password") or "unused"),
    }  # fmt: skip
