"""Bodies that open a game, one per game type, and their openings."""

import secrets
from hashlib import sha256
from typing import Annotated, Any, Union
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.capabilities import NumberedDeals
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.play import events as ev
from domain.play.table import MOST_INVITATIONS, Opening
from domain.view import NamedCard, player_name
from service.live.shapes import ClientSeed
from service.solving import SOLVERS

_DELAY = Meta(
    ge=0,
    le=200,
    description="Who has no seat sees the game as it stood so many steps ago, from the deal on and until it is over.",
)


_RATED = (
    "False: a practice game, in no table. Only a public game is rated: what counts can be looked at by everybody. The "
    "answer says whether it is."
)
_VISIBLE = "Who may see it and find it in lists. Unlisted and private games are unrated, whatever `rated` says."
_LIMIT = (
    "Seconds for each move, from the game's last step; whoever is to move then has run out of time. Left out, a rated "
    "game that was begun is lost after a day without a move where one plays alone, after a fortnight where several do."
)
_HINTS = (
    "You may ask for hints, and everybody is told that you could. Only where `rated` is false, and of cards that the "
    "service deals: with `deal` only as a wish."
)
MoveSeconds = Annotated[int, Meta(ge=5, le=30 * 86_400, description=_LIMIT)]


class DealWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal out of the stock of those that a solver has won, each dealt once; `level`: how hard, any if left out."""

    winnable: Annotated[bool, Meta(extra_json_schema={"const": True})]
    level: Annotated[ev.DealLevel, Meta(description="How hard, by what the solver's search took.")] | None = None

    def __post_init__(self) -> None:
        if not self.winnable:
            raise ValueError("only true can be wished for: left out, the deal is any")


GivenCards = Annotated[tuple[NamedCard, ...], Meta(max_length=500)]
CardsOrWish = GivenCards | DealWish
"""The member `deal` of a body, where a solver knows the game type."""


def opening_body(kind: AnyGameType) -> type[Struct]:
    """The body that opens a game of this type."""
    fields: list[Any] = [
        ("options", kind.options, msgspec.field(default_factory=kind.options)),
        ("rated", Annotated[bool, Meta(description=_RATED)], True),
        ("visibility", Annotated[ev.Visibility, Meta(description=_VISIBLE)], "public"),
        ("await_seeds", Annotated[bool, Meta(description="Deal only when every seat has given a seed.")], False),
        ("move_seconds", MoveSeconds | None, None),
        ("seed", ClientSeed | None, None),
        ("deal", (CardsOrWish if kind.key in SOLVERS else GivenCards) | None, None),
    ]
    if kind.key in SOLVERS:
        fields.append(("hints", Annotated[bool, Meta(description=_HINTS)], False))
    if kind.seats[-1] > 1:
        counts = kind.seat_counts
        span = Meta(ge=min(counts), le=max(counts), description="How many seats the game has.")
        fields.append(("seats", Annotated[int, span], kind.seats[0]))
        fields.append(("seat", Annotated[int, Meta(ge=0, lt=kind.seats[-1], description="The seat you take.")], 0))
        hot = "You hold every seat yourself; unrated, and seats are named in each request."
        guests = Meta(
            max_length=MOST_INVITATIONS,
            description="Players who are offered a seat; they see the game if it is private.",
        )
        fields.append(("player_ids", Annotated[tuple[UUID, ...], guests], ()))
        fields.append(("hot_seat", Annotated[bool, Meta(description=hot)], False))
        fields.append(("spectator_delay", Annotated[int, _DELAY], 0))
    if kind.has(NumberedDeals):
        fields.append(("deal_number", Annotated[int, Meta(ge=1, le=2**31 - 1)] | None, None))
    name = "Open" + "".join(part.capitalize() for part in kind.key.split("_"))
    doc = f"Open a game of {kind.name}. `seed` or `deal` (all cards in dealing order) make it unrated."
    if kind.key in SOLVERS:
        doc = f"{doc[:-1]}, and so does the wish for a deal that can be won."
    return msgspec.defstruct(
        name, fields, tag_field="game_type", tag=kind.key, frozen=True, kw_only=True, forbid_unknown_fields=True,
        namespace={"__doc__": doc},
    )  # fmt: skip


OPENING_BODIES = {key: opening_body(kind) for key, kind in GAME_TYPES.items()}
AnyOpening: Any = Union[tuple(OPENING_BODIES.values())]  # noqa: UP007


def opening(body: Any, player: UUID) -> Opening:
    """The opening of this body; raises Illegal."""
    kind = GAME_TYPES[type(body).__struct_config__.tag]
    return Opening(
        type=kind,
        options=body.options,
        players=_seat_players(body, player),
        rated=body.rated and body.visibility == "public" and not getattr(body, "hot_seat", False),
        origin=_find_origin(body),
        visibility=_check_visibility(body),
        await_seeds=body.await_seeds,
        move_seconds=body.move_seconds,
        invited=tuple(ev.Invited(guest) for guest in getattr(body, "player_ids", ())),
        spectator_delay=getattr(body, "spectator_delay", 0),
        hints=_check_hints(body),
    )


def _check_hints(body: Any) -> bool:
    hints: bool = getattr(body, "hints", False)
    if hints and isinstance(body.deal, tuple):
        detail = "There are no hints about cards that were typed in: they may lie in a game that counts."
        raise Illegal("hints_of_given_deal", detail, "/deal")
    return hints


def _seat_players(body: Any, player: UUID) -> tuple[UUID | None, ...]:
    count = getattr(body, "seats", 1)
    if getattr(body, "hot_seat", False):
        return (player,) * count
    seat = getattr(body, "seat", 0)
    if seat >= count:
        raise Illegal("seats", f"There is no {player_name(seat)} at a game of {count}.", "/seat")
    return tuple(player if place == seat else None for place in range(count))


def _check_visibility(body: Any) -> ev.Visibility:
    if body.visibility == "private" and getattr(body, "seats", 1) > 1 and not (body.hot_seat or body.player_ids):
        raise Illegal("private_company", "A private game with empty seats invites somebody: nobody else finds it.")
    return body.visibility  # type: ignore[no-any-return]


def _find_origin(body: Any) -> ev.Origin:
    chosen = [body.seed is not None, body.deal is not None, getattr(body, "deal_number", None) is not None]
    if sum(chosen) > 1:
        raise Illegal("one_deal", "Give one of seed, deal and deal number.")
    kinds: tuple[ev.Origin, ...] = ("given_seed", "given_deal", "numbered_deal")
    if wish_of(body) is not None:
        if body.await_seeds:
            detail = "A deal that is known to be won waits for no seed that would change it."
            raise Illegal("wished_seeds", detail, "/deal")
        return "wished"
    return next((kind for kind, is_chosen in zip(kinds, chosen, strict=True) if is_chosen), "shuffled")


def judged_deal(body: Any) -> tuple[Opening, ev.Sealed]:
    """The deal of this body for a solver, as a game without a player and without chance. Raises Illegal."""
    kind, origin = GAME_TYPES[type(body).__struct_config__.tag], _find_origin(body)
    if origin not in ("given_seed", "given_deal", "numbered_deal"):
        raise Illegal("no_deal", "Say which deal is meant: by its cards, a seed or its number.", "/deal")
    seed = sha256((body.seed or "").encode()).digest()
    opening = Opening(type=kind, options=body.options, players=(UUID(int=0),), rated=False, origin=origin)
    return opening, ev.Sealed(seed, bytes(32), _find_deal(body))


def wish_of(body: Any) -> DealWish | None:
    """The wish for a deal, if there is one in this body."""
    return body.deal if isinstance(body.deal, DealWish) else None


def fresh_secret() -> ev.Sealed:
    """Fresh secrets, for a deal without a given seed."""
    return ev.Sealed(secrets.token_bytes(32), secrets.token_bytes(32))


def secret(body: Any) -> ev.Sealed:
    """Fresh secrets; a given seed is the SHA-256 of its text."""
    server = secrets.token_bytes(32) if body.seed is None else sha256(body.seed.encode()).digest()
    return ev.Sealed(server, secrets.token_bytes(32), _find_deal(body))


def _find_deal(body: Any) -> tuple[str, ...] | None:
    number = getattr(body, "deal_number", None)
    kind: AnyGameType = GAME_TYPES[type(body).__struct_config__.tag]
    if number is not None and kind.has(NumberedDeals):
        return tuple(kind.get(NumberedDeals).cards(number, body.options))
    return None if wish_of(body) else body.deal
