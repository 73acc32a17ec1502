-- AlterTable
ALTER TABLE "service_state" ADD COLUMN "serves_production" BOOLEAN NOT NULL DEFAULT false;
