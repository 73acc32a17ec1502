CREATE INDEX CONCURRENTLY "api_key_oauth_client_id_idx" ON "api_key"("oauth_client_id");
