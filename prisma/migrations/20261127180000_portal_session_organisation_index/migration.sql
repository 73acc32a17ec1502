CREATE INDEX CONCURRENTLY "portal_session_organisation_id_idx" ON "portal_session"("organisation_id");
