-- The signed last digest of every game that is over and revealed; one more if it is declared void afterwards.
CREATE TABLE signatures (
    game    uuid  NOT NULL,
    version int   NOT NULL,
    key     text  NOT NULL,
    value   bytea NOT NULL,
    PRIMARY KEY (game, version)
);
