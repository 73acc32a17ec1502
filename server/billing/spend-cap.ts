import type { Pool } from 'pg'
import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { nextMonthsFirst } from '#server/api/contract/months.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { readCap, writeCap } from './spend-cap.store.ts'

/** Spend cap on all live keys of an account per UTC month. */
export type SpendCap = {
  /** Null for no cap. */
  readonly capCredits: number | null
  /** Charged this month, minus reversals. */
  readonly spentCredits: number
  /** Date of the next reset, such as `1 December 2026`. */
  readonly renewsOn: string
}

export async function getSpendCap({ pool }: Pick<BillingDeps, 'pool'>, accountId: number): Promise<SpendCap> {
  const row = await readCap(pool, accountId)
  const cap = row?.month_cap ?? null
  return { capCredits: cap === null ? null : Number(cap), spentCredits: Number(row?.month_spent ?? 0), renewsOn: nextMonthsFirst(clock.now()) }
}

const maxCapCredits = 100_000_000

type Asker = Actor

/**
 * Sets the monthly spend cap of an account; null removes it. Applies from the next call on. `beforeRaise` is called before a cap is raised or removed
 * and may throw. @throws FieldsError if the cap is invalid
 */
export async function setCap(
  { pool }: { readonly pool: Pool },
  accountId: number,
  capCredits: number | null,
  asker: Asker,
  beforeRaise: () => void = () => undefined,
): Promise<void> {
  const isValid = capCredits === null || (Number.isSafeInteger(capCredits) && capCredits >= 0 && capCredits <= maxCapCredits)
  refuseFaults({ cap: isValid ? null : `Cap must be a whole number of credits from 0 to ${maxCapCredits.toLocaleString('en-GB')}, or empty.` })
  await inTransaction(pool, async (client) => {
    const before = await writeCap(client, accountId, capCredits)
    if (before !== null && (capCredits === null || capCredits > Number(before))) beforeRaise()
    const change = { before: { capCredits: before === null ? null : Number(before) }, after: { capCredits } }
    await writeAudit(client, { accountId, action: 'cap.change', ...change, ...asker })
  })
}
