-- safe for: 0010
-- What a process writes to find out whether there is room: emptied and filled in one transaction, so that it takes new
-- pages each time and keeps none. `filler` is never compressed, nor moved out of the row.
CREATE TABLE write_probe (
    filler text NOT NULL
);
ALTER TABLE write_probe ALTER COLUMN filler SET STORAGE PLAIN;
