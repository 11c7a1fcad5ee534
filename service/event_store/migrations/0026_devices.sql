-- safe for: 0010
-- Apps on devices without a browser (RFC 8628). Programs of before make none, and give no device a token.
ALTER TABLE apps ADD COLUMN devices boolean NOT NULL DEFAULT false;

-- A device that waits for a player's yes. `hash` and `user_code` are SHA-256 of its own code and of the one that the
-- player types, which is short: it is good for ten minutes, in the hands of somebody signed in. `player` and `allowed`
-- are the answer. A device that asks sooner than `pause` seconds after `polled_at` waits longer from then on.
CREATE TABLE device_codes (
    hash       bytea    PRIMARY KEY,
    user_code  bytea    NOT NULL UNIQUE,
    app        uuid     NOT NULL,
    scopes     text[]   NOT NULL,
    expires_at bigint   NOT NULL,
    pause      int      NOT NULL,
    polled_at  bigint   NOT NULL DEFAULT 0,
    player     uuid,
    allowed    boolean,
    made_of    uuid,
    ends       bigint
);
CREATE INDEX device_codes_by_end ON device_codes (expires_at);
CREATE INDEX device_codes_of_player ON device_codes (player) WHERE player IS NOT NULL;

-- How many codes a player has typed since `until` was set. A crash may lose them.
CREATE UNLOGGED TABLE device_guesses (
    player uuid   PRIMARY KEY,
    typed  int    NOT NULL,
    until  bigint NOT NULL
);
CREATE INDEX device_guesses_by_end ON device_guesses (until);

-- The token that the player's browser had signed in with, if any, and its end: what an app is given is made of it.
-- NULL in the codes of programs of before, which are good for a minute.
ALTER TABLE authorization_codes ADD COLUMN made_of uuid, ADD COLUMN ends bigint;

-- Keys of what is no game end by age. Those stored before begin to age now. Commands of games are in no such index.
ALTER TABLE idempotency_keys ADD COLUMN kept_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (kept_at, player, operation, key)
    WHERE target = '00000000-0000-0000-0000-000000000000';
