ALTER TABLE "daily_file" ADD COLUMN "brotli" BYTEA, ADD COLUMN "brotli_bytes" INTEGER;
