"""Signatures: the service says by Ed25519 that a finished game is the one it recorded."""

from service.signing.checking import KnownKeys, Signed, signed
from service.signing.folder import KeysUnusable
from service.signing.jwk import JwkSet, NoKeySet, key_set
from service.signing.ring import Ring
from service.signing.signatures import Signatures, signature_at, signature_in, signature_of
from service.signing.trusted import trusted_keys

__all__ = [
    "JwkSet", "KeysUnusable", "KnownKeys", "NoKeySet", "Ring", "Signatures", "Signed", "key_set", "signature_at",
    "signature_in", "signature_of", "signed", "trusted_keys",
]  # fmt: skip
