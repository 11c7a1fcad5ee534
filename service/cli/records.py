"""Records of games: `kibitz export`, `import` and `picture`."""

import sys
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from psycopg import Connection

from domain.game_type import Illegal
from domain.play.aggregate import fold
from domain.play.frames import frames
from domain.play.open_record import OpenRecord, read_record, record_lines, sealed_record, seen_lines
from domain.view import ALL_SEEING, Viewer
from service.accounts.names import NAMES, names_of
from service.cli.ending import Refusal, Usage
from service.cli.options import NO_FLAGS, DatabaseFlags, GameId, GameOrFile, Whole, write_output
from service.cli.sources import RecordSource, recorded_game
from service.cli.store import codec, connect_database, existing_game, own_ring, vouch
from service.event_store.codec import Codec
from service.event_store.ids import now
from service.event_store.imported import NOBODY, read_imported_text
from service.event_store.reading import read_stream
from service.live import seats
from service.live.signatures import signature_in
from service.pictures.svg import drawing, setting_of
from service.problems import Refused
from service.records import exports, imports
from service.records.one_file import one_file, viewer_frames


def export(
    game: GameId, /, *, notation: str | None = None, output: Path | None = None, flags: DatabaseFlags = NO_FLAGS
) -> None:
    """Write a game as an open record, or in a notation of its game type.

    A game that goes on is written as a spectator sees it, and a sentence on stderr says so.

    Args:
        game: the game's id
        notation: in this notation of its game type
        output: write it to this file instead of to stdout
    """
    settings = flags.settings()
    with connect_database(settings, "export") as connection:
        records = existing_game(connection, game, codec(settings))
        state = fold(records)
        public = seats.is_fully_known(state)
        imported = read_imported_text(connection, game) if public and state.opening.source is not None else None
        signature = signature_in(connection, game) if public else None
    if notation is not None:
        seen = tuple(frames(records, ALL_SEEING if public else None))
        try:
            text = exports.write_notation(state, seen, exports.notation_of(state, notation)).encode()
        except (Illegal, Refused) as error:
            raise Refusal(str(error)) from error
    elif imported:
        text = imported
    elif public:
        record, ring = OpenRecord(tuple(records), signature), own_ring(settings)
        if ring is None:
            print("No signing key can be read here: the record is not sealed.", file=sys.stderr)
        text = b"".join(record_lines(sealed_record(record) if ring is None else ring.seal(record)))
    else:
        print("The game is not over: the record holds what a spectator sees of it without delay.", file=sys.stderr)
        text = b"".join(seen_lines(state, frames(records, None), None))
    write_output(text, output)


def import_files(*files: Path, flags: DatabaseFlags = NO_FLAGS) -> int:
    """Verify open records and keep their games beside the log; they belong to no player.

    One line for each file: NEW, HERE (it was already) or FAULT, and the game's id here; 1 if any is not here now.

    Args:
        files: open records
    """
    settings = flags.settings()
    if not files:
        raise Usage("Name the files to import.")
    faults, unsealing = 0, codec(settings)
    with connect_database(settings, "import") as connection:
        for path in files:
            line = _import_file(connection, path, unsealing)
            faults += line.startswith("FAULT")
            print(line)
    print(f"Files read: {len(files)}; with faults: {faults}.", file=sys.stderr)
    return 1 if faults else 0


def _import_file(connection: Connection[Any], path: Path, unsealing: Codec) -> str:
    try:
        verified = imports.verify_import(path.read_bytes())
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    except Refused as error:
        return f"FAULT {path} {error}"
    game = verified.game
    description = f"{game.type.key}, {game.step} steps"
    if imports.is_same_game(verified.record, read_stream(connection, game.id, codec=unsealing)):
        return f"HERE  {game.id} {description}"
    imported = read_imported_text(connection, verified.id) is not None
    with connection.transaction():
        for statement in imports.keep_statements(NOBODY, verified, now()):
            connection.execute(statement.sql.encode(), statement.params)
    if imported:
        return f"HERE  {verified.id} {description}"
    return f"NEW   {verified.id} {description}, a record of game {game.id}"


def draw(
    game: GameOrFile,
    /,
    *,
    seat: Whole | None = None,
    known: Literal["now"] | None = None,
    step: Whole | None = None,
    output: Path | None = None,
    flags: DatabaseFlags = NO_FLAGS,
) -> None:
    """Write a game as one HTML page that replays it offline, or one step of it as SVG.

    The page of a game that is over shows it from every seat.

    Args:
        game: the game's id, or a file with its record
        seat: as that seat saw it
        known: with every card face up, once the game is over
        step: this step alone, as SVG
        output: write it to this file instead of to stdout
    """
    settings = flags.settings()
    if seat is not None and known:
        raise Usage("--seat and --known exclude each other.")
    viewer: Viewer = ALL_SEEING if known else seat
    if isinstance(game, Path):
        source = recorded_game(game)
        records = read_record(game.read_bytes()).records
        names: list[str | None] = [None] * source.seats
    else:
        with connect_database(settings, "picture") as connection:
            records = tuple(existing_game(connection, game, codec(settings), vouch(settings)))
            players = fold(records).players
            rows = connection.execute(NAMES.encode(), [list(filter(None, players))]).fetchall()
        by_player: dict[UUID, str] = names_of(rows)
        names = [None if player is None else by_player.get(player) for player in players]
        source = RecordSource(records)
    seen, state = source.frames(viewer), fold(records)
    if step is None:
        over = ALL_SEEING in source.viewers
        viewers = sorted(source.viewers, key=lambda other: other != viewer) if over else [viewer]
        text = one_file(state, names, [viewer_frames(eyes, names, frames(records, eyes)) for eyes in viewers])
    elif (frame := next((frame for frame in seen if frame.step == step), None)) is not None:
        text = drawing(frame, setting_of(state, viewer, names))
    else:
        raise Refusal(f"The game has no step {step}.")
    write_output(text.encode(), output)
