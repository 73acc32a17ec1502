-- Alerts are managed by keys of their mode, like webhook endpoints. Existing ones are live.
ALTER TABLE market_alert ADD COLUMN mode key_mode NOT NULL DEFAULT 'live';
