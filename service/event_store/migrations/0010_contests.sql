-- Same-deal contests that are not closed: when each is due, written with its announcement, read by the clock.
CREATE TABLE contests_due (
    contest uuid PRIMARY KEY,
    due bigint NOT NULL
);
CREATE INDEX contests_due_due ON contests_due (due);
