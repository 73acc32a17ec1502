-- Time of the changes of an import by the clock of the database. Null for earlier imports, and for imports by the previous release.
ALTER TABLE "market_import" ADD COLUMN     "changed_at" TIMESTAMPTZ(3);
