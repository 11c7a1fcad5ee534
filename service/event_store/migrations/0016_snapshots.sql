-- safe for: 0010
-- The newest snapshot of each longer game, for reading it without its first records. A cache: it may be emptied at any
-- time, is believed only where the record at its version vouches for it, and goes when the game is packed. `form` names
-- the fields of one revision of one game type; `body` is sealed while the game may hide something.
CREATE TABLE snapshots (
    game    uuid    PRIMARY KEY,
    version integer NOT NULL,
    form    text    NOT NULL,
    body    bytea   NOT NULL
) WITH (fillfactor = 50);
