-- safe for: 0010
-- Which keys have sealed something in this database: a key that is not in the folder any more is missed by name.
-- `given_up`: it is lost, and the read models go on without what it has sealed.
CREATE TABLE sealing_keys (
    id       bytea       PRIMARY KEY,
    since    timestamptz NOT NULL DEFAULT now(),
    given_up boolean     NOT NULL DEFAULT false
);

-- The keys of games and contests that are revealed, in the clear: what is public needs no service key any more.
-- `key` is the service key that `value` was derived from.
CREATE TABLE unsealed (
    stream uuid  NOT NULL,
    key    bytea NOT NULL,
    value  bytea NOT NULL,
    PRIMARY KEY (stream, key)
);
