-- CreateTable
CREATE TABLE "usage_hour" (
    "account_id" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "key_id" INTEGER NOT NULL,
    "endpoint" SMALLINT NOT NULL,
    "status" SMALLINT NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("account_id","hour","key_id","endpoint","status","bucket")
);

-- CreateIndex
CREATE INDEX "usage_hour_hour_idx" ON "usage_hour" USING BRIN ("hour");
