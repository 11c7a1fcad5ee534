-- safe for: 0010
-- The options for which a player has wished for a deal, and when last: each has a share. Microseconds since 1970 UTC.
-- It stands for deal_wishes, which names no player and is left to programs of before.
CREATE TABLE player_wishes (
    player    uuid   NOT NULL,
    game_type text   NOT NULL,
    options   text   NOT NULL,
    asked_at  bigint NOT NULL,
    PRIMARY KEY (player, game_type, options)
);
