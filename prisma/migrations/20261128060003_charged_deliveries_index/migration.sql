-- Counts the events of an endpoint that were charged.
CREATE INDEX CONCURRENTLY webhook_delivery_charged ON webhook_delivery (endpoint_id, charged_at) WHERE charged_at IS NOT NULL;
