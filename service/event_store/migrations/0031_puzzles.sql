-- safe for: 0010
-- Whether a worker has looked through an analysed game for puzzles: it does so once.
ALTER TABLE analyses ADD COLUMN mined boolean NOT NULL DEFAULT false;
CREATE INDEX analyses_to_mine ON analyses (asked_at) WHERE report IS NOT NULL AND imported IS NULL AND NOT mined;

-- Positions of finished games, after `step`, at which exactly one continuation wins. `player`: who played the game.
-- `line`: for each move of the solution the commands that make it, as JSON. `mu`, `sigma`: the puzzle's rating in
-- millionths; `plays`: how many first attempts made it. Times are microseconds since 1970 UTC.
CREATE TABLE puzzles (
    puzzle    uuid   PRIMARY KEY,
    game      uuid   NOT NULL,
    step      int    NOT NULL,
    player    uuid   NOT NULL,
    game_type text   NOT NULL,
    themes    text[] NOT NULL,
    line      bytea  NOT NULL,
    mu        bigint NOT NULL,
    sigma     bigint NOT NULL,
    plays     int    NOT NULL DEFAULT 0,
    mined_at  bigint NOT NULL,
    UNIQUE (game, step)
);

-- A player's first attempt at each puzzle, numbered from 1, with the player's rating, solved puzzles and streaks after
-- it: the last row is how the player stands. It stays when its puzzle goes.
CREATE TABLE puzzle_attempts (
    player      uuid    NOT NULL,
    number      int     NOT NULL,
    puzzle      uuid    NOT NULL,
    is_solved   boolean NOT NULL,
    mu          bigint  NOT NULL,
    sigma       bigint  NOT NULL,
    solved      int     NOT NULL,
    streak      int     NOT NULL,
    best_streak int     NOT NULL,
    tried_at    bigint  NOT NULL,
    PRIMARY KEY (player, number),
    UNIQUE (player, puzzle)
);
