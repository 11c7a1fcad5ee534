-- safe for: 0010
-- What happens in a league, written in the transaction of what caused it, for everybody who may see the league. Programs
-- of before write nothing here. `number` is drawn under the lock of the log's row, so it grows in the order of the commits.
-- `summary` has players as <id>: it is read with the names that they have then.
CREATE TABLE league_events (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id      uuid   NOT NULL UNIQUE,
    league  uuid   NOT NULL,
    type    text   NOT NULL,
    at      bigint NOT NULL,
    season  int,
    fixture uuid,
    game    uuid,
    contest uuid,
    players uuid[] NOT NULL,
    summary text   NOT NULL
);
CREATE INDEX league_events_of_league ON league_events (league, number);

-- The feed tells rulings, too: where they stand in the log, and the end of each game that one is about.
CREATE INDEX events_rulings ON events (position) WHERE topic IN ('ruling/games_voided', 'ruling/voids_withdrawn');
CREATE INDEX packed_endings_of_game ON packed_endings (game);
