"""Passkeys that no browser has made: rows as the service writes them, for tests without a browser."""

import os
from uuid import UUID, uuid4

from service.accounts.names import KEY, LABEL, seal_text

from . import truth
from .serving import Service

_ADD = """
INSERT INTO passkeys (hash, passkey, player, sealed, sealed_label, sign_count, created_at)
VALUES (%s, %s, %s, %s, %s, 0, 1700000000000000)
"""


def passkey_of(service: Service, player: str, label: str = "laptop") -> UUID:
    """The id of a new passkey of this player."""
    owner, passkey = UUID(player), uuid4()
    ((key,),) = truth.rows(service, KEY, owner)
    sealed = seal_text(bytes(key), owner, b"passkey", "AAAA AAAA"), seal_text(bytes(key), owner, LABEL, label)
    truth.done(service, _ADD, os.urandom(32), passkey, owner, *sealed)
    return passkey
