CREATE INDEX CONCURRENTLY "account_owner_id_idx" ON "account"("owner_id");
