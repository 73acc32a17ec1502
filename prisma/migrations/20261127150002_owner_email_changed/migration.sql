-- Marks the email address at Stripe as outdated when an account changes its own, for all accounts that it owns. Retries start again with the new address.
CREATE OR REPLACE FUNCTION mark_customer_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_customer SET is_stale = true, attempts = 0, not_before = NULL
    WHERE account_id IN (SELECT NEW.id UNION ALL SELECT id FROM account WHERE owner_id = NEW.id);
  RETURN NULL;
END $$;
