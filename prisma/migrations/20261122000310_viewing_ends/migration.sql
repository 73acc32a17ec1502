-- When a line of the audit log said that a view had run out: nobody leaves one that ends by itself, or with the sign-in.
ALTER TABLE portal_viewing ADD COLUMN told_at timestamptz;
CREATE INDEX portal_viewing_untold_idx ON portal_viewing (session_id) WHERE told_at IS NULL;
