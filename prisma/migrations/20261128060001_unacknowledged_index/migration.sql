-- Counts the events of an account that were sent but not acknowledged.
CREATE INDEX CONCURRENTLY webhook_delivery_unacknowledged ON webhook_delivery (account_id, unacknowledged_at) WHERE unacknowledged_at IS NOT NULL;
