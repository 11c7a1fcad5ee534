-- safe for: 0010
-- Apps that players let act for them. Secrets, codes and refresh tokens are 256 random bits, kept as SHA-256.
CREATE TABLE apps (
    app           uuid   PRIMARY KEY,
    player        uuid   NOT NULL,
    name          text   NOT NULL,
    secret        bytea,
    redirect_uris text[] NOT NULL,
    created_at    bigint NOT NULL
);
CREATE INDEX apps_of_player ON apps (player);

CREATE TABLE authorization_codes (
    hash         bytea  PRIMARY KEY,
    app          uuid   NOT NULL,
    player       uuid   NOT NULL,
    redirect_uri text   NOT NULL,
    scopes       text[] NOT NULL,
    challenge    text   NOT NULL,
    expires_at   bigint NOT NULL
);
CREATE INDEX authorization_codes_by_end ON authorization_codes (expires_at);

-- What a player has allowed an app: a token whose text nobody has, of which access tokens are made. A code makes one.
CREATE TABLE app_grants (
    token  uuid  PRIMARY KEY REFERENCES tokens (token) ON DELETE CASCADE,
    app    uuid  NOT NULL,
    player uuid  NOT NULL,
    code   bytea NOT NULL UNIQUE
);
CREATE INDEX app_grants_of_app ON app_grants (app);

-- Refresh tokens of a grant; one that another one follows has been used.
CREATE TABLE refresh_tokens (
    hash    bytea PRIMARY KEY,
    token   uuid  NOT NULL REFERENCES app_grants ON DELETE CASCADE,
    follows bytea UNIQUE
);
CREATE INDEX refresh_tokens_of_grant ON refresh_tokens (token);
