-- Proposals that nobody decided stay as they are: those that can be decided are found without a look at them.
DROP INDEX credit_adjustment_waiting;
CREATE INDEX credit_adjustment_waiting ON credit_adjustment (ends_at, id) WHERE state = 'waiting';
