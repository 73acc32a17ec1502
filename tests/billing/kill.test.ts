import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import type { TestAccount } from '../support/accounts.ts'
import { activityView } from '../support/citus.ts'
import type { Task } from './kill-process.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { getEvent, newId, type Session, type StripeEvent } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const program = fileURLToPath(new URL('kill-process.ts', import.meta.url))

type End = { readonly signal: string | null; readonly steps: number }

/** Runs a task in a separate process until it exits or is killed. */
function run(task: Partial<Task>): Promise<End> {
  const given = { databaseUrl: fixture.url, stripeBase: fixture.stripe.base, dieBefore: 0, events: [], ...task }
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code !== null && code !== 0) reject(new Error(`The process exited with code ${code}:\n${stderr}`))
      else resolve({ signal, steps: Number(stdout) })
    })
  })
}

const getSessions = ({ publicId }: TestAccount): Session[] => [...fixture.stripe.sessions.values()].filter(({ metadata }) => metadata['account'] === publicId)

const getPurchase = (account: TestAccount) => ({ what: 'start' as const, accountId: account.id, key: newId('key'), amountPence: 2_000 })

/** Asserts the invariants of a top-up, which must hold after any interruption. */
async function expectOneCredit(account: TestAccount, at: string): Promise<void> {
  expect(await fixture.moves(account), at).toEqual([['top_up', 200]])
  expect(await fixture.balance(account), at).toBe(200)
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
  expect(getSessions(account), at).toHaveLength(1)
  expect(
    [...fixture.stripe.customers.values()].filter(({ email }) => email === account.email),
    at,
  ).toHaveLength(1)
  const { rows } = await fixture.pool.query('SELECT state FROM top_up WHERE account_id = $1', [account.id])
  expect(rows, at).toEqual([{ state: 'paid' }])
}

/** Pays a checkout session and returns its two events, which report the same payment. */
function getEvents(session: Session): StripeEvent[] {
  const { payment } = fixture.stripe.pay(session.id)
  return [getEvent('payment_intent.succeeded', payment), getEvent('checkout.session.completed', session)]
}

/** Runs `work` for each number from 1 to `last`, two at a time, because starting a process takes longer than its task. */
async function forEach(last: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1
  const worker = async () => {
    while (next <= last) await work(next++)
  }
  await Promise.all([worker(), worker()])
}

test('credits a top-up once, no matter which step the process starting it is killed before', async () => {
  const whole = await run(getPurchase(await fixture.account()))
  // Steps: BEGIN, lock and read the buyer with the owner (four steps), close overdue top-ups, read the billing details, find the top-up by key, find open
  // top-ups, INSERT, COMMIT; find replaced checkouts; create, store, check and read the customer; remove its details (two requests); create the checkout;
  // BEGIN, lock the account, store the checkout, read it and the billing details, COMMIT; exit.
  expect(whole.steps).toBe(26)
  await forEach(whole.steps, async (dieBefore) => {
    const account = await fixture.account()
    const purchase = getPurchase(account)
    expect((await run({ ...purchase, dieBefore })).signal, `step ${dieBefore}`).toBe('SIGKILL')
    // The user submits the same page again, with the same key, to another process.
    const again = await startTopUp(fixture.deps(), account.id, { key: purchase.key, amountPence: purchase.amountPence, savesCard: false })
    const [session] = getSessions(account)
    if (!session) throw new Error(`No checkout was opened after a kill before step ${dieBefore}.`)
    expect(again.url).toBe(session.url)
    for (const event of getEvents(session)) await fixture.send(event)
    await expectOneCredit(account, `killed before step ${dieBefore} of ${whole.steps}`)
  })
}, 300_000)

test('credits a top-up once, no matter which step the process handling its events is killed before', async () => {
  const first = await fixture.start(await fixture.account())
  const whole = await run({ what: 'events', events: getEvents(first.session) })
  // Steps: the statements of two transactions, one for each event, and the exit.
  expect(whole.steps).toBe(26)
  await forEach(whole.steps, async (dieBefore) => {
    const { account, session } = await fixture.start(await fixture.account())
    const events = getEvents(session)
    expect((await run({ what: 'events', events, dieBefore })).signal, `step ${dieBefore}`).toBe('SIGKILL')
    for (const event of [...events, ...events.toReversed()]) await fixture.send(event)
    await expectOneCredit(account, `killed before step ${dieBefore} of ${whole.steps}`)
  })
}, 300_000)

const running = new AbortController().signal

/** Creates an account with 50 credits and a saved card. Automatic top-ups add 100 credits when the balance is below 100. */
async function saver(): Promise<TestAccount> {
  const account = await fixture.account()
  await fixture.topUp(account, 500, { savesCard: true })
  await readSavedCards(fixture.deps(), running)
  await getPortal(fixture.deps(), account).billing.setAutoTopUp({ isOn: true, thresholdCredits: 100, amountPence: 1_000, ceilingPence: 2_500 })
  return account
}

const getPayments = ({ publicId }: TestAccount) =>
  [...fixture.stripe.payments.values()].filter(({ metadata, amount }) => metadata['account'] === publicId && amount === 1_000)

/**
 * Simulates recovery after a crash. Minutes later, the service queries Stripe for unresolved payments. `isDeliveredFirst` is true if Stripe delivers the events
 * of completed payments before this query; otherwise they arrive after it.
 */
async function recover(account: TestAccount, isDeliveredFirst: boolean): Promise<void> {
  const deliver = async () => {
    for (const payment of getPayments(account)) await fixture.send(getEvent('payment_intent.succeeded', payment))
  }
  if (isDeliveredFirst) await deliver()
  await fixture.pool.query("UPDATE top_up SET created_at = created_at - interval '3 minutes' WHERE account_id = $1 AND state = 'open'", [account.id])
  for (let time = 0; time < 2; time++) {
    await resolveAutoTopUps(fixture.deps(), running)
    await beginAutoTopUps(fixture.deps(), running)
    await deliver()
  }
}

// Only one kill at a time, because each process charges every account that needs a top-up.
test('charges and credits an automatic top-up once, no matter which step the process is killed before', async () => {
  const lived = await saver()
  const whole = await run({ what: 'auto' })
  expect(await fixture.balance(lived)).toBe(150)
  // Steps: find accounts below their threshold, begin the top-up, read the card, create the payment (step 17), apply it, exit.
  expect(whole.steps).toBe(32)
  for (let dieBefore = 1; dieBefore <= whole.steps; dieBefore++) {
    // Stripe sends an event only if the payment was completed.
    for (const isDeliveredFirst of dieBefore > 17 ? [true, false] : [false]) {
      const account = await saver()
      const at = `killed before step ${dieBefore} of ${whole.steps}, ${isDeliveredFirst ? 'event' : 'query'} first`
      expect((await run({ what: 'auto', dieBefore })).signal, at).toBe('SIGKILL')
      await recover(account, isDeliveredFirst)
      expect(await fixture.moves(account), at).toEqual([
        ['top_up', 50],
        ['top_up', 100],
      ])
      expect([await fixture.balance(account), getPayments(account).length], at).toEqual([150, 1])
      const { rows } = await fixture.pool.query("SELECT state FROM top_up WHERE account_id = $1 AND origin = 'auto'", [account.id])
      expect(rows, at).toEqual([{ state: 'paid' }])
    }
  }
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
}, 300_000)

test('changes nothing if killed while an event is applied, and credits once on redelivery', async () => {
  const { account, session } = await fixture.start(await fixture.account())
  const events = getEvents(session)
  const holder = await fixture.pool.connect()
  try {
    // The transaction has inserted the event and waits for the lock on the wallet.
    await holder.query('BEGIN')
    await holder.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [account.id])
    const task = { databaseUrl: fixture.url, stripeBase: fixture.stripe.base, dieBefore: 0, what: 'events', events }
    const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'ignore' })
    // Counts only sessions of this database, because other test files use the same server.
    const waiters = `${activityView()} WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'lock_wallets|wallet_[0-9]'`
    await expect.poll(async () => (await fixture.pool.query(`SELECT FROM ${waiters}`)).rowCount, { timeout: 15_000 }).toBe(1)
    child.kill('SIGKILL')
    await holder.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT lock_wallets%'",
    )
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  expect(await fixture.moves(account)).toEqual([])
  expect((await fixture.pool.query('SELECT FROM stripe_event WHERE id = ANY ($1)', [events.map(({ id }) => id)])).rowCount).toBe(0)
  for (const event of events) await fixture.send(event)
  await expectOneCredit(account, 'killed within the transaction')
}, 60_000)
