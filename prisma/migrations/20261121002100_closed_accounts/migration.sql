-- A closed account is a blocked one as well, so that whatever still names it is refused without looking at another column. The new version of the wallet
-- makes every process look again.
UPDATE account SET state = 'blocked', block_reason = 'The account is closed.' WHERE closed_at IS NOT NULL;
UPDATE wallet w SET version = version + 1 FROM account a WHERE a.id = w.account_id AND a.closed_at IS NOT NULL;
