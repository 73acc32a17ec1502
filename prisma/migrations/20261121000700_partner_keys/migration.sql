-- Keys of the partner API that came before v1. They read live data, and v1 does not take them.
ALTER TABLE api_key ADD COLUMN partner boolean NOT NULL DEFAULT false CHECK (NOT partner OR mode = 'live');
