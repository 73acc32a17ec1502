import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { BillingDeps } from './billing-deps.ts'
import { addNotice } from './billing-notices.ts'
import { verifyLedger } from './ledger.ts'
import { reconcile } from './reconcile-payments.ts'

type CheckName = 'ledger' | 'reconciliation'

const retryMs = 3_600_000
/** Maximum clock skew between processes. A time further in the future was written by a process whose clock was ahead, and is ignored. */
const toleranceMs = 60_000
const reconciledDays = 35
const maxLogged = 20

/** Claims a check that last started more than a day ago. Returns false if it is not due or another process claimed it. */
async function claimCheck(db: Database, name: CheckName): Promise<boolean> {
  const now = clock.now()
  const isDue = [{ startedAt: { lt: new Date(now - dayMs) } }, { startedAt: { gt: new Date(now + toleranceMs) } }]
  return (await db.billingCheck.updateMany({ where: { name, OR: isDue }, data: { startedAt: new Date(now) } })).count === 1
}

/** Makes a failed check due again in an hour, and notifies the administrators that it can't run, at most once a day. */
async function postponeCheck(db: Database, name: CheckName): Promise<void> {
  const now = clock.now()
  const isDue = [{ failureNotifiedAt: null }, { failureNotifiedAt: { lt: new Date(now - dayMs) } }, { failureNotifiedAt: { gt: new Date(now + toleranceMs) } }]
  await inTransaction(db, async (tx) => {
    await tx.billingCheck.updateMany({ where: { name }, data: { startedAt: new Date(now - dayMs + retryMs) } })
    const { count } = await tx.billingCheck.updateMany({ where: { name, OR: isDue }, data: { failureNotifiedAt: new Date(now) } })
    if (count > 0) await addNotice(tx, null, 'check.failed', { check: name })
  })
}

/** Runs a check once a day, in the process that claims it first. `check` returns the number of differences. */
async function daily({ pool: db }: BillingDeps, name: CheckName, check: () => Promise<number>): Promise<void> {
  if (!(await claimCheck(db, name))) return
  try {
    const faults = await check()
    await db.billingCheck.updateMany({ where: { name }, data: { doneAt: new Date(clock.now()), faults, failureNotifiedAt: null } })
  } catch (error) {
    await postponeCheck(db, name)
    throw error
  }
}

/** Compares every balance with the sum of its entries, once a day. Logs differences and notifies the administrators. */
export const checkLedgerDaily = (deps: BillingDeps): Promise<void> =>
  daily(deps, 'ledger', async () => {
    const { accounts, differences } = await verifyLedger(deps.pool)
    if (differences.length === 0) return 0
    deps.log.error(
      { accounts, differences: differences.slice(0, maxLogged) },
      'Account balances do not match the ledger. Run "svc ledger verify" and see docs/operations.md.',
    )
    await addNotice(deps.pool, null, 'ledger.differs', { accounts, differences: differences.length })
    return differences.length
  })

/** Compares the ledger with Stripe once a day, unless payments are simulated or unavailable. */
export async function reconcileDaily(deps: BillingDeps): Promise<void> {
  if (deps.payments === null || deps.payments.mode === 'simulated') return
  await daily(deps, 'reconciliation', async () => {
    const { differences } = await reconcile(deps, reconciledDays)
    if (differences.length === 0) return 0
    deps.log.error({ differences: differences.slice(0, maxLogged) }, 'Stripe and the ledger differ. Run "svc billing reconcile" and see docs/operations.md.')
    await addNotice(deps.pool, null, 'reconciliation.differs', { differences: differences.length })
    return differences.length
  })
}

/** Result of a check: last run and number of differences; `failedAt` is set while the check can't run. */
export type LedgerCheck = { readonly name: string; readonly doneAt: Date | null; readonly faults: number | null; readonly failedAt: Date | null }

const maxChecks = 10

export async function getLedgerChecks(db: Database): Promise<readonly LedgerCheck[]> {
  const select = { name: true, doneAt: true, faults: true, failureNotifiedAt: true } as const
  const checks = await db.billingCheck.findMany({ orderBy: { name: 'asc' }, take: maxChecks, select })
  return checks.map(({ failureNotifiedAt: failedAt, ...check }) => ({ ...check, failedAt }))
}
