-- safe for: 0010
-- The key of each player's personal fields. Erasing a player deletes the row, and with it the sense of every copy of
-- those fields. Long-lived backups leave this table out (service/keys/sealing/README.md).
CREATE TABLE player_keys (
    player uuid  PRIMARY KEY,
    key    bytea NOT NULL
);

-- `name` and `label` are what programs of before read and write; they are emptied once none of those runs any more.
ALTER TABLE persons ALTER COLUMN name DROP NOT NULL, ADD COLUMN sealed_name bytea;
ALTER TABLE tokens ADD COLUMN sealed_label bytea;
CREATE INDEX persons_plain ON persons (player) WHERE name IS NOT NULL;
CREATE INDEX tokens_plain ON tokens (token) WHERE label <> '';
