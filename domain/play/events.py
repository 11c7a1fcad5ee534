"""What happens to any game, whatever its type: events (past tense) and the commands (imperative) behind them."""

from typing import Any, Literal, get_args
from uuid import UUID

from msgspec import Struct

from domain.game_type import Concealed, Ending, Result
from domain.record import Micros
from domain.view import Card, Seat

Visibility = Literal["public", "unlisted", "private"]
Origin = Literal["shuffled", "given_deal", "given_seed", "numbered_deal", "fork", "import", "wished"]
DealLevel = Literal["easy", "medium", "hard", "expert"]


class Branch(Struct, frozen=True):
    """Where a fork left the game that it comes from: after this step."""

    game: UUID
    step: int


class Source(Struct, frozen=True, omit_defaults=True):
    """Where an imported game is from: its id there, and who vouches for it by a signature, None where nobody does."""

    game: UUID
    vouched_for_by: str | None = None


class Opened(Struct, frozen=True, tag="game/opened", omit_defaults=True):
    """The first event of every game: all that is public before a card is dealt.

    `signer` names the key that signed for the service then: the record of the game, once it is over, is signed by it or
    by one that came after it. `source` is never recorded: whoever reads an imported game is told it.
    `conventions` is the version of what all games have in common: from 2 on `finished` tells
    whether the game had begun, and the score of a contest's attempt that was given up; from 3 on a game ends at its
    type's greatest number of steps. `deal_level`: how hard a wished deal is. `hints`: the player could ask for hints.
    """

    game_type: str
    revision: int
    options: dict[str, Any]
    seats: int
    creator: UUID | None
    commitment: str
    players: tuple[UUID | None, ...]
    rated: bool = True
    origin: Origin = "shuffled"
    visibility: Visibility = "public"
    await_seeds: bool = False
    contest: UUID | None = None
    rule_set: str | None = None
    move_seconds: int | None = None
    rematch_of: UUID | None = None
    spectator_delay: int = 0
    forked_from: Branch | None = None
    fixture: UUID | None = None
    conventions: int = 1
    signer: str | None = None
    source: Source | None = None
    deal_level: DealLevel | None = None
    hints: bool = False


class Sealed(Concealed, frozen=True, tag="game/sealed", omit_defaults=True):
    """The game's secrets, shown to nobody before `revealed`: server seed, digest key, the given deal if any.

    A fork keeps the `client_seeds` of the game it comes from, one per seat.
    """

    seed: bytes
    digest_key: bytes
    given: tuple[Card, ...] | None = None
    client_seeds: tuple[str | None, ...] | None = None


class Joined(Struct, frozen=True, tag="game/joined"):
    seat: Seat
    player: UUID


class Left(Struct, frozen=True, tag="game/left"):
    seat: Seat
    player: UUID


class Invited(Struct, frozen=True, tag="game/invited", omit_defaults=True):
    """A player may take a seat, and see the game if it is private; `seat` is kept for them if one is named."""

    player: UUID
    seat: Seat | None = None


class Uninvited(Struct, frozen=True, tag="game/uninvited"):
    """An invitation was revoked by who opened the game, or declined."""

    player: UUID


class Seeded(Struct, frozen=True, tag="game/seeded"):
    """A seat's own seed, given after the commitment and mixed into the deal."""

    seat: Seat
    client_seed: str


class Undone(Struct, frozen=True, tag="game/undone"):
    """The state at `to_version` stands again; `live_step` is the step it belongs to."""

    to_version: int
    live_step: int


class Resigned(Struct, frozen=True, tag="game/resigned"):
    seat: Seat


class AbandonAgreed(Struct, frozen=True, tag="game/abandon_agreed"):
    """A seat agrees to leave the game unfinished; that holds until a command other than `game/abandon`."""

    seat: Seat


class TimedOut(Struct, frozen=True, tag="game/timed_out"):
    seat: Seat


class Abandoned(Struct, frozen=True, tag="game/abandoned"):
    reason: str


class Voided(Struct, frozen=True, tag="game/voided"):
    reason: str


class Finished(Struct, frozen=True, tag="game/finished", omit_defaults=True):
    """The ending with all that a scoreboard needs, so that it need not know any game type.

    `begun` is false where a game of several ended before everybody had a turn (games under conventions 1 do not tell).
    """

    ending: Ending
    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    players: tuple[UUID | None, ...]
    rated: bool
    opened_at: Micros
    moves: int
    undos: int = 0
    contest: UUID | None = None
    rule_set: str | None = None
    begun: bool = True
    outcome: str = ""

    @property
    def result(self) -> Result:
        """The ending as a game type tells it."""
        return Result(self.ending, self.reason, self.winners, self.scores, self.outcome)


class Revealed(Concealed, frozen=True, tag="game/revealed"):
    """The secrets of the finished game, for everybody: with them the deal and the digests can be checked."""

    seed: bytes
    digest_key: bytes


class Join(Struct, frozen=True, tag="game/join", forbid_unknown_fields=True, omit_defaults=True):
    """Take a seat (the first empty one if none is named), with a seed of one's own if wished."""

    seat: Seat | None = None
    client_seed: str | None = None


class Leave(Struct, frozen=True, tag="game/leave", forbid_unknown_fields=True):
    """Give the seat back before the game has started."""


class Seed(Struct, frozen=True, tag="game/seed", forbid_unknown_fields=True):
    """Give one's own seed for the deal, once, after the commitment was published."""

    client_seed: str


class Invite(Struct, frozen=True, tag="game/invite", forbid_unknown_fields=True):
    """Offer a seat to a player."""

    player: UUID


class Uninvite(Struct, frozen=True, tag="game/uninvite", forbid_unknown_fields=True):
    """Revoke an invitation, or decline one's own."""

    player: UUID


class Abandon(Struct, frozen=True, tag="game/abandon", forbid_unknown_fields=True):
    """Agree, for every seat one holds, to leave the game unfinished."""


class Undo(Struct, frozen=True, tag="game/undo", forbid_unknown_fields=True):
    """Take the last live step back; recorded, so that a replay shows what happened."""


class Resign(Struct, frozen=True, tag="game/resign", forbid_unknown_fields=True):
    """Give the game up."""


GameEvent = (
    Opened | Sealed | Joined | Left | Invited | Uninvited | Seeded | Undone | Resigned | AbandonAgreed | TimedOut
    | Abandoned | Voided | Finished | Revealed
)  # fmt: skip
"""What may happen in a game of any type."""
GAME_EVENTS: tuple[type[GameEvent], ...] = get_args(GameEvent)
TableCommand = Join | Leave | Seed | Invite | Uninvite | Abandon
TABLE_COMMANDS: tuple[type[TableCommand], ...] = get_args(TableCommand)
PLAY_COMMANDS: tuple[type[Struct], ...] = (Undo, Resign)
