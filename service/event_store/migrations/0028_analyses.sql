-- safe for: 0010
-- Finished patiences that somebody has asked about. `due`: when a worker may take it up, NULL once it is done; while a
-- worker searches, the end of its lease. `attempts` counts leases. `findings`: the verdicts so far, so that whoever takes
-- it up after a worker has died goes on from them; `expected`: about how many there will be. `imported`: the digest of an
-- imported game, whose id another record may get. Times are microseconds since 1970 UTC.
CREATE TABLE analyses (
    game     uuid   PRIMARY KEY,
    version  int    NOT NULL,
    imported bytea,
    bound    int    NOT NULL,
    asked_at bigint NOT NULL,
    due      bigint,
    attempts int    NOT NULL DEFAULT 0,
    findings bytea  NOT NULL DEFAULT '[]',
    expected int    NOT NULL DEFAULT 0,
    report   bytea
);
CREATE INDEX analyses_due ON analyses (due, asked_at) WHERE due IS NOT NULL;
