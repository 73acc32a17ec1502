-- Which endpoints have deliveries that are being tried again, without a look at those that simply wait. Those that died have such an index.
CREATE INDEX webhook_delivery_retrying ON webhook_delivery (endpoint_id, id) WHERE state = 'waiting' AND attempts > 0;
