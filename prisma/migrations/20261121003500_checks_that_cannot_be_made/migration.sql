-- A check of the books that cannot be made is told to the administrators, once a day: silence would look like books that add up.
ALTER TABLE billing_check ADD COLUMN failure_told_at timestamptz;
