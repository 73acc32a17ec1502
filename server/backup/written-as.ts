/** Where the sums of the usage and the look for low balances have come to in the log, as numbers of transactions. */
export type Places = { readonly usage: bigint; readonly alerts: bigint }

/** Tables that a backup leaves empty, and why. What was ended since then must not begin again with a restore. */
export const leftOut: Readonly<Record<string, string>> = {
  portal_session: 'Sign-ins: whoever was signed out since the backup would be signed in again. Everybody signs in anew.',
  portal_viewing: 'Views of accounts, which belong to sign-ins.',
  email_token: 'Links in mails: one that was used since the backup would work again. Whoever waits for one asks for another.',
}

/** What else stays out when the log of calls does. Its charges do not: they are added to those of the days that were dropped before. */
export const leftOutWithLog: Readonly<Record<string, string>> = {
  request_log: 'Asked for. What was charged stands in dropped_charge, and what was used in usage_day.',
  request_detail: 'Asked for: what was kept of single calls.',
}

/** What these tables are read from when the log of calls stays out, so that the books hold and each call is still counted once. */
export const readWithoutLog = ({ usage }: Places): Readonly<Record<string, string>> => ({
  dropped_charge: `(SELECT account_id, sum(credits)::bigint AS credits
    FROM (SELECT account_id, credits FROM dropped_charge UNION ALL SELECT account_id, credits FROM request_log WHERE credits > 0) c
    GROUP BY account_id ORDER BY account_id) kept`,
  usage_day: `(SELECT account_id, day, key_id, endpoint, status, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits
    FROM (SELECT account_id, day, key_id, endpoint, status, requests, credits FROM usage_day
      UNION ALL SELECT account_id, (at AT TIME ZONE 'UTC')::date, key_id, endpoint, status, 1, credits FROM request_log WHERE tx >= ${usage}) u
    GROUP BY account_id, day, key_id, endpoint, status ORDER BY account_id, day, key_id, endpoint, status) added`,
})

/**
 * Columns whose values mean something only in the database that they are in, and what they are written as instead.
 *
 * Numbers of transactions count for one server: elsewhere a row of the log would lie ahead of everything, or be counted twice. Only which of the two readers
 * of the log have seen a row matters, so it is written as 0 (both), 1 (one of them) or 2 (neither), numbers that no transaction has. Versions are what running
 * processes compare their facts with; a restore sets them anew.
 */
export function writtenAs({ usage, alerts }: Places): Readonly<Record<string, string>> {
  const [first, second] = usage <= alerts ? [usage, alerts] : [alerts, usage]
  return {
    'request_log.tx': `((tx >= ${first})::int + (tx >= ${second})::int)`,
    'usage_progress.next_tx': usage <= alerts ? '1' : '2',
    'alert_progress.next_tx': usage <= alerts ? '2' : '1',
    'service_state.version': '1',
    'service_state.market_version': '1',
    // A restore elsewhere is a copy: production marks it when it starts there, and until then it may be tried out in development.
    'service_state.serves_production': 'false',
  }
}
