-- safe for: 0010
-- An imported game has an id of its own, which nobody can choose: a UUIDv8 of the SHA-256 of its text. Its record's id is
-- that of a game of elsewhere. `formerly` is the id under which what was imported before was shown: old links lead on,
-- unless the log has a game of that id. A program of before finds imported games no more while it still runs.
ALTER TABLE importers DROP CONSTRAINT importers_game_fkey;
ALTER TABLE imports ADD COLUMN formerly uuid UNIQUE;

CREATE FUNCTION pg_temp.import_id(digest bytea) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(
        set_byte(set_byte(substring(digest FOR 16), 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128),
        'hex'
    )::uuid
$$;
UPDATE importers SET game = pg_temp.import_id(digest) FROM imports WHERE imports.game = importers.game;
UPDATE imports SET game = pg_temp.import_id(digest), formerly = game;
DROP FUNCTION pg_temp.import_id;

ALTER TABLE importers ADD FOREIGN KEY (game) REFERENCES imports ON DELETE CASCADE;
