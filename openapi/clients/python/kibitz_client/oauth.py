"""Signing a person in: OAuth 2.1's authorization code with PKCE, as far as it needs no request."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from secrets import token_urlsafe
from urllib.parse import parse_qs, urlencode, urlsplit

from msgspec import Struct

from kibitz_client.problems import KibitzError


class SignInFailed(KibitzError):
    """The person said no, or the answer belongs to another sign-in."""


class SignIn(Struct, frozen=True):
    """A sign-in that has begun: the person is sent to `address`; keep it until they come back."""

    address: str
    client_id: str
    redirect_uri: str
    state: str
    verifier: str

    def form(self, redirected_to: str, client_secret: str | None) -> dict[str, str | None]:
        """What tokens are asked for with, once the person was sent back to this address; raises SignInFailed."""
        told = {name: values[0] for name, values in parse_qs(urlsplit(redirected_to).query).items()}
        if not hmac.compare_digest(told.get("state", ""), self.state):
            raise SignInFailed("The address that came back belongs to another sign-in.")
        if "code" not in told:
            raise SignInFailed(told.get("error_description") or told.get("error") or "There is no code.")
        return {
            "grant_type": "authorization_code",
            "code": told["code"],
            "code_verifier": self.verifier,
            "redirect_uri": self.redirect_uri,
            "client_id": self.client_id,
            "client_secret": client_secret,
        }


def begin_sign_in(endpoint: str, client_id: str, redirect_uri: str, scopes: tuple[str, ...]) -> SignIn:
    """A new sign-in at this authorization endpoint."""
    state, verifier = token_urlsafe(24), token_urlsafe(48)
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(scopes),
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return SignIn(f"{endpoint}?{urlencode(query)}", client_id, redirect_uri, state, verifier)
