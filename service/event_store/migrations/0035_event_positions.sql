-- safe for: 0023
-- Where in the log what caused an event stands, for whoever reads on from there (`Min-Log-Position`). NULL: written by a
-- program of before; every position that is read later will do.
ALTER TABLE account_events ADD COLUMN log_position bigint;
ALTER TABLE league_events ADD COLUMN log_position bigint;
