ALTER TABLE "api_key" VALIDATE CONSTRAINT "api_key_oauth_client_id_fkey";
