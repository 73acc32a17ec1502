import type { BillingRoom } from './billing-room.ts'
import { type CheckName, claimCheck, finishCheck, notifyFailure, rescheduleCheck } from './checks.store.ts'
import { verifyLedger } from './ledger.ts'
import { insertAdminNotice } from './notices.store.ts'
import { reconcile } from './reconciliation.ts'

const everySeconds = 86_400
const retrySeconds = 3_600
const reconciledDays = 35
const maxLogged = 20

/** Runs a check once a day, in whichever process claims it first. If it fails, notifies the administrators and retries in an hour. */
async function daily({ pool }: BillingRoom, name: CheckName, check: () => Promise<number>): Promise<void> {
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
export const checkLedgerDaily = (room: BillingRoom): Promise<void> =>
  daily(room, 'ledger', async () => {
    const { accounts, differences } = await verifyLedger(room.pool)
    if (differences.length === 0) return 0
    room.log.error(
      { accounts, differences: differences.slice(0, maxLogged) },
      'The ledger does not add up. Run "svc ledger verify" and see docs/operations.md.',
    )
    await insertAdminNotice(room.pool, 'ledger.differs', { accounts, differences: differences.length })
    return differences.length
  })

/** Compares the ledger with Stripe once a day, unless payments are simulated or unavailable. */
export async function reconcileDaily(room: BillingRoom): Promise<void> {
  if (room.payments === null || room.payments.mode === 'simulated') return
  await daily(room, 'reconciliation', async () => {
    const { differences } = await reconcile(room, reconciledDays)
    if (differences.length === 0) return 0
    room.log.error({ differences: differences.slice(0, maxLogged) }, 'Stripe and the ledger differ. Run "svc billing reconcile" and see docs/operations.md.')
    await insertAdminNotice(room.pool, 'reconciliation.differs', { differences: differences.length })
    return differences.length
  })
}
