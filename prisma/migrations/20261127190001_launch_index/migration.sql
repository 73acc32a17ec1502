-- Covers the query for the latest launch of each product, which otherwise reads the whole history whenever the market is loaded.
CREATE INDEX CONCURRENTLY rate_change_launched_idx ON rate_change (dataset, source_key) INCLUDE (effective_date, detected_at) WHERE direction = 'launched';
