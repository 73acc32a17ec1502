-- Who looks whose balance is low holds wallets while it waits for the next one. Behind a wallet that somebody keeps for long, their calls waited as well: it
-- gives up after a second and is asked again a moment later.
ALTER FUNCTION tell_low_balances(int) SET lock_timeout = '1s';
