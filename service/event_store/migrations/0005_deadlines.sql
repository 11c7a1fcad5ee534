-- When the next move of a game with a limit is due: written in the transaction of each step, read by the clock.
CREATE TABLE deadlines (
    game uuid PRIMARY KEY,
    due bigint NOT NULL
);
CREATE INDEX deadlines_due ON deadlines (due);
