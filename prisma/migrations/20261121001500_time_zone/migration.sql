-- In which time zone the portal shows its times to an account, by its IANA name. Which names there are changes several times a year: the portal knows them,
-- and shows UTC for one that it does not know.
ALTER TABLE account ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
