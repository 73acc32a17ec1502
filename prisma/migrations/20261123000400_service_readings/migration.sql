-- What the worker found when it asked the service, once a minute, whether it can serve: how often it could and could not, by UTC day. A minute in which nobody
-- asked, because the worker or the database was not there, is in neither.
CREATE TABLE service_reading (
  day     date PRIMARY KEY,
  good    integer NOT NULL,
  bad     integer NOT NULL,
  read_at timestamptz(3) NOT NULL
);
