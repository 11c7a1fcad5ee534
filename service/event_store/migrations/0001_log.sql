-- The log: every event of every stream, in one order.

-- One row. `head` is the position of the newest event. Whoever appends takes this row first and keeps it locked
-- until the commit, so positions are dense and become visible in their own order: a reader that has seen position n
-- has seen all before it. A sequence cannot promise that: it burns numbers at a rollback, and numbers commit out of
-- order. `epoch` is raised by a writer that takes the log over; one that still holds an older epoch appends nothing.
CREATE TABLE log (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    head     bigint  NOT NULL DEFAULT 0,
    epoch    bigint  NOT NULL DEFAULT 0
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
-- The row is updated by every commit: free room in its page keeps the updates within it (HOT), without index entries.

INSERT INTO log DEFAULT VALUES;

-- The primary key is the optimistic lock: of two appends that decided on the same state only one finds its version free.
-- Partitions are ranges of stream ids: ids are UUIDv7 and run with time, so that the partition of old games can be
-- dropped once they are packed. Partitions come later; the default partition takes whatever none of them covers.
CREATE TABLE events (
    stream   uuid   NOT NULL,
    version  int    NOT NULL,
    position bigint NOT NULL,
    topic    text   NOT NULL,
    state    bytea  NOT NULL,
    PRIMARY KEY (stream, version)
) PARTITION BY RANGE (stream);

CREATE TABLE events_default PARTITION OF events DEFAULT;

-- Every partition gets its own. Not unique: a unique index must hold the partition key; the log row keeps them apart.
CREATE INDEX events_position ON events (position);

-- What was answered to a command that carried an Idempotency-Key, stored with its events in one transaction: after a
-- lost acknowledgement the key tells whether they were stored. Kept as versions, not as text: the answer is rendered
-- again for whoever may see it now. `answer` is for what no event holds.
CREATE TABLE idempotency_keys (
    player        uuid     NOT NULL,
    operation     text     NOT NULL,
    target        uuid     NOT NULL,
    key           text     NOT NULL,
    body_hash     bytea    NOT NULL,
    stream        uuid     NOT NULL,
    first_version int      NOT NULL,
    last_version  int      NOT NULL,
    seat          smallint,
    answer        bytea,
    PRIMARY KEY (player, operation, target, key)
);

-- Keys last as long as their game: they are deleted by its stream.
CREATE INDEX idempotency_keys_stream ON idempotency_keys (stream);
