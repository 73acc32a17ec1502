-- AlterTable
ALTER TABLE "top_up" ADD COLUMN     "billed_to" JSONB;

-- CreateTable
CREATE TABLE "billing_details" (
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "line1" TEXT NOT NULL,
    "line2" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL,
    "postcode" TEXT NOT NULL DEFAULT '',
    "country" TEXT NOT NULL,
    "vat_number" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "billing_details_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
