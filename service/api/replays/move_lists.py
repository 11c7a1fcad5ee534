"""Move lists: games in the notations that others read, brought here and decided again by the rules."""

from litestar import Response

from domain.capabilities import Notation, Notations, Noted
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.play.deciding import Act, Step
from domain.play.noted import NewGame, play_noted
from service.api import examples, headers
from service.api.viewing import reply_opened
from service.event_store.ids import now
from service.http.operation import Answer, Call, operation
from service.http.texts import Text
from service.live import openings, shapes
from service.problems import Refused

MOVES = "text/vnd.kibitz.moves"
READERS = {
    found.key: notation
    for found in GAME_TYPES.values()
    for notation in found.get(Notations).notations
    if notation.read is not None
}
"""The notation that is read, by game type."""
_EXAMPLE = READERS["freecell"].example


@operation(
    id="import_moves", method="POST", path="/v1/move-lists/{key:str}", tag="records", access="required", scope="play",
    texts={MOVES: _EXAMPLE}, problems=("no_such_thing", "illegal", "busy"),
    answers={201: Answer(
        type=shapes.GameLook, says="A new game of yours.", headers=headers.ETAG | headers.LOCATION,
        links=examples.GAME_LINKS,
    )},
)  # fmt: skip
async def import_moves(call: Call[Text, None]) -> Response[bytes]:
    """Bring a game here as a move list, in the notation of its game type that is read (`openapi/record.md`).

    It becomes a new game of yours, unrated and unlisted, of which every move is decided by the rules; if it is not
    over, play on.
    """
    key = call.request.path_params["key"]
    if key not in READERS:
        raise Refused("no_such_thing", f"Move lists are read of {' and '.join(sorted(READERS))}.")
    room = call.services.room
    new, act = NewGame(room.new_id(), openings.fresh_secret()), Act(call.player, None, now(), room.signer)
    step = await call.services.verifiers.ask(_play_moves, GAME_TYPES[key], READERS[key], call.body.content, new, act)
    return await reply_opened(call, (await call.services.room.open(step)).game)


def _play_moves(found: AnyGameType, notation: Notation, content: bytes, new: NewGame, act: Act) -> Step:
    return play_noted(found, _read_moves(notation, content), new, act)


def _read_moves(notation: Notation, content: bytes) -> Noted:
    if notation.read is None:
        raise Illegal("not_read", f"{notation.name} is only written.")
    try:
        return notation.read(content.decode())
    except UnicodeDecodeError as error:
        raise Refused("malformed", f"Body: {error}.") from error


HANDLERS = (import_moves,)
