-- A customer at Stripe has the address of its account: invoices and receipts go there. Whatever changes the address marks the customer, in the same
-- transaction, and a job tells Stripe.
ALTER TABLE payment_customer ADD COLUMN is_stale boolean NOT NULL DEFAULT false;
CREATE INDEX payment_customer_stale_idx ON payment_customer (account_id) WHERE is_stale;

CREATE FUNCTION mark_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_customer SET is_stale = true WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER account_marks_customer AFTER UPDATE OF email ON account FOR EACH ROW
  WHEN (NEW.email IS DISTINCT FROM OLD.email AND NEW.closed_at IS NULL) EXECUTE FUNCTION mark_customer();

-- Nobody knows which of those who are here have changed theirs since.
UPDATE payment_customer c SET is_stale = true FROM account a WHERE a.id = c.account_id AND a.closed_at IS NULL AND c.mode <> 'simulated';
