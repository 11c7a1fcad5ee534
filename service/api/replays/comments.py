"""Comments at the steps of a game that is over."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Forbidden, Illegal
from domain.play.aggregate import Game
from service import problems
from service.accounts.names import Names, Person, person
from service.api.paging import PageQuery, next_cursor, timed_cursor, timed_page_start
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, operation, reply
from service.live import seats, shapes
from service.live.replay import LiveParts
from service.problems import Refused, ScopeMissing, refused_member
from service.records import comments
from service.records.comments import StoredComment

TAG = "replay"
_FIRST = (-1, UUID(int=0))


class CommentBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The text, and the version of the frame that it is about."""

    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=problems.NAME, description="One line.")]


class Comment(Struct, frozen=True, kw_only=True):
    """A comment on a game at this version, which belongs to this step; `by` has the current name."""

    id: UUID
    version: int
    step: int
    by: Person
    written_at: shapes.Time
    text: str


class CommentList(Struct, frozen=True):
    """A page of a game's comments in the order of its steps; `next` is the cursor of the next page."""

    comments: tuple[Comment, ...]
    next: str | None


@operation(
    id="list_comments", method="GET", path="/v1/games/{game_id:uuid}/comments", tag=TAG, access="optional",
    query=PageQuery, answers={200: Answer(type=CommentList, says="A page of the comments.")},
)  # fmt: skip
async def list_comments(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the comments on a game in the order of its steps, at each step the oldest first.

    They are for all who may see the game. While it goes on there are none.
    """
    game, limit = await _game(call), call.query.limit
    if not _is_open_for_comments(game):
        return reply(CommentList((), None))
    after = timed_page_start(call.query) or _FIRST
    stored = await comments.page(call.store, game.id, after, limit + 1)
    page = stored[:limit]
    names = await call.accounts.names([comment.player for comment in page])
    end = timed_cursor(page[-1].step, page[-1].id) if len(stored) > limit else None
    readable = tuple(_comment(comment, names) for comment in page if comment.text is not None)
    return reply(CommentList(readable, next_cursor(end)))


@operation(
    id="add_comment", method="POST", path="/v1/games/{game_id:uuid}/comments", tag=TAG, access="required",
    scope="games:play", body=CommentBody, problems=("illegal",),
    answers={201: Answer(type=Comment, says="The comment.")},
    examples={"of the deal": {"version": 1, "text": "Two aces are buried here."}},
)  # fmt: skip
async def add_comment(call: Call[CommentBody, None]) -> Response[bytes]:
    """Comment on a game at one of its versions.

    The game is over and its deal revealed: before that a comment could reveal a card. Erasing an account deletes its
    comments. A repeat with the same key is refused once the comment was deleted.
    """
    game = await _game(call)
    if (first := keyed_writes.first_use()) is None:
        if game.status not in seats.OVER:
            raise Illegal("game_not_finished", "A game is commented on once it is over.")
        if not _is_open_for_comments(game):
            raise Illegal("game_not_revealed", "A game is commented on once its secrets are revealed.")
        if (version := call.body.version) > game.version:
            raise refused_member("version", f"The game has no such version; its last one is {game.version}.")
        replay = await call.area(LiveParts).replays.of(game)
        step = next(step for step, records in enumerate(replay.steps) if records[-1].version >= version)
        written = await comments.add(call.store, call.accounts, game.id, (version, step), call.player, call.body.text)
    else:
        written = first.stream
    comment = await _find_comment(call, game.id, written)
    return reply(_comment(comment, await call.accounts.names([comment.player])), 201)


@operation(
    id="delete_comment", method="DELETE", keeps_answer=True, path="/v1/games/{game_id:uuid}/comments/{comment_id:uuid}",
    tag=TAG, access="required", scope=None, problems=("forbidden",), answers={204: Answer(type=None, says="Deleted.")},
)  # fmt: skip
async def delete_comment(call: Call[None, None]) -> Response[Any]:
    """Delete a comment: your own, any on a game that you opened, or with the scope `moderate` any.

    Without that scope the token needs `games:play`. Moderators see no private games of others either.
    """
    caller = call.known_caller
    moderates = "moderate" in caller.scopes
    if not moderates and "games:play" not in caller.scopes:
        raise ScopeMissing("games:play")
    game = await _game(call)
    comment = await _find_comment(call, game.id, call.id("comment_id"))
    opened = game.importers is None and game.opening.creator == caller.player
    if not (moderates or opened or comment.player == caller.player):
        raise Forbidden("writer_only", "You did not write this comment, nor open this game.")
    await comments.delete(call.store, game.id, comment.id)
    return Response(None, status_code=204)


async def _game(call: Call[Any, Any]) -> Game:
    return seats.visible_game(await call.room.game(call.id("game_id")), call.caller)


def _is_open_for_comments(game: Game) -> bool:
    return game.status in seats.OVER and seats.is_fully_known(game)


async def _find_comment(call: Call[Any, Any], game: UUID, comment_id: UUID) -> StoredComment:
    comment = await comments.find(call.store, game, comment_id)
    if comment is None or comment.text is None:
        raise Refused("no_such_thing", "There is no such comment on this game.")
    return comment


def _comment(comment: StoredComment, names: Names) -> Comment:
    return Comment(
        id=comment.id, version=comment.version, step=comment.step, by=person(comment.player, names),
        written_at=shapes.moment(comment.at), text=comment.text or "",
    )  # fmt: skip
