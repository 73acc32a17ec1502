-- CreateTable
CREATE TABLE "daily_file" (
    "dataset" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "compressed_bytes" INTEGER NOT NULL,
    "etag" TEXT NOT NULL,
    "updated_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "daily_file_pkey" PRIMARY KEY ("dataset","day","name","format")
);
