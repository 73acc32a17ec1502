-- The savings market: providers, their products and cards, side by side in the datasets 'live' and 'sample'.
-- Rates are integer hundredths of a percent (450 = 4.50 %), amounts are integer pence. The checks below restate what
-- the feed validation promises, so that no other way of writing can break what the read model relies on.

CREATE TABLE "provider" (
  "dataset"                TEXT NOT NULL,
  "slug"                   TEXT NOT NULL,
  "name"                   TEXT NOT NULL,
  "legal_name"             TEXT NOT NULL,
  "frn"                    TEXT,
  "provider_type"          TEXT NOT NULL,
  "website"                TEXT NOT NULL,
  "founded"                INTEGER,
  "headquarters"           TEXT,
  "owner_name"             TEXT,
  "owner_country"          TEXT,
  "protection_scheme"      TEXT NOT NULL,
  "protection_limit_pence" BIGINT,
  "licence_group"          TEXT NOT NULL,
  "cass_participant"       BOOLEAN NOT NULL DEFAULT false,
  "active"                 BOOLEAN NOT NULL DEFAULT true,
  "colour"                 TEXT, -- null: the provider has no logo
  "updated_at"             TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_pkey" PRIMARY KEY ("dataset", "slug"),
  CONSTRAINT "provider_dataset_known" CHECK ("dataset" IN ('live', 'sample')),
  CONSTRAINT "provider_type_known" CHECK ("provider_type" IN ('bank', 'building-society', 'government', 'platform', 'e-money', 'credit-union')),
  CONSTRAINT "provider_protection_limit_not_negative" CHECK ("protection_limit_pence" >= 0),
  CONSTRAINT "provider_colour_hex" CHECK ("colour" ~ '^#[0-9a-f]{6}$')
);

CREATE TABLE "product" (
  "dataset"                   TEXT NOT NULL,
  "source_key"                TEXT NOT NULL,
  "provider_slug"             TEXT NOT NULL,
  "account_name"              TEXT NOT NULL,
  "account_type"              TEXT NOT NULL,
  "rate_bp"                   INTEGER NOT NULL,
  "base_rate_bp"              INTEGER NOT NULL,
  "boost_rate_bp"             INTEGER NOT NULL,
  "boost_duration"            TEXT,
  "interest_paid"             TEXT NOT NULL,
  "interest_type"             TEXT NOT NULL,
  "access"                    TEXT NOT NULL,
  "min_balance_pence"         BIGINT NOT NULL,
  "max_balance_pence"         BIGINT,
  "max_monthly_deposit_pence" BIGINT,
  "term_months"               INTEGER,
  "notice_days"               INTEGER,
  "fscs_details"              TEXT NOT NULL,
  "new_customers_only"        BOOLEAN NOT NULL DEFAULT false,
  "url"                       TEXT NOT NULL,
  "url_checked_at"            TIMESTAMPTZ(3) NOT NULL,
  "withdrawn_at"              TIMESTAMPTZ(3),
  "created_at"                TIMESTAMPTZ(3) NOT NULL,
  "updated_at"                TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "product_pkey" PRIMARY KEY ("dataset", "source_key"),
  CONSTRAINT "product_account_type_known" CHECK ("account_type" IN (
    'easy-access', 'fixed-rate', 'notice', 'cash-isa', 'junior-isa', 'lifetime-isa', 'stocks-shares-isa', 'regular-saver', 'childrens-savings'
  )),
  CONSTRAINT "product_rate_is_base_plus_boost" CHECK ("base_rate_bp" >= 0 AND "boost_rate_bp" >= 0 AND "rate_bp" = "base_rate_bp" + "boost_rate_bp"),
  CONSTRAINT "product_boost_has_duration" CHECK (("boost_rate_bp" > 0) = ("boost_duration" IS NOT NULL)),
  CONSTRAINT "product_balance_range" CHECK ("min_balance_pence" >= 0 AND "max_balance_pence" >= "min_balance_pence"),
  CONSTRAINT "product_monthly_deposit_positive" CHECK ("max_monthly_deposit_pence" > 0),
  CONSTRAINT "product_term_positive" CHECK ("term_months" > 0),
  CONSTRAINT "product_notice_positive" CHECK ("notice_days" > 0)
);

CREATE TABLE "card" (
  "dataset"       TEXT NOT NULL,
  "source_key"    TEXT NOT NULL,
  "list"          TEXT NOT NULL,
  "name"          TEXT NOT NULL,
  "provider_name" TEXT NOT NULL,
  "provider_slug" TEXT,
  "updated_at"    TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "card_pkey" PRIMARY KEY ("dataset", "source_key"),
  CONSTRAINT "card_dataset_known" CHECK ("dataset" IN ('live', 'sample')),
  CONSTRAINT "card_list_known" CHECK ("list" IN ('rewards', 'travel'))
);

CREATE TABLE "market_import" (
  "id"        BIGSERIAL NOT NULL,
  "dataset"   TEXT NOT NULL,
  "kind"      TEXT NOT NULL,
  "file_name" TEXT NOT NULL,
  "sha256"    TEXT NOT NULL,
  "rows"      INTEGER NOT NULL,
  "added"     INTEGER NOT NULL,
  "changed"   INTEGER NOT NULL,
  "withdrawn" INTEGER NOT NULL,
  "at"        TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "market_import_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "product_dataset_provider_slug_idx" ON "product"("dataset", "provider_slug");
CREATE INDEX "card_dataset_provider_slug_idx" ON "card"("dataset", "provider_slug");
CREATE INDEX "market_import_dataset_kind_sha256_idx" ON "market_import"("dataset", "kind", "sha256");

ALTER TABLE "product" ADD CONSTRAINT "product_dataset_provider_slug_fkey"
  FOREIGN KEY ("dataset", "provider_slug") REFERENCES "provider"("dataset", "slug") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "card" ADD CONSTRAINT "card_dataset_provider_slug_fkey"
  FOREIGN KEY ("dataset", "provider_slug") REFERENCES "provider"("dataset", "slug") ON DELETE RESTRICT ON UPDATE CASCADE;
