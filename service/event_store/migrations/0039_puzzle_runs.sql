-- safe for: 0010
-- Runs of puzzles: `rush` against the clock, `streak` until the first miss. `player`: NULL for a visitor without an
-- account. `puzzles`: those dealt so far, the last one under way if there is one more than solved and missed. Times are
-- microseconds since 1970 UTC. Runs are deleted after a week.
CREATE TABLE puzzle_runs (
    run      uuid   PRIMARY KEY,
    player   uuid,
    mode     text   NOT NULL,
    began_at bigint NOT NULL,
    puzzles  uuid[] NOT NULL,
    solved   int    NOT NULL DEFAULT 0,
    missed   int    NOT NULL DEFAULT 0
);
CREATE INDEX puzzle_runs_of_day ON puzzle_runs (mode, began_at);
