-- Whose move it is, in games of several players: a row for each player who may act now, set in the transaction of the
-- step that made it so. It follows from the log: `kibitz rebuild inbox` computes it anew, which also puts in the games
-- that were under way before this migration (otherwise each comes in with its next step).
-- `since`: microseconds since 1970 UTC. `version`: the game's; changed by every step, so pages keep room for it (HOT).
CREATE TABLE waiting (
    game      uuid       NOT NULL,
    player    uuid       NOT NULL,
    game_type text       NOT NULL,
    seats     smallint[] NOT NULL,
    since     bigint     NOT NULL,
    version   int        NOT NULL,
    PRIMARY KEY (game, player)
) WITH (fillfactor = 70);

-- What a player's inbox is read from: newest first.
CREATE INDEX waiting_of_player ON waiting (player, since DESC, game DESC);
