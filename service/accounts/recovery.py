"""Recovery codes: ten of 80 random bits, shown once; each signs its player in once, and new ones end the old."""

import secrets
from hashlib import sha256
from uuid import UUID

import psycopg

from service.accounts import sessions
from service.accounts.players import Accounts, Token
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.problems import Refused

CODES = 10
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: five bits each, without letters that look like others."""
_SEEN_AS = str.maketrans("ilo", "110")
_LENGTH = 16
_DROP = "DELETE FROM recovery_codes WHERE player = %s"
_KEEP = """
INSERT INTO recovery_codes (hash, player)
SELECT unnest(%s::bytea[]), %s WHERE EXISTS (SELECT FROM persons WHERE player = %s)
"""
_USE = "UPDATE recovery_codes SET uses = uses + 1 WHERE hash = %s"
"""The second use breaks the table's check, and with it the transaction."""


class RecoveryCodes:
    """Keeps the hashes of all players' codes."""

    def __init__(self, store: EventStore, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts

    async def left(self, player: UUID) -> int:
        """How many unused codes the player has."""
        rows = await self._store.query("SELECT FROM recovery_codes WHERE player = %s AND uses = 0", (player,))
        return len(rows)

    async def renew(self, player: UUID) -> list[str]:
        """New codes, `8kq2-x0vd-9pnm-4rtz`; the old ones are good for nothing."""
        codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(CODES)]
        kept = Companion(_KEEP, ([_hash(code) for code in codes], player, player))
        await self._store.append([], [Companion(_DROP, (player,)), kept])
        return ["-".join(code[at : at + 4] for at in range(0, _LENGTH, 4)) for code in codes]

    async def sign_in(self, code: str, label: str) -> Token:
        """A session's token for the player of this code, which is used up; raises Refused."""
        key = _hash("".join(code.lower().split()).replace("-", "").translate(_SEEN_AS))
        rows = await self._store.query("SELECT player FROM recovery_codes WHERE hash = %s AND uses = 0", (key,))
        if not rows:
            raise Refused("unauthenticated", "The code is unknown or used up.")
        player: UUID = rows[0][0]
        try:
            return await self._accounts.begin_session(player, label, sessions.DAYS, player, [Companion(_USE, (key,))])
        except psycopg.errors.CheckViolation as used:
            raise Refused("unauthenticated", "The code is unknown or used up.") from used


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
