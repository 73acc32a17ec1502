-- Lists the deliveries of an endpoint whose data may be read, in the order in which they became readable.
CREATE INDEX CONCURRENTLY webhook_delivery_readable ON webhook_delivery (endpoint_id,
  (CASE WHEN is_test OR is_free THEN created_at ELSE coalesce(delivered_at, created_at) END), id)
  WHERE is_test OR is_free OR charged_at IS NOT NULL OR is_owed;
