-- When an account last asked to have webhooks switched on; null again when they are.
ALTER TABLE webhook_account ADD COLUMN asked_at timestamptz;
