/** Checks that the injected failures had an effect, and finds the charges that were never reported to a client. */
import type { Database } from '#server/db/prisma.ts'
import type { Cast } from './cast.ts'
import type { RecordedAnswer } from './crowd.ts'
import type { Members } from './members.ts'

/** Returns the logged charges that were neither reported in a response nor reversed. */
export async function findUnreportedCharges(pool: Database, { accounts }: Cast, answers: readonly RecordedAnswer[]): Promise<string[]> {
  const seen = new Set(answers.map(({ id }) => id))
  const { rows } = await pool.query<{ id: string }>(
    `SELECT replace(l.id::text, '-', '') AS id FROM request_log l WHERE l.account_id = ANY ($1) AND l.credits > 0
       AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = l.account_id AND e.kind = 'reversal' AND e.reference = l.id::text)`,
    [accounts.map(({ account }) => account.id)],
  )
  return rows.map(({ id }) => id).filter((id) => !seen.has(id))
}

/** Counts the occurrences of a string, which appears at most once per log line. */
const linesWith = (logs: string, text: string): number => logs.split(text).length - 1

export function countEffects({ all }: Members): Record<string, number> {
  const logs = all.map((member) => member.log()).join('\n')
  const lost = [...logs.matchAll(/"lines":(\d+),"msg":"Log lines could not be written/g)].reduce((sum, [, lines]) => sum + Number(lines), 0)
  return {
    'log lines lost to the full disk': lost,
    'statements that failed on the full disk (SQLSTATE 53100)': linesWith(logs, '"code":"53100"'),
    'batches lost in flight and reconciled': linesWith(logs, 'Lost a batch in flight'),
  }
}
