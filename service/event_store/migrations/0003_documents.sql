-- Read models: documents and, for each build of a projection, the log position they stand at.
-- A build is one run of a projection's fold from position 0; readers see the live one, a rebuild grows beside it.

CREATE TABLE positions (
    build bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    projection text NOT NULL,
    version integer NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    live boolean NOT NULL,
    UNIQUE (projection, live)
);

CREATE TABLE documents (
    build bigint NOT NULL,
    collection text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    sort bytea,
    body bytea NOT NULL,
    PRIMARY KEY (build, collection, key)
);

-- What a page of a collection, and a rank in it, is read from: greatest sort first, equal ones by key.
CREATE INDEX documents_listed ON documents (build, collection, sort DESC, key) WHERE sort IS NOT NULL;
