/** Customer who receives a webhook for every rate change. The receiver occasionally returns an error. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/prisma.ts'
import { createLog } from '#server/observability/log.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { createWebhook } from '#server/webhooks/manage-endpoints.ts'
import type { TestAccount } from '../support/accounts.ts'
import { changeInOrder } from '../support/change-in-order.ts'
import { authSecret } from '../support/service-process.ts'
import { Receiver } from '../webhooks/support/receiver.ts'
import type { Actor } from './actor.ts'
import { LoadKind } from './load-kind.ts'

const fails = 0.05
const price = 5
const drainTimeoutMs = 90_000

export class Subscriber implements Actor {
  readonly load = new LoadKind('webhook deliveries')
  readonly faults: string[] = []
  private readonly pool: Database
  private readonly account: TestAccount
  private readonly receiver: Receiver
  private readonly since: number

  private constructor(pool: Database, account: TestAccount, receiver: Receiver, since: number) {
    this.pool = pool
    this.account = account
    this.receiver = receiver
    this.since = since
    receiver.usual = (response) => {
      const ok = Math.random() >= fails
      this.load.note(performance.now(), ok)
      response.writeHead(ok ? 200 : 503).end()
    }
  }

  static async open(pool: Database, account: TestAccount): Promise<Subscriber> {
    const receiver = await Receiver.open()
    const settings = { secret: authSecret, developmentFeatures: true, allowsPrivate: true }
    const deps = { pool, log: createLog('warn'), settings, sample: () => Promise.reject(new Error('Samples are not used in these tests.')) }
    await switchWebhooks(deps, account.email, true)
    const owner = { accountId: account.id, actor: 'account', address: null } as const
    const filter = { providers: [], accountTypes: [], minChangeBp: null, description: '' }
    await createWebhook(deps, owner, { url: receiver.url(), types: ['rate.changed'], ...filter })
    const { rows } = await pool.query<{ seq: number }>('SELECT coalesce(max(seq), 0)::int AS seq FROM market_event')
    return new Subscriber(pool, account, receiver, rows[0]?.seq ?? 0)
  }

  async stop(): Promise<void> {
    const end = performance.now() + drainTimeoutMs
    while ((await this.waiting()) > 0) {
      if (performance.now() > end) {
        this.faults.push(`${await this.waiting()} events were not delivered within ${drainTimeoutMs / 1000} s of the last change`)
        break
      }
      // Skips the wait before the next attempt.
      const late = "> now() + interval '5 seconds'"
      await changeInOrder(this.pool, 'webhook_delivery', 'due_at = now()', `state = 'waiting' AND due_at ${late}`)
      await changeInOrder(this.pool, 'webhook_endpoint', 'next_at = now(), rests_until = NULL', `next_at ${late}`)
      await sleep(250)
    }
  }

  private async waiting(): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM webhook_delivery WHERE state = 'waiting')
        + (SELECT count(*) FROM market_event m, webhook_progress p WHERE m.seq > p.after_seq))::int AS n`,
    )
    return rows[0]?.n ?? 0
  }

  /** Checks that every rate change in the live market was delivered and charged once. */
  async check(): Promise<string[]> {
    const { rows } = await this.pool.query<{ wanted: number; deliveries: number; delivered: number; events: number; charges: number; credits: number }>(
      `SELECT (SELECT count(*)::int FROM market_event WHERE dataset = 'live' AND type = 'rate.changed' AND seq > $2) AS wanted,
         count(*)::int AS deliveries, count(DISTINCT d.event_id)::int AS events, (count(*) FILTER (WHERE d.state = 'delivered'))::int AS delivered,
         (SELECT count(DISTINCT reference)::int FROM ledger_entry WHERE account_id = $1 AND kind = 'webhook') AS charges,
         (SELECT -coalesce(sum(credits), 0)::int FROM ledger_entry WHERE account_id = $1 AND kind = 'webhook') AS credits
       FROM webhook_delivery d WHERE d.account_id = $1`,
      [this.account.id, this.since],
    )
    const counts = rows[0]
    const received = new Set(this.receiver.got.map(({ body }) => body.id)).size
    await this.receiver.close()
    const expected = counts && [counts.wanted, counts.wanted, counts.wanted, counts.wanted, counts.wanted * price, counts.wanted]
    const found = counts && [counts.deliveries, counts.events, counts.delivered, counts.charges, counts.credits, received]
    const isRight = JSON.stringify(found) === JSON.stringify(expected)
    const faults = isRight ? [] : [`deliveries, events, delivered, charges, credits, received are ${found?.join(', ')} instead of ${expected?.join(', ')}`]
    if (received === 0) faults.push('nothing was delivered')
    return faults
  }
}
