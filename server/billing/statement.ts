import { csvLine } from '#server/api/contract/csv.ts'
import { isoDay, isoMonth, monthBefore } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { type BillingDeps, BillingError } from './billing-deps.ts'
import { readSums } from './ledger.sql.ts'
import { type Endpoints, type LedgerLine, type LineKind, streamLines, toLedgerLine } from './ledger-lines.ts'
import { toTopUp } from './top-ups.ts'

/** UTC calendar month, such as `2026-11`, with its first day and the first day of the next month. */
type Month = { readonly name: string; readonly first: string; readonly next: string }

const form = /^(20\d\d)-(0[1-9]|1[0-2])$/

/** @throws BillingError if the month is malformed or in the future */
function parseMonth(name: string): Month {
  const [, year, month] = form.exec(name) ?? []
  if (year === undefined || month === undefined) throw new BillingError('A month must be in the form 2026-11.')
  const next = isoDay(Date.UTC(Number(year), Number(month), 1))
  const first = `${name}-01`
  if (Date.parse(first) > clock.now()) throw new BillingError('The month must not be in the future.')
  return { name, first, next }
}

const getCurrentMonth = (): string => isoMonth(clock.now())

/** Returns the months of a range (inclusive), newest first. */
function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let name = last; name >= first; name = monthBefore(name)) months.push(name)
  return months
}

const maxPayments = 1_000

/** Returns the top-ups paid in a month, oldest first. */
async function listPayments(db: Database, accountId: number, { first, next }: Month) {
  const where = { accountId, paidAt: { gte: new Date(first), lt: new Date(next) } }
  const rows = await db.topUp.findMany({ where, orderBy: { paidAt: 'asc' }, take: maxPayments })
  return rows.map(toTopUp).map(({ id: topUp, paidAt, isAutomatic, credits, netPence, vatPence, grossPence, vatPercent }) => {
    return { topUp, paidAt: paidAt ?? '', isAutomatic, credits, netPence, vatPence, grossPence, vatPercent }
  })
}

/** Returns the charges of a month by UTC day. Charges not yet added to the daily sums are left out, so the current day lags by a few seconds. */
async function listChargedDays(db: Database, accountId: number, { first, next }: Month) {
  const days = await db.usageDay.groupBy({
    by: ['day'],
    where: { accountId, day: { gte: new Date(first), lt: new Date(next) }, credits: { gt: 0 } },
    _sum: { credits: true, requests: true },
    orderBy: { day: 'asc' },
    take: 31,
  })
  return days.map(({ day, _sum }) => ({ day: isoDay(day), credits: Number(_sum.credits), requests: Number(_sum.requests) }))
}

/**
 * Returns the statement of a UTC month, such as `2026-11`. `openingCredits` plus all `totals` is `closingCredits`. @throws BillingError if there is no such
 * month
 */
export async function getStatement({ pool: db }: BillingDeps, accountId: number, name: string) {
  const month = parseMonth(name)
  const asOf = clock.now()
  const [sums, days, payments] = await Promise.all([
    readSums(db, accountId, month.first, month.next),
    listChargedDays(db, accountId, month),
    listPayments(db, accountId, month),
  ])
  const openingCredits = sums.reduce((sum, row) => sum + Number(row.before), 0)
  const totals = sums.filter((row) => row.hasMoved).map((row) => ({ kind: row.kind as LineKind, credits: Number(row.within) }))
  return {
    month: name,
    /** True if the month is over; otherwise the statement is complete up to `asOf`. */
    isComplete: Date.parse(month.next) <= asOf,
    asOf: new Date(asOf).toISOString(),
    openingCredits,
    closingCredits: totals.reduce((sum, row) => sum + row.credits, openingCredits),
    totals,
    days,
    payments,
  }
}

/** Returns the months for which the account has a statement, newest first. */
export async function listStatementMonths({ pool: db }: BillingDeps, accountId: number): Promise<string[]> {
  const first = await db.ledgerEntry.findFirst({ where: { accountId }, orderBy: [{ at: 'asc' }, { id: 'asc' }], select: { at: true } })
  return first ? monthsBetween(isoMonth(first.at), getCurrentMonth()) : []
}

export const exportFormats = ['csv', 'json'] as const

export type ExportFormat = (typeof exportFormats)[number]

const columns = [
  'at',
  'kind',
  'credits',
  'balanceCredits',
  'actor',
  'reason',
  'request',
  'topUp',
  'delivery',
  'endpoint',
  'key',
] as const satisfies readonly (keyof LedgerLine)[]

/** Rows per query and lines per chunk. */
const batchSize = 1_000

const csvRow = (line: LedgerLine): string => csvLine(columns.map((name) => line[name]))

const jsonLine = (line: LedgerLine, isFirst: boolean): string => `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`

type Asked = { readonly accountId: number; readonly month: string; readonly format: ExportFormat; readonly endpoints: Endpoints }

async function* streamMonth({ pool: db }: BillingDeps, { accountId, format, endpoints }: Asked, { first, next }: Month): AsyncGenerator<string> {
  const range = { from: String(Date.parse(first) * 1_000), to: String(Date.parse(next) * 1_000) }
  let chunk = format === 'csv' ? csvLine(columns) : '[\n'
  let lines = 0
  for await (const row of streamLines(db, accountId, { range, direction: 'oldest first', after: null, batchSize })) {
    const line = toLedgerLine(row, endpoints)
    chunk += format === 'csv' ? csvRow(line) : jsonLine(line, lines === 0)
    lines += 1
    if (lines % batchSize !== 0) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}${format === 'csv' ? '' : '\n]\n'}`
}

/**
 * Streams a month of the ledger, oldest first, in chunks of up to a thousand lines, so memory use doesn't depend on the number of lines. JSON output is a
 * single array. @throws BillingError immediately if there is no such month
 */
export const exportLedger = (deps: BillingDeps, asked: Asked): AsyncGenerator<string> => streamMonth(deps, asked, parseMonth(asked.month))
