import type { BillingRoom } from './billing-room.ts'
import { type CheckName, finishCheck, repeatCheck, takeCheck, tellFailure } from './checks.store.ts'
import { verifyLedger } from './ledger.ts'
import { insertAdminNotice } from './notices.store.ts'
import { reconcile } from './reconciliation.ts'

const everySeconds = 86_400
const againSeconds = 3_600
const reconciledDays = 35
const shown = 20

/** Makes a check once a day, in whichever process is first, and again in an hour when it could not be made, which administrators are told. */
async function daily({ pool }: BillingRoom, name: CheckName, check: () => Promise<number>): Promise<void> {
  if (!(await takeCheck(pool, name, everySeconds))) return
  try {
    await finishCheck(pool, name, await check())
  } catch (error) {
    await repeatCheck(pool, name, everySeconds, againSeconds)
    await tellFailure(pool, name)
    throw error
  }
}

/** Compares every balance with the sum of its entries once a day. A difference is told in the log and to the administrators. */
export const checkLedgerDaily = (room: BillingRoom): Promise<void> =>
  daily(room, 'ledger', async () => {
    const { accounts, differences } = await verifyLedger(room.pool)
    if (differences.length === 0) return 0
    room.log.error({ accounts, differences: differences.slice(0, shown) }, 'The ledger does not add up. Run "svc ledger verify" and see docs/operations.md.')
    await insertAdminNotice(room.pool, 'ledger.differs', { accounts, differences: differences.length })
    return differences.length
  })

/** Compares the books with Stripe once a day, where there is a Stripe. */
export async function reconcileDaily(room: BillingRoom): Promise<void> {
  if (room.payments === null || room.payments.mode === 'simulated') return
  await daily(room, 'reconciliation', async () => {
    const { differences } = await reconcile(room, reconciledDays)
    if (differences.length === 0) return 0
    room.log.error({ differences: differences.slice(0, shown) }, 'Stripe and the books differ. Run "svc billing reconcile" and see docs/operations.md.')
    await insertAdminNotice(room.pool, 'reconciliation.differs', { differences: differences.length })
    return differences.length
  })
}
