-- Whose portal an administrator looks at, in which sign-in, and until when. A row stays until the administrator leaves the view: once its time is over it
-- shows nothing more, and keeps a form that was opened within from being taken for one of the administrator's own.
CREATE TABLE portal_viewing (
  session_id text PRIMARY KEY REFERENCES portal_session (id) ON DELETE CASCADE,
  account_id bigint NOT NULL REFERENCES account (id),
  ends_at    timestamptz NOT NULL
);
