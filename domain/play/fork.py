"""A fork: a finished game, dealt again and repeated up to one of its steps, to be played on from there.

Whoever forks holds every seat that is not given to others. Seeds and given cards are the parent's and therefore known:
a fork is never rated and proves nothing about its deal. It has hints where the game had them, unless that one was
brought here, with any cards. Step 0 is the deal; then come the parent's steps one by one, undos too. Agreements to
leave the game unfinished are not repeated, and of several seats that ran out of time together each resigns in a step of
its own.

A rematch is the same game once more, every player one seat further on.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.capabilities import StepLimit
from domain.game_type import Forbidden, Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import TOO_LONG, Act, Step, play
from domain.play.table import Opening, open_game
from domain.play.verify import StepRecords, records_by_step
from domain.view import Seat

MOST_REPEATED = 2_000
"""Steps that are repeated at once, all in one transaction: more than any game has that is not drawn out on purpose."""
_OPENNESS: tuple[ev.Visibility, ...] = ("private", "unlisted", "public")


class Fork(Struct, frozen=True, kw_only=True):
    """What is wanted: after which step, seen by whom (None: unlisted, or private if the game is).

    `digest_key` is fresh: 32 random bytes. `others` hold seats in place of the forker, who cannot repeat their
    commands: they are for a fork of the deal.
    """

    step: int
    digest_key: bytes
    visibility: ev.Visibility | None = None
    others: Mapping[Seat, UUID] = {}


class _ForkedSteps(NamedTuple):
    """A game from the deal to the step that is forked, and as it stood then."""

    steps: tuple[StepRecords, ...]
    game: Game


def fork(records: Sequence[AnyRecord], request: Fork, game_id: UUID, act: Act) -> Step:
    """The new game with the records of all its steps; `act` is the forker's.

    Raises Illegal for a game that is not over or not revealed, and for a step at which it was not being played.
    """
    parent = fold(records)
    if parent.status not in ("finished", "voided") or not parent.revealed:
        raise Illegal("game_not_finished", "A game is forked once it is over and its deal is revealed.")
    line = _steps_to_repeat(records, request.step)
    if parent.sealed is None:
        raise ValueError("a game without secrets")
    client_seeds = parent.sealed.client_seeds or (parent.seeds if any(parent.seeds) else None)
    secrets = ev.Sealed(parent.sealed.seed, request.digest_key, parent.sealed.given, client_seeds)
    opened = open_game(game_id, _opening(parent, request, act), secrets, act)
    forked = _repeat_steps(opened, line.steps[1:], act)
    if forked is None or forked.game.state != line.game.state:
        raise Illegal("not_repeatable", "What happened in that game does not come about again by its commands.")
    return forked


def _steps_to_repeat(records: Sequence[AnyRecord], step: int) -> _ForkedSteps:
    """The steps from the deal to this one; raises Illegal, naming the steps that there are."""
    played, game_then, game = [], None, None
    for step_records in records_by_step(records):
        game = fold(step_records, game)
        if game.status == "playing":
            played.append(step_records)
            game_then = game if game.step == step else game_then
    if game_then is None:
        if not played:
            raise Illegal("step_not_played", "That game was over before anybody could play.")
        first, last = played[0][0].step, played[-1][0].step
        steps = f"from step {first}, the deal, to step {last}, the last before its end"
        raise Illegal("step_not_played", f"That game can be forked {steps}.")
    line = tuple(step_records for step_records in played if step_records[0].step <= step)
    if len(line) > (most := min(MOST_REPEATED, game_then.type.get(StepLimit).most)):
        raise Illegal(TOO_LONG, f"A fork repeats fewer than {most} steps of a game.")
    return _ForkedSteps(line, game_then)


def _opening(parent: Game, request: Fork, act: Act) -> Opening:
    most, visibility = parent.opening.visibility, request.visibility
    if visibility is None:
        visibility = "private" if most == "private" else "unlisted"
    elif _OPENNESS.index(visibility) > _OPENNESS.index(most):
        raise Illegal("more_visible", f"That game is {most}, and a fork of it is not seen by more.")
    return Opening(
        type=parent.type,
        options=parent.options,
        players=tuple(request.others.get(seat, act.actor) for seat in range(len(parent.players))),
        origin="fork",
        visibility=visibility,
        forked_from=ev.Branch(parent.id, request.step),
        hints=parent.opening.hints and parent.opening.source is None,
    )


def _repeat_steps(step: Step, wholes: Sequence[StepRecords], act: Act) -> Step | None:
    """All these steps decided again; None if a rule now forbids one of their commands."""
    records, game = list(step.records), step.game
    for seat, command in chain.from_iterable(map(_seat_commands, wholes)):
        try:
            again = play(game, command, act._replace(seat=seat))
        except Illegal:
            return None
        records += again.records
        game = again.game
    return Step(tuple(records), game)


def _seat_commands(step_records: StepRecords) -> Iterator[tuple[Seat, Struct]]:
    """The seats' commands in this step; a seat that ran out of time where the others played on has resigned."""
    if isinstance(step_records[0].event, ev.TimedOut):
        yield from (
            (record.event.seat, ev.Resign()) for record in step_records if isinstance(record.event, ev.TimedOut)
        )
        return
    command: Struct | None = step_records[0].command
    if step_records[0].seat is not None and command is not None and not isinstance(command, ev.TABLE_COMMANDS):
        yield step_records[0].seat, command


def rematch(game: Game, asker: UUID, present: Collection[UUID]) -> Opening:
    """The opening that offers the others of a finished game their seats; raises Illegal.

    The asker is seated. A seat whose player is not `present` any more is kept for no one. Cards are shuffled anew,
    also after a given deal, but what was unrated stays so.
    """
    if game.status != "finished":
        raise Illegal("game_not_finished", "A rematch follows a finished game.")
    if game.opening.contest is not None and not game.revealed:
        raise Illegal("contest_game", "A contest's game has no rematch while it is withheld: that would tell of it.")
    if not game.seats_of(asker):
        raise Forbidden("not_seated", "A rematch is for those who played.")
    seated = (game.players[-1], *game.players[:-1])
    return Opening(
        type=GAME_TYPES[game.type.key],
        options=current_options(game),
        players=tuple(player if player == asker else None for player in seated),
        rated=game.opening.rated,
        visibility=game.opening.visibility,
        await_seeds=game.opening.await_seeds,
        move_seconds=game.opening.move_seconds,
        spectator_delay=game.opening.spectator_delay,
        invited=tuple(
            ev.Invited(player, seat)
            for seat, player in enumerate(seated)
            if player is not None and player in present and player != asker
        ),
        rematch_of=game.id,
        hints=game.opening.hints,
    )


def current_options(game: Game) -> Struct:
    """The options under the rules of today; raises Illegal."""
    try:
        options: Struct = msgspec.convert(game.opening.options, GAME_TYPES[game.type.key].options, strict=False)
        return options
    except msgspec.ValidationError as error:
        raise Illegal("rules_changed", "The options of that game are no longer offered.") from error
