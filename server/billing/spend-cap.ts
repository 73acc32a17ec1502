import type { Pool } from 'pg'
import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { nextMonthsFirst } from '#server/api/contract/months.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingRoom } from './billing-room.ts'
import { readCap, writeCap } from './spend-cap.store.ts'

/** What the live keys of an account may spend together in a UTC month. */
export type SpendCap = {
  /** Null: no cap. */
  readonly capCredits: number | null
  /** Charged this month, less what was given back. */
  readonly spentCredits: number
  /** When the count begins anew, such as `1 December 2026`. */
  readonly renewsOn: string
}

export async function spendCapOf({ pool }: Pick<BillingRoom, 'pool'>, accountId: number): Promise<SpendCap> {
  const row = await readCap(pool, accountId)
  const cap = row?.month_cap ?? null
  return { capCredits: cap === null ? null : Number(cap), spentCredits: Number(row?.month_spent ?? 0), renewsOn: nextMonthsFirst(clock.now()) }
}

const highestCap = 100_000_000

type Asker = Actor

/**
 * Sets what an account may spend in a month, null for no cap. It applies from the next call on. `beforeRaise` is called before a cap is raised or removed
 * and may throw. @throws FieldsError when the cap cannot be used
 */
export async function setCap(
  { pool }: { readonly pool: Pool },
  accountId: number,
  capCredits: number | null,
  asker: Asker,
  beforeRaise: () => void = () => undefined,
): Promise<void> {
  const isUsable = capCredits === null || (Number.isSafeInteger(capCredits) && capCredits >= 0 && capCredits <= highestCap)
  refuseFaults({ cap: isUsable ? null : `Cap must be a whole number of credits from 0 to ${highestCap.toLocaleString('en-GB')}, or empty.` })
  await inTransaction(pool, async (client) => {
    const before = await writeCap(client, accountId, capCredits)
    if (before !== null && (capCredits === null || capCredits > Number(before))) beforeRaise()
    const change = { before: { capCredits: before === null ? null : Number(before) }, after: { capCredits } }
    await writeAudit(client, { accountId, action: 'cap.change', ...change, ...asker })
  })
}
