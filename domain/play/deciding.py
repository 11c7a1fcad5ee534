"""Deciding: a command against a game gives a step (the records to store and the game after them), or Illegal."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Resignation, Score, Undoing
from domain.chance import Chance, deal_seed
from domain.game_type import Illegal, Result
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, digest, evolve
from domain.record import Micros, Record
from domain.view import Seat

TOO_LONG = "too_long"
"""Why a game ended that had no step left."""


class Act(NamedTuple):
    """Who does something, for which seat, and when; `signer`: the key of the service that will sign a game it opens."""

    actor: UUID | None
    seat: Seat | None
    time: Micros
    signer: str | None = None


class Step(NamedTuple):
    """What one accepted command records, and the game after it; `games`: after each of the records, where decided."""

    records: tuple[AnyRecord, ...]
    game: Game
    games: tuple[Game, ...] = ()

    def then(self, following: "Step") -> "Step":
        """Both steps as one."""
        return Step((*self.records, *following.records), following.game, (*self.games, *following.games))


def play(game: Game, command: Struct, act: Act) -> Step:
    """One command of a seat: a command of the game type, undo or resign; raises Illegal and then records nothing."""
    if game.status != "playing" or act.seat is None:
        if game.status == "waiting":
            raise Illegal("game_not_started", "The game waits for its players and has not been dealt.")
        raise Illegal("game_finished", "The game is finished.")
    if act.seat in game.out:
        raise Illegal("seat_is_out", "That seat has resigned; the others play on.")
    if isinstance(command, ev.Undo):
        if not game.type.get(Undoing).allowed(game.options):
            raise Illegal("undo_not_offered", "This game was opened without undo.")
        if game.past is None:
            raise Illegal("nothing_to_undo", "There is no step to take back.")
        undone = ev.Undone(game.past.version, game.past.live_step)
        return with_ending(record_events(Step((), game), [undone], act, command), act)
    if isinstance(command, ev.Resign):
        return with_ending(_resign(game, act.seat, act), act)
    if type(command) not in game.type.commands:
        tag, tags = type(command).__struct_config__.tag, ", ".join(command_tags(game))
        raise Illegal("other_game_type", f"{tag} is no command of {game.type.name}, which has {tags}.")
    events = game.type.decide(game.state, act.seat, command)
    return with_ending(record_events(Step((), game), events, act, command), act)


def command_tags(game: Game) -> list[str]:
    """The tags of the commands that a seat of this game may give: its type's, and those of every game."""
    return [str(command.__struct_config__.tag) for command in (*game.type.commands, *ev.PLAY_COMMANDS)]


def _resign(game: Game, seat: Seat, act: Act) -> Step:
    step = record_events(Step((), game), [ev.Resigned(seat)], act, ev.Resign())
    if game.type.has(Resignation):
        return record_events(step, game.type.get(Resignation).events(game.state, seat), act)
    result = Result("won", "resigned", tuple(other for other in range(len(game.players)) if other != seat))
    if len(game.players) == 1:
        result = Result("lost", "resigned", scores=standing_scores(game))
    return record_events(step, [finished_event(step.game, result)], act)


def standing_scores(game: Game) -> tuple[int, ...]:
    """The score so far of an attempt at a contest's deal; none outside contests, or under conventions 1."""
    if game.opening.contest is None or not game.type.has(Score) or game.opening.conventions < 2:
        return ()
    return (game.type.get(Score).count(game.state),)


def with_ending(step: Step, act: Act) -> Step:
    """The step with the ending, if the rules or the step limit bring one, and the secrets (a contest keeps them).

    A game that has no step left is lost if played alone, else abandoned.
    """
    game = step.game
    if game.status == "playing" and (result := game.type.result(game.state)) is not None:
        step = record_events(step, [finished_event(game, result)], act)
    if step.game.status == "playing" and game.opening.conventions >= 3 and game.step >= game.type.most_steps:
        result = Result("lost", TOO_LONG, scores=standing_scores(step.game))
        if len(game.players) > 1:
            step = record_events(step, [ev.Abandoned(TOO_LONG)], act)
            result = Result("abandoned", TOO_LONG)
        step = record_events(step, [finished_event(step.game, result)], act)
    if step.game.status == "finished" and game.opening.contest is None:
        step = record_events(step, [revealed_event(step.game)], act)
    return step


def check_length(game: Game, command: Struct) -> None:
    """Raises Illegal if the game has no step left and the command does not resign; under conventions 3 it has ended."""
    most = game.type.most_steps
    if game.step >= most and game.status == "playing" and not isinstance(command, ev.Resign):
        raise Illegal(TOO_LONG, f"The game has {most} steps and may have no more: resign, or agree to abandon it.")


def finished_event(game: Game, result: Result) -> ev.Finished:
    """The ending of this game with all that scoreboards need."""
    return ev.Finished(
        ending=result.ending, reason=result.reason, winners=result.winners, scores=result.scores, players=game.players,
        rated=game.opening.rated, opened_at=game.opened_at, moves=game.moves, undos=game.undos,
        contest=game.opening.contest, rule_set=game.opening.rule_set, begun=_has_begun(game, result.reason),
        outcome=result.outcome,
    )  # fmt: skip


def _has_begun(game: Game, reason: str) -> bool:
    """Whether every seat had a turn; with three or more seats, those who left while the others played on need none."""
    if game.opening.conventions < 2 or len(game.players) < 2:
        return True
    played_on = len(game.players) > 2 and reason != "resigned"
    return len(game.acted | (set(game.out) if played_on else set())) == len(game.players)


def revealed_event(game: Game) -> ev.Revealed:
    """The secrets of this game."""
    if game.sealed is None:
        raise ValueError("a game without secrets")
    return ev.Revealed(game.sealed.seed, game.sealed.digest_key)


def deal_events(game: Game) -> Sequence[Any]:
    """The deal, if every seat is taken and every awaited seed is there; else nothing."""
    if None in game.players or (game.opening.await_seeds and None in game.seeds):
        return ()
    if game.sealed is None:
        return ()
    return game.type.deal(game.options, deal_chance(game.sealed, game.seeds), len(game.players))


def deal_chance(secret: ev.Sealed, client_seeds: Sequence[str | None]) -> Chance:
    """The chance of a game's deal: its server seed with the client seeds mixed in, or its given cards."""
    seeds = client_seeds if secret.client_seeds is None else secret.client_seeds
    return Chance(deal_seed(secret.seed, seeds), given=secret.given)


def record_events(step: Step, events: Iterable[Struct], act: Act, command: Struct | None = None) -> Step:
    """The step with these events recorded behind it; the command stands with the first.

    If the clock went back, the time of the last record is used: recorded times never fall.
    """
    records, games, game = list(step.records), list(step.games), step.game
    number = records[0].step if records else game.step + 1
    time, key, revision = max(act.time, game.updated_at), game.type.key, game.type.revision
    for event in events:
        record: AnyRecord = Record(
            game.id, game.version + 1, time, key, revision, number, act.actor, act.seat,
            None if records else command, event,
        )  # fmt: skip
        sealed = event if type(event) is ev.Sealed else game.sealed
        if sealed is None:
            raise ValueError("a record before the secrets")
        after = evolve(game, record)
        chained = digest(sealed.digest_key, game.digest, record, after.state)
        game = replace(after, digest=chained)
        records.append(replace(record, digest=chained))
        games.append(game)
    return Step(tuple(records), game, tuple(games))


def legal_commands(game: Game, seat: Seat) -> Sequence[Struct]:
    """Every command this seat may give now, one per meaning; none in a game that waits or is finished."""
    return (*legal_moves(game, seat), *other_commands(game, seat))


def legal_moves(game: Game, seat: Seat) -> Sequence[Struct]:
    """The commands of its type with which this seat goes on with the game; none where it is not to act."""
    is_over = game.status != "playing" or seat in game.out or game.step >= game.type.most_steps
    return () if is_over else game.type.legal_commands(game.state, seat)


def other_commands(game: Game, seat: Seat) -> Sequence[Struct]:
    """What this seat may do beside moving, whoever is to act: take back a step, and resign."""
    if game.status != "playing" or seat in game.out:
        return ()
    can_undo = (game.past is not None or game.unread) and game.type.get(Undoing).allowed(game.options)
    return (ev.Undo(), ev.Resign()) if can_undo and game.step < game.type.most_steps else (ev.Resign(),)
