import { clock } from '#server/clock.ts'
import type { BillingDeps } from './billing-deps.ts'
import type { LineKind } from './ledger-lines.ts'
import { getCurrentMonth, monthsBetween, parseMonth } from './months.ts'
import { type PaidRow, readDays, readFirstMonth, readPaid, readSums } from './statements.store.ts'

export type StatementPayment = {
  readonly topUp: string
  readonly paidAt: string
  readonly isAutomatic: boolean
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
  readonly vatPercent: number | null
}

/** Monthly statement: `openingCredits` plus all `totals` is `closingCredits`. Amounts are in pence, days in UTC. */
export type Statement = {
  readonly month: string
  /** True if the month is over; otherwise the statement is complete up to `asOf`. */
  readonly isComplete: boolean
  readonly asOf: string
  readonly openingCredits: number
  readonly closingCredits: number
  readonly totals: readonly { readonly kind: LineKind; readonly credits: number }[]
  /** Charges by day; the current day lags by a few seconds. */
  readonly days: readonly { readonly day: string; readonly credits: number; readonly requests: number }[]
  readonly payments: readonly StatementPayment[]
}

const maxPayments = 1_000

const paymentFromDb = (row: PaidRow): StatementPayment => ({
  topUp: row.public_id,
  paidAt: row.paid_at.toISOString(),
  isAutomatic: row.origin === 'auto',
  credits: Number(row.credits),
  netPence: Number(row.amount_pence) - Number(row.vat_pence),
  vatPence: Number(row.vat_pence),
  grossPence: Number(row.amount_pence),
  vatPercent: row.vat_basis_points === null ? null : row.vat_basis_points / 100,
})

/** Returns the statement of a UTC month, such as `2026-11`. @throws BillingError if there is no such month */
export async function getStatement({ pool }: BillingDeps, accountId: number, name: string): Promise<Statement> {
  const { first, next } = parseMonth(name)
  const asOf = clock.now()
  const [sums, days, payments] = await Promise.all([
    readSums(pool, accountId, first, next),
    readDays(pool, accountId, first, next),
    readPaid(pool, accountId, first, next, maxPayments),
  ])
  const openingCredits = sums.reduce((sum, row) => sum + Number(row.before), 0)
  const totals = sums.filter((row) => row.has_moved).map((row) => ({ kind: row.kind as LineKind, credits: Number(row.within) }))
  return {
    month: name,
    isComplete: Date.parse(next) <= asOf,
    asOf: new Date(asOf).toISOString(),
    openingCredits,
    closingCredits: totals.reduce((sum, row) => sum + row.credits, openingCredits),
    totals,
    days: days.map((row) => ({ day: row.day, credits: Number(row.credits), requests: Number(row.requests) })),
    payments: payments.map(paymentFromDb),
  }
}

/** Returns the months for which the account has a statement, newest first. */
export async function listStatementMonths({ pool }: BillingDeps, accountId: number): Promise<string[]> {
  const first = await readFirstMonth(pool, accountId)
  return first === null ? [] : monthsBetween(first, getCurrentMonth())
}
