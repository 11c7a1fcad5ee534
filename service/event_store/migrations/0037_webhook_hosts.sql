-- safe for: 0010
-- The host and port that a webhook's URL leads to, in lower case: each has a share of the connections.
ALTER TABLE webhooks ADD COLUMN host text NOT NULL GENERATED ALWAYS AS (
    rtrim(regexp_replace(substring(lower(url) from '^[^:]*://([^/?#]*)'), ':[0-9]*$', ''), '.') || ':' || coalesce(
        substring(url from '^[^:]*://[^/?#]*:0*([0-9]+)([/?#]|$)'), CASE WHEN lower(url) LIKE 'http:%' THEN '80' ELSE '443' END
    )
) STORED;
