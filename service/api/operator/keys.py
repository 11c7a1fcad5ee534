"""The public keys by which this service signs finished games."""

from litestar import Response

from service.http.operation import Answer, Call, operation, reply
from service.keys.signing import JwkSet

_SAYS = "The keys, the oldest first, as a JWK set."


@operation(
    id="list_keys", method="GET", path="/v1/keys", tag="records",
    answers={200: Answer(type=JwkSet, says=_SAYS, headers={"Cache-Control": "How long the answer may be kept."})},
)  # fmt: skip
async def list_keys(call: Call[None, None]) -> Response[bytes]:
    """List the public keys that sign finished games: Ed25519, as JSON Web Keys (RFC 8037).

    `kid` is the name that a record's signature bears. A key that was replaced stays here, with the time until which it
    signed. Signed is tag `kibitz/record/1` and a zero byte, the game's id (16 bytes), its version (8 bytes, big-endian)
    and the digest of that version (32 bytes). Keep this set: a record can then be checked without this service.
    """
    return reply(call.services.ring.public(), Cache_Control="public, max-age=300")


HANDLERS = (list_keys,)
