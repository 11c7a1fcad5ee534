-- safe for: 0010
-- The machine on which a process runs: addresses of the loopback serve the processes of one machine only.
ALTER TABLE processes ADD COLUMN machine text;
