-- Adds a general statement about an offer, such as that it is fictional.
ALTER TABLE switch_offer ADD COLUMN note text;
ALTER TABLE account_offer ADD COLUMN note text;
