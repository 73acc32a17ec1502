import { beforeEach, describe, expect, test } from 'vitest'
import { checkLedgerDaily, reconcileDaily } from '#server/billing/billing-checks.ts'
import { deliverNotices, type Notice } from '#server/billing/billing-notices.ts'
import { reconcile } from '#server/billing/reconcile-payments.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getEvent, newId, nowSeconds } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const running = new AbortController().signal

/** Makes every check due. */
beforeEach(() => fixture.pool.query("UPDATE billing_check SET started_at = '-infinity', done_at = NULL, faults = NULL").then(() => undefined))

const checks = async () => Object.fromEntries((await fixture.pool.query('SELECT name, faults FROM billing_check')).rows.map((row) => [row.name, row.faults]))
const adminNotices = async () =>
  (await fixture.pool.query('SELECT kind, data FROM billing_notice WHERE account_id IS NULL AND sent_at IS NULL ORDER BY id')).rows

async function forgetAdminNotices(): Promise<void> {
  await fixture.pool.query('DELETE FROM billing_notice WHERE account_id IS NULL')
}

/** Backdates all Stripe objects to at least an hour ago: reconciliation skips those younger than 15 minutes. */
function age(): void {
  const { payments, refunds, disputes } = fixture.stripe
  for (const made of [...payments.values(), ...refunds.values(), ...disputes.values()]) made.created = Math.min(made.created, nowSeconds() - 3_600)
}

const differences = async () => (await reconcile(fixture.deps(), 35)).differences

describe('the ledger check', () => {
  test('runs once a day in one process, and logs nothing if the ledger balances', async () => {
    await fixture.topUp(await fixture.account())
    fixture.log.length = 0
    await Promise.all(Array.from({ length: 5 }, () => checkLedgerDaily(fixture.deps())))
    expect(await checks()).toMatchObject({ ledger: 0 })
    expect([fixture.log, await adminNotices()]).toEqual([[], []])
    // The check runs only once a day, even if the ledger changes after it.
    const account = await fixture.account({ credits: 5 })
    await fixture.pool.query('UPDATE wallet SET balance = balance + 1 WHERE account_id = $1', [account.id])
    await checkLedgerDaily(fixture.deps())
    expect(fixture.log).toEqual([])
    await fixture.pool.query('UPDATE wallet SET balance = balance - 1 WHERE account_id = $1', [account.id])
  })

  test('logs an imbalance, and notifies administrators but nobody else', async () => {
    const account = await fixture.account({ credits: 5 })
    const admin = await fixture.account({ credits: 0 })
    await fixture.pool.query("UPDATE account SET role = 'admin' WHERE id = $1", [admin.id])
    await fixture.pool.query('UPDATE wallet SET balance = balance + 1 WHERE account_id = $1', [account.id])
    await checkLedgerDaily(fixture.deps())
    await fixture.pool.query('UPDATE wallet SET balance = balance - 1 WHERE account_id = $1', [account.id])
    expect(fixture.log).toMatchObject([
      {
        level: 50,
        differences: [{ account: account.publicId, balance: 6, sum: 5 }],
        msg: expect.stringMatching(/^Account balances do not match the ledger\./),
      },
    ])
    expect(await checks()).toMatchObject({ ledger: 1 })
    expect(await adminNotices()).toEqual([{ kind: 'ledger.differs', data: { accounts: expect.any(Number), differences: 1 } }])
    const sent: Notice[] = []
    await deliverNotices(fixture.deps(), async (_client, notice) => void sent.push(notice), running)
    expect(sent.filter(({ notice }) => notice === 'ledger.differs')).toMatchObject([{ account: null, recipients: [admin.email] }])
  })

  test('runs again even if a fast clock gave the last check a future date', async () => {
    await fixture.pool.query("UPDATE billing_check SET started_at = now() + interval '3 days', failure_notified_at = now() + interval '3 days'")
    await Promise.all(Array.from({ length: 5 }, () => checkLedgerDaily(fixture.deps())))
    const { rows } = await fixture.pool.query("SELECT done_at IS NOT NULL AS done, started_at <= now() AS now FROM billing_check WHERE name = 'ledger'")
    expect(rows).toEqual([{ done: true, now: true }])
  })

  test('retries an hour after a failed check, and notifies administrators once a day', async () => {
    await forgetAdminNotices()
    await fixture.pool.query('ALTER TABLE ledger_entry RENAME TO ledger_entry_gone')
    for (let hour = 0; hour < 3; hour++) {
      await expect(checkLedgerDaily(fixture.deps())).rejects.toThrow('ledger_entry')
      await fixture.pool.query("UPDATE billing_check SET started_at = started_at - interval '1 hour' WHERE name = 'ledger'")
    }
    await expect(checkLedgerDaily(fixture.deps())).rejects.toThrow('ledger_entry')
    await fixture.pool.query('ALTER TABLE ledger_entry_gone RENAME TO ledger_entry')
    // If administrators weren't notified, they could mistake a failed check for a balanced ledger.
    expect(await adminNotices()).toEqual([{ kind: 'check.failed', data: { check: 'ledger' } }])
    await forgetAdminNotices()
    await checkLedgerDaily(fixture.deps())
    expect(await checks()).toMatchObject({ ledger: null })
    await fixture.pool.query("UPDATE billing_check SET started_at = started_at - interval '1 hour' WHERE name = 'ledger'")
    await checkLedgerDaily(fixture.deps())
    expect(await checks()).toMatchObject({ ledger: 0 })
  })
})

describe('reconciliation with Stripe', () => {
  test('finds no differences in several pages of payments with refunds, disputes and expired checkouts', async () => {
    const account = await fixture.account()
    const others = fixture.stripe.payments.size
    for (let at = 0; at < 101; at++) await fixture.topUp(account, 500 + at * 10)
    await fixture.start(account)
    const { charge } = await fixture.topUp(account, 2_500)
    await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 700)))
    await fixture.send(getEvent('charge.dispute.created', fixture.stripe.dispute(charge, 300)))
    age()
    const { compared, differences: found } = await reconcile(fixture.deps(), 35)
    expect(found).toEqual([])
    expect(compared).toBe(others + 104)
    await reconcileDaily(fixture.deps())
    expect([await checks(), await adminNotices()]).toEqual([{ ledger: null, reconciliation: 0 }, []])
  }, 60_000)

  test('reports every kind of difference, and notifies the administrators once a day', async () => {
    await forgetAdminNotices()
    const account = await fixture.account()
    const unheard = await fixture.start(account, 600)
    const { payment: uncredited } = fixture.stripe.pay(unheard.session.id)
    const refunded = await fixture.topUp(account, 700)
    fixture.stripe.refund(refunded.charge, 50)
    const disputed = await fixture.topUp(account, 800)
    const dispute = fixture.stripe.dispute(disputed.charge)
    const gone = await fixture.topUp(account, 900)
    fixture.stripe.payments.delete(gone.payment.id)
    const changed = await fixture.topUp(account, 1_000)
    changed.payment.amount_received = 999
    const unpaid = await fixture.topUp(account, 1_100)
    unpaid.payment.status = 'requires_payment_method'
    const twice = await fixture.topUp(account, 1_200)
    const second = { ...twice.payment, id: newId('pi') }
    fixture.stripe.payments.set(second.id, second)
    const foreign = { ...twice.payment, id: newId('pi'), metadata: { top_up: 'top_of_nobody' } }
    fixture.stripe.payments.set(foreign.id, foreign)
    const others = { ...twice.payment, id: newId('pi'), metadata: {} }
    fixture.stripe.payments.set(others.id, others)
    // Recent payments may still be in progress and are skipped; older ones are compared.
    expect(await differences()).toEqual([])
    age()
    await fixture.pool.query("UPDATE top_up SET paid_at = paid_at - interval '1 hour' WHERE account_id = $1", [account.id])
    const expected = [
      [uncredited.id, 'paid at Stripe, not credited here'],
      [refunded.payment.id, '50 pence refunded at Stripe, 0 here'],
      [changed.payment.id, '999 pence at Stripe, 1000 here'],
      [unpaid.payment.id, 'credited here, not paid at Stripe'],
      [second.id, `paid for ${twice.topUp}, already paid by ${twice.payment.id}`],
      [foreign.id, 'paid for the top-up top_of_nobody, which is unknown here'],
      [dispute.id, 'needs_response at Stripe, unknown here'],
      [gone.payment.id, `credited for ${gone.topUp}, not listed by Stripe`],
    ]
    const found = (await differences()).map(({ subject, problem }) => [subject, problem])
    expect(found.toSorted()).toEqual(expected.toSorted())
    const before = await fixture.entries(account)
    for (let time = 0; time < 2; time++) await reconcileDaily(fixture.deps())
    expect(fixture.log.filter(({ level }) => level === 50)).toMatchObject([{ msg: expect.stringMatching(/^Stripe and the ledger differ\./) }])
    expect(await adminNotices()).toEqual([{ kind: 'reconciliation.differs', data: { differences: expected.length } }])
    // Reconciliation changes nothing.
    expect(await fixture.entries(account)).toEqual(before)
  })

  test('reports a refund even if its payment is too old to be listed', async () => {
    const known = new Set((await differences()).map(({ subject }) => subject))
    const account = await fixture.account()
    const [older, failed] = [await fixture.topUp(account, 1_300), await fixture.topUp(account, 1_400)]
    for (const { payment } of [older, failed]) payment.created = nowSeconds() - 40 * 86_400
    await fixture.pool.query("UPDATE top_up SET created_at = created_at - interval '40 days', paid_at = paid_at - interval '40 days' WHERE account_id = $1", [
      account.id,
    ])
    fixture.stripe.refund(older.charge, 500)
    const back = fixture.stripe.getRefund(fixture.stripe.refund(failed.charge, 300))
    await fixture.send(getEvent('refund.created', back))
    fixture.stripe.failRefund(back)
    const found = async () => (await differences()).filter(({ subject }) => !known.has(subject))
    // The event for a recent refund may still be in transit, however old the payment is.
    expect(await found()).toEqual([])
    age()
    expect(await found()).toEqual([
      { subject: back.id, problem: 'failed, 300 pence at Stripe; succeeded, 300 pence here' },
      { subject: older.payment.id, problem: '500 pence refunded at Stripe, 0 here' },
    ])
    await fixture.send(getEvent('charge.refunded', older.charge))
    await fixture.send(getEvent('refund.failed', back))
    expect(await found()).toEqual([])
  })

  test('skips the comparison if payments are simulated', async () => {
    const deps = fixture.deps({ stripeKey: null, developmentFeatures: true })
    await reconcileDaily(deps)
    expect(await checks()).toMatchObject({ reconciliation: null })
    await expect(reconcile(deps, 35)).rejects.toThrow('Payments are simulated: there is nothing to compare with.')
  })
})
