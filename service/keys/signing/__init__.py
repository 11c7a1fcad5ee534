"""Signatures: the service says by Ed25519 that a finished game is the one it recorded."""

from service.keys.key_files import KeysUnusable
from service.keys.signing.checking import KnownKeys, Signed, check_signature, trusted_keys
from service.keys.signing.jwk import JwkSet, NoKeySet, key_set
from service.keys.signing.ring import Ring

__all__ = [
    "JwkSet", "KeysUnusable", "KnownKeys", "NoKeySet", "Ring", "Signed", "check_signature", "key_set", "trusted_keys",
]  # fmt: skip
