-- safe for: 0010
-- Keyed hashes of how the names of players begin who may be found by them. A program of before that renames a player
-- leaves the old ones until the next change of name; erasing deletes them whoever does it.
CREATE TABLE name_beginnings (
    beginning bytea    NOT NULL,
    player    uuid     NOT NULL REFERENCES persons ON DELETE CASCADE,
    length    smallint NOT NULL,
    PRIMARY KEY (beginning, player)
);
CREATE INDEX name_beginnings_of_player ON name_beginnings (player);
