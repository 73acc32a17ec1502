-- AlterTable
ALTER TABLE "product" ADD COLUMN     "maturity_date" DATE,
ADD COLUMN     "withdrawals_per_year" INTEGER;
