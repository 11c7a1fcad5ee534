-- safe for: 0010
-- The last day (UTC) on which a token was good for something. Programs of before do not write it.
ALTER TABLE tokens ADD COLUMN used_on date;

-- A person's passkeys. `hash` is the SHA-256 of the credential's id; the id and the public key are sealed under the
-- player's key, as is the label: an erasure takes the sense of every copy of them. A session begun with a passkey has it
-- as the `parent` of its token. No event tells of them, for programs of before could not read such a player.
CREATE TABLE passkeys (
    hash         bytea  PRIMARY KEY,
    passkey      uuid   NOT NULL UNIQUE,
    player       uuid   NOT NULL,
    sealed       bytea  NOT NULL,
    sealed_label bytea  NOT NULL,
    sign_count   bigint NOT NULL,
    created_at   bigint NOT NULL,
    used_on      date
);
CREATE INDEX passkeys_of_player ON passkeys (player);
ALTER TABLE passkeys ALTER COLUMN sealed SET STATISTICS 0, ALTER COLUMN sealed_label SET STATISTICS 0;

-- Recovery codes by the SHA-256 of their 80 random bits. A code is used once: the second use breaks the check.
CREATE TABLE recovery_codes (
    hash   bytea    PRIMARY KEY,
    player uuid     NOT NULL,
    uses   smallint NOT NULL DEFAULT 0 CHECK (uses <= 1)
);
CREATE INDEX recovery_codes_of_player ON recovery_codes (player);

-- Challenges that browsers have not answered yet; `player` is null where somebody signs in. A crash may lose them.
CREATE UNLOGGED TABLE challenges (
    challenge  bytea  PRIMARY KEY,
    player     uuid,
    expires_at bigint NOT NULL
);
CREATE INDEX challenges_by_end ON challenges (expires_at);
