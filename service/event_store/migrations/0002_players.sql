-- Personal data lives here and nowhere else: erasing a player deletes the row and leaves the log as it is.
CREATE TABLE persons (
    player uuid PRIMARY KEY,
    name text NOT NULL
);

-- Look-up of tokens by hash, written in the transaction of the player's own events, which stay the truth.
CREATE TABLE tokens (
    hash bytea PRIMARY KEY,
    token uuid NOT NULL UNIQUE,
    player uuid NOT NULL,
    label text NOT NULL,
    scopes text[] NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX tokens_of_player ON tokens (player);
