-- Offers on current accounts, the terms of cards, how customers rate providers. Rates are integer hundredths of a percent, amounts
-- integer pence, days of a calendar DATE. Lists and small objects that are only ever read whole are jsonb, with the same units inside.

ALTER TABLE "provider"
  ADD COLUMN "trust_score_tenths" INTEGER, -- 43 = 4.3 of 5
  ADD COLUMN "trust_review_count" INTEGER,
  ADD COLUMN "trust_source"       TEXT,
  ADD COLUMN "trust_as_of"        DATE,
  ADD CONSTRAINT "provider_trust_score_range" CHECK ("trust_score_tenths" BETWEEN 0 AND 50),
  ADD CONSTRAINT "provider_trust_reviews_not_negative" CHECK ("trust_review_count" >= 0),
  ADD CONSTRAINT "provider_trust_has_source" CHECK ("trust_score_tenths" IS NULL OR ("trust_source" IS NOT NULL AND "trust_as_of" IS NOT NULL));

ALTER TABLE "card"
  ADD COLUMN "network"                      TEXT,
  ADD COLUMN "card_type"                    TEXT,
  ADD COLUMN "annual_fee_pence"             BIGINT,
  ADD COLUMN "representative_apr_bp"        INTEGER,
  ADD COLUMN "fx_fee_bp"                    INTEGER,
  ADD COLUMN "new_customers_only"           BOOLEAN NOT NULL DEFAULT false,
  -- The list 'rewards'.
  ADD COLUMN "reward_type"                  TEXT,
  ADD COLUMN "reward_currency_name"         TEXT,
  ADD COLUMN "earn_rate_hundredths"         INTEGER, -- hundredths of a percent, or of a point per pound
  ADD COLUMN "reward_tiers"                 JSONB,
  ADD COLUMN "intro_rate_bp"                INTEGER,
  ADD COLUMN "intro_duration_months"        INTEGER,
  ADD COLUMN "welcome_bonus"                JSONB,
  ADD COLUMN "first_year_fee_pence"         BIGINT,
  ADD COLUMN "purchase_rate_bp"             INTEGER,
  ADD COLUMN "min_credit_limit_pence"       BIGINT,
  ADD COLUMN "cash_advance_fee"             JSONB,
  ADD COLUMN "min_annual_income_pence"      BIGINT,
  ADD COLUMN "estimated_annual_value_pence" BIGINT,
  ADD COLUMN "representative_example"       TEXT,
  -- The list 'travel'.
  ADD COLUMN "weekend_fx_fee_bp"            INTEGER,
  ADD COLUMN "atm_fee_bp"                   INTEGER,
  ADD COLUMN "atm_fee_minimum_pence"        BIGINT,
  ADD COLUMN "atm_free_limit"               JSONB,
  ADD COLUMN "cash_interest_from_day1"      BOOLEAN,
  ADD COLUMN "cash_rate_bp"                 INTEGER,
  ADD COLUMN "exchange_rate_source"         TEXT,
  ADD COLUMN "supported_currencies"         JSONB, -- a list of codes, or the text "all"
  ADD COLUMN "foreign_reward_bp"            INTEGER,
  ADD CONSTRAINT "card_network_known" CHECK ("network" IN ('visa', 'mastercard', 'amex')),
  ADD CONSTRAINT "card_type_known" CHECK ("card_type" IN ('credit', 'charge', 'debit', 'prepaid')),
  ADD CONSTRAINT "card_reward_type_known" CHECK ("reward_type" IN ('cashback', 'points', 'airmiles', 'vouchers')),
  ADD CONSTRAINT "card_exchange_rate_source_known" CHECK ("exchange_rate_source" IN ('visa', 'mastercard', 'amex', 'interbank')),
  ADD CONSTRAINT "card_amounts_not_negative" CHECK (
    least("annual_fee_pence", "first_year_fee_pence", "min_credit_limit_pence", "min_annual_income_pence", "atm_fee_minimum_pence") >= 0
  ),
  ADD CONSTRAINT "card_rates_not_negative" CHECK (
    least("representative_apr_bp", "fx_fee_bp", "earn_rate_hundredths", "intro_rate_bp", "purchase_rate_bp", "weekend_fx_fee_bp", "atm_fee_bp",
      "cash_rate_bp", "foreign_reward_bp") >= 0
  ),
  ADD CONSTRAINT "card_reward_tiers_are_a_list" CHECK (jsonb_typeof("reward_tiers") = 'array'),
  ADD CONSTRAINT "card_supported_currencies_are_a_list_or_all" CHECK (jsonb_typeof("supported_currencies") = 'array' OR "supported_currencies" = '"all"');

-- Cards that were there before have no terms until they are named by a feed again, and are on no list of the API until then; so the
-- check is for what is written from now on.
ALTER TABLE "card" ADD CONSTRAINT "card_has_terms" CHECK (
  "network" IS NOT NULL AND "card_type" IS NOT NULL AND "annual_fee_pence" IS NOT NULL AND "fx_fee_bp" IS NOT NULL AND CASE "list"
    WHEN 'rewards' THEN "reward_type" IS NOT NULL AND "earn_rate_hundredths" IS NOT NULL
    ELSE "atm_fee_bp" IS NOT NULL AND "atm_fee_minimum_pence" IS NOT NULL AND "exchange_rate_source" IS NOT NULL AND "supported_currencies" IS NOT NULL
  END
) NOT VALID;

CREATE TABLE "switch_offer" (
  "dataset"                     TEXT NOT NULL,
  "offer_key"                   TEXT NOT NULL,
  "provider_name"               TEXT NOT NULL,
  "provider_slug"               TEXT,
  "account_name"                TEXT NOT NULL,
  "account_kind"                TEXT NOT NULL,
  "bonus_pence"                 BIGINT NOT NULL,
  "bonus_type"                  TEXT NOT NULL,
  "total_value_pence"           BIGINT,
  "extra_benefits"              JSONB NOT NULL,
  "min_pay_in_pence"            BIGINT,
  "pay_in_within_days"          INTEGER,
  "pay_in_frequency"            TEXT,
  "min_direct_debits"           INTEGER NOT NULL,
  "direct_debits_must_transfer" BOOLEAN NOT NULL,
  "min_card_payments"           INTEGER NOT NULL,
  "card_payments_within_days"   INTEGER,
  "digital_login_required"      BOOLEAN NOT NULL,
  "monthly_fee_pence"           BIGINT NOT NULL,
  "min_annual_income_pence"     BIGINT,
  "switch_within_days"          INTEGER,
  "full_switch_required"        BOOLEAN NOT NULL,
  "cass_participant"            BOOLEAN NOT NULL,
  "payout_within_days"          INTEGER,
  "start_date"                  DATE NOT NULL,
  "end_date"                    DATE, -- null: until further notice
  "new_customers_only"          BOOLEAN NOT NULL,
  "excluded_if_held_since"      DATE,
  "previous_bonus_excluded"     BOOLEAN NOT NULL,
  "previous_bonus_since"        DATE,
  "eligibility"                 JSONB NOT NULL,
  "exclusions"                  JSONB NOT NULL,
  "terms_url"                   TEXT NOT NULL,
  "withdrawn_at"                TIMESTAMPTZ(3),
  "created_at"                  TIMESTAMPTZ(3) NOT NULL,
  "updated_at"                  TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "switch_offer_pkey" PRIMARY KEY ("dataset", "offer_key"),
  CONSTRAINT "switch_offer_dataset_known" CHECK ("dataset" IN ('live', 'sample')),
  CONSTRAINT "switch_offer_account_kind_known" CHECK ("account_kind" IN ('personal', 'joint', 'student', 'business')),
  CONSTRAINT "switch_offer_bonus_type_known" CHECK ("bonus_type" IN ('cash', 'cashback', 'gift', 'interest-boost', 'points')),
  CONSTRAINT "switch_offer_pay_in_frequency_known" CHECK ("pay_in_frequency" IN ('once', 'monthly')),
  CONSTRAINT "switch_offer_value" CHECK ("bonus_pence" >= 0 AND "total_value_pence" >= "bonus_pence"),
  CONSTRAINT "switch_offer_not_negative" CHECK (
    least("min_pay_in_pence", "monthly_fee_pence", "min_annual_income_pence", "min_direct_debits", "min_card_payments") >= 0
  ),
  CONSTRAINT "switch_offer_days" CHECK ("end_date" >= "start_date"),
  CONSTRAINT "switch_offer_lists" CHECK (
    jsonb_typeof("extra_benefits") = 'array' AND jsonb_typeof("eligibility") = 'array' AND jsonb_typeof("exclusions") = 'array'
  )
);

CREATE TABLE "account_offer" (
  "dataset"                            TEXT NOT NULL,
  "offer_key"                          TEXT NOT NULL,
  "provider_name"                      TEXT NOT NULL,
  "provider_slug"                      TEXT,
  "account_name"                       TEXT NOT NULL,
  "account_type"                       TEXT NOT NULL,
  "headline"                           TEXT NOT NULL,
  "credit_interest_bp"                 INTEGER,
  "credit_interest_max_balance_pence"  BIGINT,
  "cashback_bp"                        INTEGER,
  "cashback_categories"                JSONB NOT NULL,
  "cashback_cap_pence"                 BIGINT,
  "monthly_fee_pence"                  BIGINT NOT NULL,
  "overdraft_bp"                       INTEGER,
  "overdraft_interest_free_pence"      BIGINT,
  "introductory_period"                TEXT,
  "min_pay_in_pence"                   BIGINT,
  "min_direct_debits"                  INTEGER,
  "linked_saver_bp"                    INTEGER,
  "start_date"                         DATE NOT NULL,
  "end_date"                           DATE,
  "new_customers_only"                 BOOLEAN NOT NULL,
  "terms_url"                          TEXT NOT NULL,
  "withdrawn_at"                       TIMESTAMPTZ(3),
  "created_at"                         TIMESTAMPTZ(3) NOT NULL,
  "updated_at"                         TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "account_offer_pkey" PRIMARY KEY ("dataset", "offer_key"),
  CONSTRAINT "account_offer_dataset_known" CHECK ("dataset" IN ('live', 'sample')),
  CONSTRAINT "account_offer_account_type_known" CHECK (
    "account_type" IN ('current-account', 'packaged', 'premium', 'student', 'graduate', 'children', 'basic')
  ),
  CONSTRAINT "account_offer_not_negative" CHECK (
    least("credit_interest_max_balance_pence", "cashback_cap_pence", "monthly_fee_pence", "overdraft_interest_free_pence", "min_pay_in_pence",
      "credit_interest_bp", "cashback_bp", "overdraft_bp", "linked_saver_bp", "min_direct_debits") >= 0
  ),
  CONSTRAINT "account_offer_days" CHECK ("end_date" >= "start_date"),
  CONSTRAINT "account_offer_cashback_categories_are_a_list" CHECK (jsonb_typeof("cashback_categories") = 'array')
);

-- The newest survey of a provider in a region. The scores are {percent, rank, jointRank, rankOf}, or null under 100 answers.
CREATE TABLE "service_quality" (
  "dataset"                     TEXT NOT NULL,
  "survey_key"                  TEXT NOT NULL,
  "provider_slug"               TEXT NOT NULL,
  "region"                      TEXT NOT NULL,
  "survey"                      TEXT NOT NULL,
  "publisher"                   TEXT NOT NULL,
  "period_start"                DATE NOT NULL,
  "period_end"                  DATE NOT NULL,
  "published_at"                DATE NOT NULL,
  "next_publication"            DATE,
  "sample_size"                 INTEGER,
  "providers_ranked"            INTEGER NOT NULL,
  "overall"                     JSONB,
  "online_and_mobile"           JSONB,
  "overdraft"                   JSONB,
  "branch"                      JSONB,
  "methodology_url"             TEXT NOT NULL,
  "account_opening_days"        INTEGER,
  "debit_card_replacement_days" INTEGER,
  "major_incidents_last_year"   INTEGER,
  "updated_at"                  TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "service_quality_pkey" PRIMARY KEY ("dataset", "survey_key"),
  CONSTRAINT "service_quality_dataset_known" CHECK ("dataset" IN ('live', 'sample')),
  CONSTRAINT "service_quality_region_known" CHECK ("region" IN ('GB', 'NI')),
  CONSTRAINT "service_quality_key" CHECK ("survey_key" = "provider_slug" || '/' || "region"),
  CONSTRAINT "service_quality_days" CHECK ("period_start" < "period_end" AND "period_end" <= "published_at" AND "published_at" < "next_publication"),
  CONSTRAINT "service_quality_not_negative" CHECK (
    "providers_ranked" > 0 AND least("sample_size", "account_opening_days", "debit_card_replacement_days", "major_incidents_last_year") >= 0
  )
);

CREATE INDEX "switch_offer_dataset_provider_slug_idx" ON "switch_offer"("dataset", "provider_slug");
CREATE INDEX "account_offer_dataset_provider_slug_idx" ON "account_offer"("dataset", "provider_slug");
CREATE INDEX "service_quality_dataset_provider_slug_idx" ON "service_quality"("dataset", "provider_slug");

ALTER TABLE "switch_offer" ADD CONSTRAINT "switch_offer_dataset_provider_slug_fkey"
  FOREIGN KEY ("dataset", "provider_slug") REFERENCES "provider"("dataset", "slug") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "account_offer" ADD CONSTRAINT "account_offer_dataset_provider_slug_fkey"
  FOREIGN KEY ("dataset", "provider_slug") REFERENCES "provider"("dataset", "slug") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "service_quality" ADD CONSTRAINT "service_quality_dataset_provider_slug_fkey"
  FOREIGN KEY ("dataset", "provider_slug") REFERENCES "provider"("dataset", "slug") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- The seed keeps a dataset up to date for as long as nobody else has changed it, so it has to know its own imports. Those that it made
-- before it wrote that down are told by what they took in.
ALTER TABLE "market_import" ADD COLUMN "is_seed" BOOLEAN NOT NULL DEFAULT false;
UPDATE "market_import" SET "is_seed" = true WHERE "sha256" IN (
  '0c424b9f57be6c2f54c3aa64210b7f3aeda545b55c7e71ef66b769462d85fc86', -- demonstration: providers
  'a1e0cf48e5938c8aa924a42362f71bc2aa0374251866ac91eb31301913d92c87', -- products
  'ea26d34d961db7f2c9f6139b10388cabcbedc2b97e425a3bee4fa13cb936cab6', -- products
  '0681cd71b006e6c8ac9ffb0b14b894ff5610eb4444193daa3963843d36056b93', -- cards
  '1e0477a4ef95dd58f3223f712b7db444bc36a635b2800f9dd086bcb0afcee428', -- sample: providers
  '31bd436a330a32b1b67e3baff0656e4eb4d9942c587be4f52421cee7f054ba53', -- products
  '54d252cf1f4306ada0e0699df7b8d2c15c5772e9fde7bad5ad6917aa504c9c17', -- products
  '5902b97d9bfad5c50fb955344803cce52bcae0241b6365a8e6ed4b1b077aceb4'  -- cards
);
