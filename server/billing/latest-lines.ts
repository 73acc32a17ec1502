import { clock } from '#server/clock.ts'
import type { BillingDeps } from './billing-deps.ts'
import { listBalanceDays } from './billing-overview.ts'
import { type Endpoints, getLedgerPage, type LedgerLine, toLedgerLine } from './ledger-lines.ts'

/** Maximum number of lines to return, and of entries to read for them. */
const [maxLines, maxEntries] = [8, 50]

/** Ledger line: all charges of one day, or one entry. `isDay` is true for the charges. */
export type LatestLine = LedgerLine & { readonly isDay: boolean }

const charges = {
  kind: 'charge',
  actor: 'service',
  reason: '',
  request: null,
  topUp: null,
  delivery: null,
  endpoint: null,
  key: null,
} as const

/** Returns the entries since a UTC day, newest first, without the charges of webhooks, which count as charges of their day. */
async function readEntries({ pool: db }: Pick<BillingDeps, 'pool'>, accountId: number, since: string, endpoints: Endpoints): Promise<LedgerLine[]> {
  const where = { accountId, kind: { not: 'webhook' }, at: { gte: new Date(since) } }
  const rows = await db.ledgerEntry.findMany({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], take: maxEntries })
  return rows.map(({ id, at, credits, balanceAfter, ...row }) =>
    toLedgerLine(
      {
        ...row,
        id: String(id),
        rank: '0',
        at: String(at.getTime() * 1_000),
        credits: String(credits),
        balanceAfter: String(balanceAfter),
        endpoint: null,
        key: null,
      },
      endpoints,
    ),
  )
}

/**
 * Returns an account's latest ledger lines, newest first, with the charges of each UTC day in one line, above the entries of that day. Each balance is the
 * balance of the line below plus the line's own credits. If there was no movement in the last 30 days, returns the newest lines of the ledger.
 */
export async function listLatestLines(deps: BillingDeps, accountId: number, endpoints: Endpoints): Promise<LatestLine[]> {
  const days = await listBalanceDays(deps, accountId)
  const entries = await readEntries(deps, accountId, days[0]?.day ?? new Date(clock.now()).toISOString().slice(0, 10), endpoints)
  const lines = days.toReversed().flatMap(({ day, balanceCredits, movedCredits }): LatestLine[] => {
    const own = entries.filter(({ at }) => at.startsWith(day))
    const chargedCredits = movedCredits - own.reduce((sum, { credits }) => sum + credits, 0)
    let balance = balanceCredits
    const toLine = (line: LedgerLine, isDay: boolean): LatestLine => {
      const shown = { ...line, isDay, balanceCredits: balance }
      balance -= line.credits
      return shown
    }
    const charged = chargedCredits === 0 ? [] : [toLine({ ...charges, at: day, credits: chargedCredits, balanceCredits }, true)]
    return [...charged, ...own.map((line) => toLine(line, false))]
  })
  if (lines.length > 0) return lines.slice(0, maxLines)
  const { lines: older } = await getLedgerPage(deps, accountId, { cursor: null, request: null, limit: maxLines }, endpoints)
  return older.map((line) => ({ ...line, isDay: false }))
}
