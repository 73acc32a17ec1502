import type { BillingDeps } from './billing-deps.ts'
import { type CheckName, claimCheck, finishCheck, notifyFailure, rescheduleCheck } from './checks.store.ts'
import { verifyLedger } from './ledger.ts'
import { insertAdminNotice } from './notices.store.ts'
import { reconcile } from './reconciliation.ts'

const everySeconds = 86_400
const retrySeconds = 3_600
const reconciledDays = 35
const maxLogged = 20

/** Runs a check once a day, in whichever process claims it first. If it fails, notifies the administrators and retries in an hour. */
async function daily({ pool }: BillingDeps, name: CheckName, check: () => Promise<number>): Promise<void> {
  if (!(await claimCheck(pool, name, everySeconds))) return
  try {
    await finishCheck(pool, name, await check())
  } catch (error) {
    await rescheduleCheck(pool, name, everySeconds, retrySeconds)
    await notifyFailure(pool, name)
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
      'The ledger does not add up. Run "svc ledger verify" and see docs/operations.md.',
    )
    await insertAdminNotice(deps.pool, 'ledger.differs', { accounts, differences: differences.length })
    return differences.length
  })

/** Compares the ledger with Stripe once a day, unless payments are simulated or unavailable. */
export async function reconcileDaily(deps: BillingDeps): Promise<void> {
  if (deps.payments === null || deps.payments.mode === 'simulated') return
  await daily(deps, 'reconciliation', async () => {
    const { differences } = await reconcile(deps, reconciledDays)
    if (differences.length === 0) return 0
    deps.log.error({ differences: differences.slice(0, maxLogged) }, 'Stripe and the ledger differ. Run "svc billing reconcile" and see docs/operations.md.')
    await insertAdminNotice(deps.pool, 'reconciliation.differs', { differences: differences.length })
    return differences.length
  })
}
