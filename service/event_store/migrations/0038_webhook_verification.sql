-- safe for: 0010
-- When the receiver answered the challenge at this URL. NULL: it has not, and gets nothing else. Until then `failures` and
-- `paused_until` are those of challenges, and `verification_error` says what came of the last one. Webhooks of before
-- count as verified. Programs of before send to all, and ask none.
ALTER TABLE webhooks ADD COLUMN verified_at bigint, ADD COLUMN verification_error text;
UPDATE webhooks SET verified_at = created_at;
CREATE INDEX webhooks_unverified ON webhooks (paused_until) WHERE verified_at IS NULL AND disabled IS NULL;
