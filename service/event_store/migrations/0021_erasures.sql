-- safe for: 0010
-- A row for each erasure whose last copies still stand in the database's own files, until the tables of persons have
-- been written anew (service/workers/rewriting.py). It names nobody.
CREATE TABLE erasures (
    id    bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    since timestamptz NOT NULL DEFAULT now()
);

-- Who was erased before is in the files still.
INSERT INTO erasures (since) SELECT now() WHERE EXISTS (SELECT FROM persons);

-- No samples of what is personal among the planner's statistics. To change a column's type drops those that it has.
ALTER TABLE player_keys ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN key TYPE bytea;
ALTER TABLE persons
    ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN name TYPE text,
    ALTER COLUMN sealed_name SET STATISTICS 0, ALTER COLUMN sealed_name TYPE bytea;
ALTER TABLE tokens
    ALTER COLUMN label SET STATISTICS 0, ALTER COLUMN label TYPE text,
    ALTER COLUMN sealed_label SET STATISTICS 0, ALTER COLUMN sealed_label TYPE bytea;
