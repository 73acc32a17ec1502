ALTER TABLE "portal_session" VALIDATE CONSTRAINT "portal_session_organisation_id_fkey";
