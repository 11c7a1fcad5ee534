-- safe for: 0010
-- Several API processes on one log. `number`: the epoch that the process raised the log to when it began; it holds the
-- advisory lock of its number for as long as it lives. `address`: where the others reach it. `secret`: what they show it
-- with a request that they pass on.
CREATE TABLE processes (
    number     bigint      PRIMARY KEY,
    address    text        NOT NULL,
    secret     text        NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Which process a game belongs to, by the last six bits of its id. They change only in transactions that raise the log's
-- epoch: a writer whose epoch still stands knows that the leases stand as they did when it read them, and every append
-- checks that under the log's row lock. They are not in the log's row because every commit writes that anew.
CREATE TABLE leases (
    slot    smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
    process bigint   NOT NULL DEFAULT 0
);

INSERT INTO leases (slot) SELECT generate_series(0, 63);
