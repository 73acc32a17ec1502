/** Progress of the usage roll-up and the balance alerts through the request log, as transaction ids. */
export type Places = { readonly usage: bigint; readonly alerts: bigint }

/** Tables whose rows are excluded, with the reason. A restore must not reactivate anything that has ended since the backup. */
export const leftOut: Readonly<Record<string, string>> = {
  portal_session: 'Sessions: users who signed out after the backup would be signed in again. Everyone has to sign in again.',
  view_as: 'View-as sessions, which belong to sessions.',
  email_token: 'Email links: links used after the backup would work again. Users have to request new ones.',
}

/** Tables that a backup without the request log excludes as well. The charges in the log are kept: they are added to those of previously dropped days. */
export const leftOutWithLog: Readonly<Record<string, string>> = {
  request_log: 'Excluded on request. Charges are in dropped_charge, usage in usage_day.',
  request_detail: 'Excluded on request: stored details of single requests.',
}

/** Queries that replace two tables in a backup without the request log, so that the ledger balances and every request is still counted once. */
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
 * Columns whose values are only meaningful in their own database, and the expressions written instead.
 *
 * Transaction ids aren't portable: on another server, a log row could seem to be in the future or be counted twice. All that matters is how many of the two log
 * readers (usage roll-up and balance alerts) have yet to process a row, so that number is written instead. It is 0, 1 or 2, which are never real transaction
 * ids. Versions invalidate the caches of running processes; a restore sets new ones.
 */
export function writtenAs({ usage, alerts }: Places): Readonly<Record<string, string>> {
  const [first, second] = usage <= alerts ? [usage, alerts] : [alerts, usage]
  return {
    'request_log.tx': `((tx >= ${first})::int + (tx >= ${second})::int)`,
    'usage_progress.next_tx': usage <= alerts ? '1' : '2',
    'alert_progress.next_tx': usage <= alerts ? '2' : '1',
    'service_state.version': '1',
    'service_state.market_version': '1',
    // A restored database is a copy. It is marked when production starts on it; until then it may be used for development.
    'service_state.serves_production': 'false',
  }
}
