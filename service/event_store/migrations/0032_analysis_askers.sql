-- safe for: 0010
-- Whoever asked for an analysis that waits: each has a share of the queue, and a turn of their own. NULL: somebody who
-- is not signed in, or it is done.
ALTER TABLE analyses ADD COLUMN player uuid;
