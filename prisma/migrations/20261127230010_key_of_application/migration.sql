ALTER TABLE "api_key" ADD COLUMN "oauth_client_id" INTEGER;

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_oauth_client_id_fkey" FOREIGN KEY ("oauth_client_id") REFERENCES "oauth_client"("id") ON DELETE SET NULL ON UPDATE NO ACTION NOT VALID;
