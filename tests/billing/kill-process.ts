/**
 * Runs a billing task in a process that kills itself with SIGKILL before its nth request to the database or Stripe. All earlier requests have
 * completed. The process can be killed between any two steps, without any change to the code under test.
 *
 * node kill-process.ts '{"databaseUrl", "stripeBase", "what", "accountId", "key", "amountPence", "dieBefore", "events"}'
 */
import http from 'node:http'
import { Client } from 'pg'
import { beginAutoTopUps } from '#server/billing/auto-top-up.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { receiveEvent } from '#server/billing/receive-stripe-event.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { createLog } from '#server/observability/log.ts'
import { openTestPool } from '../support/test-pool.ts'
import { type StripeEvent, sign, webhookSecret } from './support/stripe-objects.ts'
import { testKey } from './support/stripe-server.ts'

export type Task = {
  readonly databaseUrl: string
  readonly stripeBase: string
  readonly accountId: number
  readonly key: string
  readonly amountPence: number
  /** Step before which the process kills itself, counting from 1; 0 means never. */
  readonly dieBefore: number
  /** Action: start a top-up, receive these events, or start the automatic top-ups that are due. */
  readonly what: 'start' | 'events' | 'auto'
  readonly events: readonly StripeEvent[]
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task
let steps = 0

function step(): void {
  steps += 1
  if (steps === task.dieBefore) process.kill(process.pid, 'SIGKILL')
}

/** Wraps a method that sends requests, so that each call counts as a step. */
function counted<Method extends (...given: never[]) => unknown>(method: Method): Method {
  return function (this: unknown, ...given: never[]) {
    step()
    return method.apply(this, given)
  } as Method
}

Client.prototype.query = counted(Client.prototype.query)
http.request = counted(http.request as never)

const pool = openTestPool({ connectionString: task.databaseUrl, max: 2 })
const settings = {
  stripeKey: testKey,
  webhookSecret,
  stripeBase: task.stripeBase,
  vat: null,
  fourEyesCredits: 1_000,
  developmentFeatures: true,
  publicUrl: 'https://api.example.test',
  secret: 'a secret of the tests that is long enough',
}
const deps = openBilling(settings, pool, createLog('warn'))

if (task.what === 'start') await startTopUp(deps, task.accountId, { key: task.key, amountPence: task.amountPence, savesCard: false })
if (task.what === 'auto') await beginAutoTopUps(deps, new AbortController().signal)
for (const event of task.what === 'events' ? task.events : []) {
  const { body, signature } = sign(event)
  await receiveEvent(deps, Buffer.from(body), signature)
}
step()
await pool.end()
process.stdout.write(String(steps))
