"""One table: every error a client may meet, as an RFC 9457 problem document with a stable type."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs


class InputFault(Struct, frozen=True, omit_defaults=True):
    """One fault of a request: where it is, what is wrong, and what is allowed there.

    One of `pointer`, `parameter` and `header` tells the place. `given` is left out where it is long or may be secret.
    """

    detail: str
    pointer: Annotated[str, Meta(description="Where in the body: a JSON pointer (RFC 6901).")] | None = None
    parameter: Annotated[str, Meta(description="The query parameter.")] | None = None
    header: Annotated[str, Meta(description="The header.")] | None = None
    given: Annotated[str, Meta(description="What was there, in short.")] | None = None
    allowed: Annotated[tuple[str, ...], Meta(description="What may be there: values, or words for them.")] = ()


class Problem(Struct, frozen=True, omit_defaults=True):
    """An RFC 9457 problem document.

    `rule` names the rule of the game that was broken; `version` is the game's version where that matters.
    `errors` are all faults found in the body, in the query or in a header.
    `request_id` is an extension member (RFC 9457, 3.2) and no `instance`: a client may choose it, and twice the same.
    """

    type: Annotated[str, Meta(description="Stable name of the kind of problem, a path to its description.")]
    title: str
    status: int
    detail: str
    rule: Annotated[str, Meta(description="The slug of the rule that forbids it.")] | None = None
    version: int | None = None
    request_id: Annotated[str, Meta(description="As the header Request-Id: what to name when asking why.")] | None = (
        None
    )
    errors: tuple[InputFault, ...] = ()


class Kind(Struct, frozen=True):
    """A kind of problem: its status, its title, and when it happens."""

    status: int
    title: str
    when: str


KINDS: dict[str, Kind] = {
    "malformed": Kind(400, "Malformed request", "The body, a parameter or a header cannot be read."),
    "unauthenticated": Kind(401, "No valid token", "The token is missing, unknown, expired or revoked."),
    "scope_missing": Kind(403, "Scope missing", "The token does not carry the scope that this operation asks for."),
    "cross_site": Kind(403, "Not from here", "A session was used for a change that none of our own pages asked for."),
    "not_your_seat": Kind(403, "Not your seat", "You may not speak or look for that seat."),
    "forbidden": Kind(403, "Not for you", "Others may do that, not you; `rule` names the rule that says who."),
    "no_such_thing": Kind(404, "Not found", "There is no such thing, or you may not see it."),
    "no_such_method": Kind(405, "Method not allowed", "The path has no such method; `Allow` tells those it has."),
    "not_acceptable": Kind(406, "Not acceptable", "No representation has a media type that the request accepts."),
    "too_slow": Kind(408, "Too slow", "The request did not come whole in the time that the service gives it."),
    "illegal": Kind(409, "Against the rules", "A rule of the game forbids it now; `rule` names the rule."),
    "key_in_use": Kind(409, "Idempotency key in use", "Its first request is under way, or its answer is not kept."),
    "stale_version": Kind(412, "Stale version", "The game has moved on since the version named by If-Match."),
    "body_too_large": Kind(413, "Body too large", "The body is larger than the limit that the detail names."),
    "unsupported_media_type": Kind(415, "Unsupported media type", "The body is of no media type that is read here."),
    "unsupported_encoding": Kind(415, "Unsupported encoding", "The body is compressed, and only plain ones are read."),
    "not_verified": Kind(422, "Not verified", "The record does not hold what it says, or tells a game that goes on."),
    "key_reused": Kind(422, "Idempotency key reused", "The key was used before with another body."),
    "upgrade_required": Kind(426, "Upgrade required", "The path is a WebSocket; `Upgrade` names the protocol."),
    "too_many_requests": Kind(429, "Too many requests", "The limit is reached; Retry-After says when to come back."),
    "head_too_large": Kind(431, "Head too large", "Request line and headers are longer than the service reads."),
    "broken": Kind(500, "Internal error", "A fault of the service; it has been logged."),
    "busy": Kind(503, "Busy", "Too much of this kind of work is asked for; Retry-After says when to try again."),
    "not_ready": Kind(503, "Not ready", "A projection has stopped, no worker keeps them, or a sealing key is missing."),
    "key_missing": Kind(503, "Sealing key missing", "What is hidden in the game is sealed under a key not at hand."),
    "unavailable": Kind(503, "Unavailable", "The store cannot be reached; Retry-After says when to try again."),
}


class Refused(Exception):
    """Ends a request with a problem document."""

    def __init__(self, kind: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.kind = kind
        self.problem = problem(kind, detail, **more)

    def __reduce__(self) -> Any:
        """As another process sends it: with all that the problem document tells."""
        return refused_with, (self.kind, self.problem)


class ScopeMissing(Refused):
    """Ends a request whose token lacks this scope."""

    def __init__(self, scope: str) -> None:
        super().__init__("scope_missing", f"The token does not carry the scope `{scope}`.")
        self.scope = scope


def refused_with(kind: str, told: Problem) -> Refused:
    """The refusal of this kind with this problem document."""
    refused = Refused(kind, told.detail)
    refused.problem = told
    return refused


def refused_parameter(name: str, detail: str, *allowed: str) -> Refused:
    """The refusal of a query parameter; `detail` is a sentence."""
    return Refused("malformed", f"{name}: {detail}", errors=(InputFault(detail, parameter=name, allowed=allowed),))


def refused_member(name: str, detail: str) -> Refused:
    """The refusal of a member of the body, by its JSON pointer without the first slash; `detail` is a sentence."""
    return Refused("malformed", f"{name}: {detail}", errors=(InputFault(detail, pointer=f"/{name}"),))


def refused_header(name: str, detail: str, *allowed: str, kind: str = "malformed") -> Refused:
    """The refusal of a header; `detail` is a sentence. What was given is not said back: it may be secret."""
    return Refused(kind, f"{name}: {detail}", errors=(InputFault(detail, header=name, allowed=allowed),))


def problem(kind: str, detail: str, **more: Any) -> Problem:
    """The problem document of this kind."""
    return Problem(f"/v1/problems/{kind}", KINDS[kind].title, KINDS[kind].status, detail, **more)


# What shows nothing or turns the direction of writing lets one name pass for another, or spoils others' pages:
# controls, all default-ignorable code points (Unicode, DerivedCoreProperties.txt), blanks but the usual one and the
# ideographic, letters and signs that look blank, private use of the first plane, noncharacters. Those beyond the first
# plane are not refused but shown, see `show_hidden`: a range of them is no regular expression to half the programs that
# read the API's description. What is unassigned or private elsewhere is shown as a box.
_UNSEEN = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    r"\u2800\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
)
# Marks that stand over or under a letter: the first letter is none, and no more than three stand together.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    r"\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302d\u3099\u309a\ufe20-\ufe2f"
)
NAME = rf"^(?!.*[{_MARKS}]{{4}})[^\s{_UNSEEN}{_MARKS}]([^{_UNSEEN}]*[^\s{_UNSEEN}])?$(?!\n)"
SEED = r"^[ -~]+$(?!\n)"
KEY = r"^[a-z0-9_]+$"
LINE = r"^[0-9]{1,18}(\.[0-9]{1,4})?$(?!\n)"
MONTH = r"^\d{4}-(0[1-9]|1[0-2])$(?!\n)"
IDEMPOTENCY_KEY = r"^[!-~]([ -~]*[!-~])?$"
_TAG = r'((W/)?"[0-9]{1,9}(\.[A-Za-z0-9_-]{16})?"|[0-9]{1,9})'
IF_MATCH = rf"^({_TAG}([ \t]*,[ \t]*{_TAG})*|\*)$"
GAME_EVENT_ID = r"^[0-9]{1,9}(\.[0-9]{1,18})?$"
EVENT_ID = r"^([0-9]{1,9}(\.[0-9]{1,18})?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
CARD = r"^([A2-9TJQK][SHDC]|\*[1-4])$"

HIDDEN = re.compile(
    "[\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U000e0000-\U000e0fff]"
)

WORDS = {
    NAME: "visible characters, at most three marks on a letter, no blank at its beginning or end",
    SEED: "text of printable ASCII characters",
    KEY: "a key of small letters, digits and `_`",
    LINE: "a number of up to 18 digits, perhaps with a dot and up to 4 more: the `cursor` of a line",
    MONTH: "a month such as `2026-11`",
    CARD: "a card such as `QH` or `TS`, or a joker, `*1` to `*4`",
}


def show_hidden(body: Any) -> Any:
    """A body whose texts have U+FFFD, which everybody sees, for each character beyond the first plane that shows
    nothing."""
    if not isinstance(body, Struct):
        return body
    texts = {name: value for name in body.__struct_fields__ if isinstance(value := getattr(body, name), str)}
    found = {name: shown for name, text in texts.items() if (shown := HIDDEN.sub("\ufffd", text)) != text}
    return structs.replace(body, **found) if found else body


_LONGEST = 300
_SAID = {f"`str` matching regex {pattern!r}": words for pattern, words in WORDS.items()} | {
    "Invalid RFC3339 encoded datetime": "Expected a moment such as `2026-11-20T18:00:00Z`",
    "Invalid RFC3339 encoded date": "Expected a day such as `2026-11-20`",
}


def in_words(error: Exception) -> str:
    """What this error of decoding says, with words for the patterns; of a long text only its beginning."""
    said = str(error)
    for found, words in _SAID.items():
        said = said.replace(found, words)
    return said if len(said) <= _LONGEST else said[:_LONGEST] + " ..."


_FOUND = tomllib.loads((Path(__file__).parent / "rules.toml").read_text())
SENTENCES: dict[str, str] = _FOUND["sentences"]
PLACES: dict[str, list[str]] = _FOUND["places"]
_PLACE = "Where it can come up: keys of game types, `every game`, `contests`, `leagues`, `rulings`."


class Rule(Struct, frozen=True):
    """A rule that a refusal may name."""

    slug: Annotated[str, Meta(description="Its slug, as problem documents have it.")]
    sentence: str
    places: Annotated[tuple[str, ...], Meta(description=_PLACE)]


RULES = tuple(
    Rule(slug, sentence, tuple(place for place, slugs in PLACES.items() if slug in slugs))
    for slug, sentence in SENTENCES.items()
)


def rules_of(game_type: str) -> dict[str, str]:
    """The slugs of a game type's own rules, each with its sentence; those of every game are not among them."""
    return {slug: SENTENCES[slug] for slug in PLACES.get(game_type, ())}
