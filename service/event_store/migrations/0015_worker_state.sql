-- safe for: 0010
-- What each process that keeps read models, or stands by to, says of itself once a second. A report only: who may
-- write read models is settled by the advisory lock. `failing` has what stands still: projection, position, error.

CREATE TABLE worker_state (
    worker       uuid        PRIMARY KEY,
    place        text        NOT NULL,
    active_since timestamptz,
    active_at    timestamptz,
    seen_at      timestamptz NOT NULL,
    failing      jsonb       NOT NULL DEFAULT '[]'
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
