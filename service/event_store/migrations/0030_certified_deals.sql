-- safe for: 0010
-- Deals that a solver has won and nobody has been dealt. `options`: all of them, as JSON with sorted keys; `revision`: of
-- the game type's rules, which the seed is dealt under; `sealed`: the seed with what its search took, sealed. A deal that
-- is taken is deleted: nothing here tells which game it became.
CREATE TABLE certified_deals (
    id        uuid  PRIMARY KEY,
    game_type text  NOT NULL,
    revision  int   NOT NULL,
    options   text  NOT NULL,
    level     text  NOT NULL,
    sealed    bytea NOT NULL
);
CREATE INDEX certified_deals_shelf ON certified_deals (game_type, options, revision, level, id);

-- The options for which somebody has wished for a deal, and when last. Microseconds since 1970 UTC.
CREATE TABLE deal_wishes (
    game_type text   NOT NULL,
    options   text   NOT NULL,
    asked_at  bigint NOT NULL,
    PRIMARY KEY (game_type, options)
);
