-- What became of a mailing is counted once, when no mail of it waits any more: it is shown as often as somebody looks, and outlasts the mails.
ALTER TABLE mailing
  ADD COLUMN sent int,
  ADD COLUMN failed int,
  ADD COLUMN unsure int,
  ADD COLUMN ended_at timestamptz;
CREATE INDEX mailing_under_way_idx ON mailing (id) WHERE ended_at IS NULL;
