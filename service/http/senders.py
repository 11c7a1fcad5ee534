"""From where a request comes: who sends it, where no good token says more."""

from functools import lru_cache
from ipaddress import IPv6Address


def address(client: tuple[str, int] | None) -> bytes:
    """The client's address. Behind a proxy uvicorn has it from X-Forwarded-For, if the proxy is one of those named in
    FORWARDED_ALLOW_IPS."""
    return network(client[0]) if client else b""


@lru_cache(4096)
def network(host: str) -> bytes:
    """What counts as one sender: an IPv4 address, or the /64 of an IPv6 address, which one household has to itself."""
    try:
        found = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host.encode()
    return str(found.ipv4_mapped).encode() if found.ipv4_mapped else found.packed[:8]
