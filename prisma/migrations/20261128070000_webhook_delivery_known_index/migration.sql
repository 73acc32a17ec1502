-- Finds the waiting deliveries that may be sent to an account that has no credits left, or has reached its limit of unacknowledged events.
CREATE INDEX CONCURRENTLY webhook_delivery_known ON webhook_delivery (endpoint_id, due_at, id)
  WHERE state = 'waiting' AND (is_test OR is_free OR charged_at IS NOT NULL OR unacknowledged_at IS NOT NULL OR is_owed);
