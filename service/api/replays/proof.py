"""The deal's proof: what was committed, and what proves it."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain import chance
from domain.play.aggregate import Game
from domain.play.verify import deal_shuffles
from domain.view import Card
from service.http.operation import Answer, Call, operation, reply
from service.live import seats

TAG = "games"


class Shuffled(Struct, frozen=True):
    """One shuffle of the deal: its number, the cards as they lay before it and as they lie after it."""

    number: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]


class Proof(Struct, frozen=True, kw_only=True):
    """All that is needed to check the deal by oneself; the seeds are told once the game is over.

    `commitment` = hex SHA-256 of the tag `kibitz/commitment/1` and a zero byte, the length of the bound text as 8
    bytes, the bound text, the server seed; `bound` is that text: algorithm, game id, game type and options. The
    seed of the shuffles is the SHA-256 of `kibitz/deal-seed/1`, a zero byte, the server seed and the client seeds
    as a JSON array. Shuffle n draws from blocks SHA-256(`kibitz/shuffle/1`, zero byte, that seed, n, block; both
    numbers as 8 bytes) read as big-endian 32-bit words, Fisher-Yates from the last card down, a word at or above
    the largest multiple of the range thrown away. The cards before the first shuffle: per pack spades, hearts,
    diamonds, clubs, each from the ace to the king; one pack after the other; then the jokers. `shuffles` are the
    shuffles that this deal was made of, in order, each to be made again without knowing the game; where the cards went
    from there the rules say: in most game types an event of the deal holds them in that very order.
    """

    game_id: UUID
    algorithm: str
    bound: Annotated[str, Meta(description="Of an imported game with the id that its record gives it.")]
    commitment: str
    fair: Annotated[bool, Meta(description="False where the deal was given, or nobody vouches for an imported game.")]
    client_seeds: tuple[str | None, ...]
    server_seed: Annotated[str, Meta(description="Hex; told once the game is over.")] | None
    shuffles: tuple[Shuffled, ...] | None = None
    imported_from_game_id: UUID | None = None
    vouched_for_by: str | None = None


@operation(
    id="get_deal_proof", method="GET", path="/v1/games/{game_id:uuid}/proof", tag=TAG, access="optional",
    answers={200: Answer(type=Proof, says="The proof so far.")}, problems=("no_such_thing",),
)  # fmt: skip
async def get_proof(call: Call[None, None]) -> Response[bytes]:
    """What was committed before the deal, and after the game the seeds that prove it."""
    game = seats.visible_game(await call.services.room.game(call.id("game_id")), call.caller)
    return reply(_proof(game))


def _proof(game: Game) -> Proof:
    """With seeds once they are revealed, and shuffles if the game was dealt; a fork has its parent's client seeds."""
    source, revealed = game.opening.source, game.sealed if game.revealed else None
    dealt = revealed is not None and game.state is not None
    return Proof(
        game_id=game.id,
        algorithm=chance.ALGORITHM,
        bound=chance.bound(game.id if source is None else source.game, game.type.key, game.options).decode(),
        commitment=game.opening.commitment,
        fair=game.opening.origin == "shuffled",
        client_seeds=(revealed and revealed.client_seeds) or game.seeds,
        server_seed=None if revealed is None else revealed.seed.hex(),
        shuffles=tuple(Shuffled(*made) for made in deal_shuffles(game)) if dealt else None,
        imported_from_game_id=None if source is None else source.game,
        vouched_for_by=None if source is None else source.vouched_for_by,
    )


HANDLERS = (get_proof,)
