-- Games that were played elsewhere and brought here as complete records. They stand beside the log and not in it: no
-- read model can ever count them. `body` is the text as it came, compressed by zlib; `digest` is its SHA-256.
CREATE TABLE imports (
    game      uuid  PRIMARY KEY,
    game_type text  NOT NULL,
    digest    bytea NOT NULL,
    body      bytea NOT NULL
);

-- Who has brought it: several may have the same record, each may see it, and it goes when the last of them gives it up.
-- The nil player stands for whoever runs the service. `imported_at`: microseconds since 1970 UTC.
CREATE TABLE importers (
    player      uuid   NOT NULL,
    game        uuid   NOT NULL REFERENCES imports ON DELETE CASCADE,
    imported_at bigint NOT NULL,
    PRIMARY KEY (player, game)
);
CREATE INDEX importers_of_game ON importers (game);

-- What a player's list is read from: newest first.
CREATE INDEX importers_newest ON importers (player, imported_at DESC, game DESC);
