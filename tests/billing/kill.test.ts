import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../server/billing/ledger.ts'
import { startTopUp } from '../../server/billing/start-top-up.ts'
import type { TestAccount } from '../support/world.ts'
import type { Errand } from './kill-process.ts'
import { BillingStage } from './support/billing-stage.ts'
import { eventOf, newId, type Session, type StripeEvent } from './support/stripe-objects.ts'

const stage = new BillingStage()
const program = fileURLToPath(new URL('kill-process.ts', import.meta.url))

type End = { readonly signal: string | null; readonly steps: number }

/** Runs an errand in a process of its own, to its end or until it is killed. */
function run(errand: Partial<Errand>): Promise<End> {
  const given = { databaseUrl: stage.url, stripeBase: stage.stripe.base, dieBefore: 0, events: null, ...errand }
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, complained] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code !== null && code !== 0) reject(new Error(`The process ended with ${code}:\n${complained}`))
      else resolve({ signal, steps: Number(said) })
    })
  })
}

const sessionsOf = ({ publicId }: TestAccount): Session[] => [...stage.stripe.sessions.values()].filter(({ metadata }) => metadata['account'] === publicId)

const purchaseOf = (account: TestAccount) => ({ accountId: account.id, key: newId('key'), amountPence: 2_000 })

/** What must be so, however the top-up was interrupted. */
async function expectOneCredit(account: TestAccount, at: string): Promise<void> {
  expect(await stage.moves(account), at).toEqual([['top_up', 200]])
  expect(await stage.balance(account), at).toBe(200)
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
  expect(sessionsOf(account), at).toHaveLength(1)
  expect(
    [...stage.stripe.customers.values()].filter(({ email }) => email === account.email),
    at,
  ).toHaveLength(1)
  const { rows } = await stage.pool.query('SELECT state FROM top_up WHERE account_id = $1', [account.id])
  expect(rows, at).toEqual([{ state: 'paid' }])
}

/** The events of a paid session, several of which say the same. */
function eventsOf(session: Session): StripeEvent[] {
  const { payment } = stage.stripe.pay(session.id)
  return [eventOf('payment_intent.succeeded', payment), eventOf('checkout.session.completed', session)]
}

/** Does something for each number, two at a time: a process spends most of its short life starting. */
async function forEach(last: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1
  const worker = async () => {
    while (next <= last) await work(next++)
  }
  await Promise.all([worker(), worker()])
}

test('killed between any two steps of a top-up, it ends with one credit after a restart and redelivery', async () => {
  const whole = await run(purchaseOf(await stage.account()))
  // Begin, who buys, overdue, by key, open, insert, commit; customer at Stripe and here; page at Stripe and here; the end.
  expect(whole.steps).toBe(12)
  await forEach(whole.steps, async (dieBefore) => {
    const account = await stage.account()
    const purchase = purchaseOf(account)
    expect((await run({ ...purchase, dieBefore })).signal, `step ${dieBefore}`).toBe('SIGKILL')
    // The person clicks again, in another process: the page still has its key.
    const again = await startTopUp(stage.room(), account.id, { ...purchase, savesCard: false })
    const [session] = sessionsOf(account)
    if (!session) throw new Error(`Nothing was opened after a kill before step ${dieBefore}.`)
    expect(again.url).toBe(session.url)
    for (const event of eventsOf(session)) await stage.send(event)
    await expectOneCredit(account, `killed before step ${dieBefore} of ${whole.steps}`)
  })
}, 180_000)

test('killed between any two steps of taking events in, it ends with one credit after redelivery', async () => {
  const first = await stage.start(await stage.account())
  const whole = await run({ events: eventsOf(first.session) })
  // One statement for each of two events, and the end.
  expect(whole.steps).toBe(3)
  await forEach(whole.steps, async (dieBefore) => {
    const { account, session } = await stage.start(await stage.account())
    const events = eventsOf(session)
    expect((await run({ events, dieBefore })).signal, `step ${dieBefore}`).toBe('SIGKILL')
    for (const event of [...events, ...events.toReversed()]) await stage.send(event)
    await expectOneCredit(account, `killed before step ${dieBefore} of ${whole.steps}`)
  })
}, 120_000)

test('killed in the middle of the statement that credits, nothing of it has happened, and redelivery credits once', async () => {
  const { account, session } = await stage.start(await stage.account())
  const events = eventsOf(session)
  const holder = await stage.pool.connect()
  try {
    // The statement has written the event down and waits for the wallet.
    await holder.query('BEGIN')
    await holder.query('SELECT FROM wallet WHERE account_id = $1 FOR UPDATE', [account.id])
    const errand = { databaseUrl: stage.url, stripeBase: stage.stripe.base, dieBefore: 0, events }
    const child = spawn(process.execPath, [program, JSON.stringify(errand)], { stdio: 'ignore' })
    await expect
      .poll(async () => (await stage.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%apply_payment%'")).rowCount, {
        timeout: 15_000,
      })
      .toBe(1)
    child.kill('SIGKILL')
    await holder.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%apply_payment%'")
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  expect(await stage.moves(account)).toEqual([])
  expect((await stage.pool.query('SELECT FROM stripe_event WHERE id = ANY ($1)', [events.map(({ id }) => id)])).rowCount).toBe(0)
  for (const event of events) await stage.send(event)
  await expectOneCredit(account, 'killed within the statement')
}, 60_000)
