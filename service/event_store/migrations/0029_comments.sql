-- safe for: 0010
-- What people say at a step of a game that is over, sealed under the writer's key. Times are microseconds since 1970 UTC.
-- No samples of the texts among the planner's statistics.
CREATE TABLE comments (
    comment    uuid   PRIMARY KEY,
    game       uuid   NOT NULL,
    version    int    NOT NULL,
    step       int    NOT NULL,
    player     uuid   NOT NULL,
    written_at bigint NOT NULL,
    sealed     bytea  NOT NULL
);
ALTER TABLE comments ALTER COLUMN sealed SET STATISTICS 0;
CREATE INDEX comments_of_game ON comments (game, step, comment);
CREATE INDEX comments_of_player ON comments (player);
