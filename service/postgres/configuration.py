"""PostgreSQL's settings for a private server, written anew at every start."""

from collections.abc import Mapping

from service.postgres.address import Address

SETTINGS: Mapping[str, str] = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "cluster_name": "kibitz",
    "unix_socket_permissions": "0700",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_checkpoints": "off",
    "log_statement": "none",
    # The secrecy law reaches into the log: neither a statement nor a detail may carry a hidden card there.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}


def configuration(address: Address, settings: Mapping[str, str]) -> str:
    """The text of `postgresql.conf`: our settings, then those given, then where to listen."""
    wanted = {**SETTINGS, **settings, **_place(address)}
    return "".join(f"{name} = {_quoted(value)}\n" for name, value in wanted.items())


def _place(address: Address) -> Mapping[str, str]:
    folder, host = (address.host, "") if address.is_socket else ("", address.host)
    return {"unix_socket_directories": _listed(folder), "listen_addresses": host, "port": str(address.port)}


def _listed(folder: str) -> str:
    """One element of a list setting: in double quotes, so that a comma or space in the path is no separator."""
    return '"' + folder.replace('"', '""') + '"' if folder else ""


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
