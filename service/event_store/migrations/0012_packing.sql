-- safe for: 0010
-- Games that are over for good, one row each: the records with their positions as one compressed body. What is recorded
-- of such a game later stands in `events` again, behind the versions that the body holds. `digest`: BLAKE2b over the
-- other columns. Bodies are compressed already, so PostgreSQL need not try.
CREATE TABLE packed_games (
    game           uuid   PRIMARY KEY,
    first_position bigint NOT NULL,
    last_position  bigint NOT NULL,
    last_version   int    NOT NULL,
    digest         bytea  NOT NULL,
    body           bytea  NOT NULL
);
ALTER TABLE packed_games ALTER COLUMN body SET STORAGE EXTERNAL;

-- In the order of opening: every game of the store, one after the other.
CREATE INDEX packed_games_opened ON packed_games (first_position);

-- Which games have records in a stretch of the log: what a fold from position 0 reads.
CREATE INDEX packed_games_span ON packed_games USING gist (int8range(first_position, last_position, '[]'));

-- The packed part of what the feed of games that are over reads (see events_feed): a row for each end and each void.
CREATE TABLE packed_endings (
    position bigint PRIMARY KEY,
    game     uuid   NOT NULL,
    version  int    NOT NULL
);
