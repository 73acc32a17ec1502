import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { EventType } from '#server/api/contract/webhooks.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { getRandom } from '../billing/support/random.ts'
import { changeInOrder } from '../support/change-in-order.ts'
import { madeEvent } from './support/made-events.ts'
import { type Endpoint, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const random = getRandom(20_261_121)
const program = fileURLToPath(new URL('worker-process.ts', import.meta.url))

/** Number of events. `SVC_EVENTS=10000` sends more. */
const events = Number(process.env['SVC_EVENTS'] ?? 800)
const kills = Math.max(8, Math.round(events / 250))
const workers = 4

const running = new Map<string, ChildProcess>()
const complaints: string[] = []

let started = 0

function startWorker(): void {
  const name = `worker-${++started}`
  const child = spawn(process.execPath, [program, JSON.stringify({ databaseUrl: fixture.url, events, name })], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  running.set(name, child)
  child.on('exit', () => running.delete(name))
}

/** Records in the database which worker took which lease. */
async function watchLeases(): Promise<void> {
  await fixture.pool.query(`CREATE TABLE taken (lease uuid, endpoint bigint, worker text);
    CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO taken VALUES (NEW.lease, NEW.id, current_setting('application_name'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_taken AFTER UPDATE OF lease ON webhook_endpoint FOR EACH ROW WHEN (NEW.lease IS NOT NULL AND NEW.lease IS DISTINCT FROM OLD.lease)
      EXECUTE FUNCTION note_taken()`)
}

/** Counts the endpoints on which a killed worker still holds a lease. */
async function countLeases(worker: string): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM webhook_endpoint e JOIN taken t ON t.lease = e.lease AND t.endpoint = e.id WHERE t.worker = $1 AND e.leased_until > now()',
    [worker],
  )
  return rows[0]?.n ?? 0
}

/** Returns the running workers that hold leases. */
async function holders(): Promise<[name: string, child: ChildProcess][]> {
  const { rows } = await fixture.pool.query<{ worker: string }>(
    'SELECT DISTINCT t.worker FROM webhook_endpoint e JOIN taken t ON t.lease = e.lease AND t.endpoint = e.id WHERE e.leased_until > now() ORDER BY 1',
  )
  return rows.flatMap(({ worker }) => {
    const child = running.get(worker)
    return child ? [[worker, child] as [string, ChildProcess]] : []
  })
}

const waitForExit = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()))

async function kill(child: ChildProcess): Promise<void> {
  const ended = waitForExit(child)
  child.kill('SIGKILL')
  await ended
}

afterAll(() => Promise.all([...running.values()].map(kill)))

type Subscription = { readonly path: string; readonly types: EventType[]; readonly providers: string[]; readonly minChangeBp: number | null }

const subscriptions: Subscription[] = [
  { path: '/all', types: ['rate.changed', 'product.added', 'product.withdrawn', 'switch_offer.changed'], providers: [], minChangeBp: null },
  { path: '/rates', types: ['rate.changed'], providers: [], minChangeBp: null },
  { path: '/big-rates', types: ['rate.changed'], providers: [], minChangeBp: 25 },
  { path: '/harrow', types: ['rate.changed', 'product.added'], providers: ['harrow'], minChangeBp: null },
  { path: '/two', types: ['product.withdrawn', 'switch_offer.changed'], providers: ['brook', 'dale'], minChangeBp: null },
]

/** Computes the events an endpoint should receive, independently of the service's code. */
const expectedEvents = ({ types, providers, minChangeBp }: Subscription): string[] =>
  Array.from({ length: events }, (_, at) => madeEvent(at + 1))
    .filter(({ type, providerSlug }) => types.includes(type) && (providers.length === 0 || providers.includes(providerSlug ?? '')))
    .filter(({ rateChangeBp }) => minChangeBp === null || rateChangeBp === null || rateChangeBp >= minChangeBp)
    .map(({ id }) => id)

/** Repeatedly kills a worker, preferably one that holds leases, and starts a replacement. Returns the number of leases that the killed workers held. */
async function killRepeatedly(): Promise<number> {
  let held = 0
  for (let n = 0; n < kills; n++) {
    const before = fixture.receiver.got.length
    // Kills a worker while requests are in flight.
    while (fixture.receiver.got.length < before + events / 40 && (await waiting()) > 0) await sleep(20)
    const holding = await holders()
    const [victim] = random.shuffled(holding.length > 0 ? holding : [...running])
    if (victim) {
      const [name, child] = victim
      await kill(child)
      held += await countLeases(name)
    }
    // Expires all leases, including those of running workers, so that two workers may send the same delivery and record its outcome.
    await changeInOrder(fixture.pool, 'webhook_endpoint', 'leased_until = now()', 'leased_until > now()')
    startWorker()
  }
  return held
}

async function waiting(): Promise<number> {
  const { rows } = await fixture.pool.query<{ n: number }>(
    "SELECT ((SELECT count(*) FROM webhook_delivery WHERE state = 'waiting') + (SELECT count(*) FROM account_event))::int AS n",
  )
  const { rows: progress } = await fixture.pool.query<{ left: number }>('SELECT ($1::bigint - after_seq)::int AS left FROM webhook_progress', [
    madeEvent(events).seq,
  ])
  return (rows[0]?.n ?? 0) + Math.max(0, progress[0]?.left ?? 0)
}

test(`${events} events reach every subscribed endpoint despite ${kills} killed workers, and each is charged once`, async () => {
  const credits = events * 5 * subscriptions.length
  const accounts = [await fixture.account({ credits }), await fixture.account({ credits })]
  const endpoints: (Endpoint & { subscription: Subscription })[] = []
  for (const [at, subscription] of subscriptions.entries()) {
    const account = accounts[at % accounts.length] ?? expect.unreachable()
    endpoints.push({ ...(await fixture.endpoint(account, { ...subscription, url: fixture.receiver.url(subscription.path) })), subscription })
  }
  // Account events are free, but must be as reliable as market events.
  const owner = await fixture.endpoint(accounts[0] ?? expect.unreachable(), { types: ['balance.low'], url: fixture.receiver.url('/owner') })
  await fixture.pool.query(`SELECT add_account_event($1, 'balance.low', '{"balanceCredits": 1, "thresholdCredits": 10}') FROM generate_series(1, 60)`, [
    owner.account.id,
  ])
  // Some responses are slow, so that kills hit requests in flight. Some fail and are retried below.
  fixture.receiver.usual = (response) => {
    const status = random.chance(0.02) ? 503 : 200
    setTimeout(() => response.writeHead(status).end(), random.below(12))
  }
  await watchLeases()
  for (let n = 0; n < workers; n++) startWorker()
  const held = await killRepeatedly()
  expect(held, 'endpoints held by workers when they were killed').toBeGreaterThan(0)
  while ((await waiting()) > 0) {
    await sleep(100)
    // Make retries due immediately.
    const late = "> now() + interval '10 seconds'"
    await changeInOrder(fixture.pool, 'webhook_delivery', 'due_at = now()', `state = 'waiting' AND attempts > 0 AND due_at ${late}`)
    await changeInOrder(fixture.pool, 'webhook_endpoint', 'next_at = now()', `next_at ${late}`)
  }
  await Promise.all([...running.values()].map(kill))

  let [deliveries, repeats] = [0, 0]
  for (const { id, subscription, account } of endpoints) {
    const got = fixture.receiver.at(subscription.path)
    const wanted = expectedEvents(subscription)
    deliveries += wanted.length
    // Only repeats of the same attempt count. A retry after a failure has the next attempt number.
    repeats += got.length - new Set(got.map(({ body }) => `${body.id} ${body.attempt}`)).size
    expect([...new Set(got.map(({ body }) => body.id))].toSorted(), subscription.path).toEqual(wanted.toSorted())
    // An event always has the same delivery id, however often it arrives.
    const pairs = new Set(got.map(({ body, headers }) => `${body.id} ${headers['x-svc-delivery']}`))
    expect(pairs.size, subscription.path).toBe(wanted.length)
    expect(new Set(got.map(({ headers }) => headers['x-svc-delivery'])).size, subscription.path).toBe(wanted.length)
    const { rows } = await fixture.pool.query(
      `SELECT count(*)::int AS n, count(l.id)::int AS charges, count(DISTINCT d.id)::int AS deliveries, bool_and(d.state = 'delivered' AND d.charged_at IS NOT NULL) AS done
       FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
         LEFT JOIN ledger_entry l ON l.kind = 'webhook' AND l.reference = d.public_id AND l.account_id = $2 AND l.credits = -5 WHERE e.public_id = $1`,
      [id, account.id],
    )
    expect(rows, subscription.path).toEqual([{ n: wanted.length, charges: wanted.length, deliveries: wanted.length, done: true }])
  }
  const received = fixture.receiver.at('/owner')
  expect([new Set(received.map(({ body }) => body.id)).size, new Set(received.map(({ headers }) => headers['x-svc-delivery'])).size]).toEqual([60, 60])
  const { rows: free } = await fixture.pool.query(
    "SELECT count(*)::int AS n FROM webhook_delivery WHERE is_free AND state = 'delivered' AND charged_at IS NULL",
  )
  expect(free).toEqual([{ n: 60 }])
  // Some deliveries were interrupted or not recorded, and were therefore repeated, so there were opportunities to charge twice.
  expect(repeats, 'repeated deliveries').toBeGreaterThan(0)
  const balances = await Promise.all(accounts.map((account) => fixture.balance(account)))
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(credits * accounts.length - 5 * deliveries)
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
  expect(complaints).toEqual([])
}, 900_000)
