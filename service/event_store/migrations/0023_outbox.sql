-- safe for: 0010
-- What happens to an account, written in the transaction of the step, and where its webhooks send it. Programs of before
-- write nothing here: what they record while both run is told to nobody.
-- `number` is drawn under the lock of the log's row, so it grows in the order of the commits. `at`, `due`: microseconds
-- since 1970 UTC.
CREATE TABLE account_events (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id      uuid   NOT NULL UNIQUE,
    player  uuid   NOT NULL,
    type    text   NOT NULL,
    at      bigint NOT NULL,
    league  uuid,
    game    uuid,
    contest uuid,
    summary text   NOT NULL
);
CREATE INDEX account_events_of_player ON account_events (player, number);
CREATE INDEX account_events_by_time ON account_events (at);

-- `secret` is sealed, as is the one before it, which signs beside it until `both_until`. `failing_since`: the first
-- failure since a delivery was taken, `failures`: how many since, `paused_until`: when the next attempt may be made.
-- `disabled`: why nothing is sent, NULL while it is.
CREATE TABLE webhooks (
    id            uuid   PRIMARY KEY,
    player        uuid   NOT NULL,
    url           text   NOT NULL,
    types         text[] NOT NULL,
    secret        bytea  NOT NULL,
    old_secret    bytea,
    both_until    bigint NOT NULL DEFAULT 0,
    created_at    bigint NOT NULL,
    failing_since bigint,
    failures      int    NOT NULL DEFAULT 0,
    paused_until  bigint NOT NULL DEFAULT 0,
    disabled      text
);
CREATE INDEX webhooks_of_player ON webhooks (player);

-- A row for each event and webhook. `due` NULL: nothing more is to be sent; while one process sends, `due` is the time at
-- which another may take it over.
CREATE TABLE webhook_deliveries (
    id          uuid     PRIMARY KEY DEFAULT gen_random_uuid(),
    webhook     uuid     NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    event       bigint   NOT NULL REFERENCES account_events ON DELETE CASCADE,
    status      text     NOT NULL DEFAULT 'pending',
    due         bigint,
    begun_at    bigint   NOT NULL,
    attempts    int      NOT NULL DEFAULT 0,
    answered_at bigint,
    http_status smallint,
    answer      text,
    UNIQUE (webhook, event)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due) WHERE due IS NOT NULL;
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event);
