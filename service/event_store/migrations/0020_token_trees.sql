-- safe for: 0010
-- `parent` is the token that any other was made of, no longer a browser session's only: `minted` tells those that are no
-- sessions. Programs of before know nothing of it, and leave it false for the sessions that they make.
ALTER TABLE tokens ADD COLUMN minted boolean NOT NULL DEFAULT false;
