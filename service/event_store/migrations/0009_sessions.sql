-- The token that a browser session's own token was made of: it is revoked with it.
ALTER TABLE tokens ADD COLUMN parent uuid;
CREATE INDEX tokens_of_parent ON tokens (parent) WHERE parent IS NOT NULL;
