import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeLimits } from '#server/accounts/accounts.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { readSavedCards } from '#server/billing/customer-pages.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { getLedgerPage } from '#server/billing/ledger-page.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { createLog } from '#server/observability/log.ts'
import { PortalStage } from '../portal/support/portal-stage.ts'
import { dataOf } from '../portal/support/visitor.ts'
import { settingsOf } from './support/billing-stage.ts'
import { commandLine, unblock } from './support/door-commands.ts'
import { anything, calls, type Doors, mutations, turn } from './support/door-steps.ts'
import { ModelAccount } from './support/ledger-model.ts'
import { deliverRest, type Play, stripeCommands } from './support/ledger-play.ts'
import { newId, sign, webhookSecret } from './support/stripe-objects.ts'
import { StripeServer, testKey } from './support/stripe-server.ts'

/**
 * Runs the commands of the ledger model against a running service: portal procedures, API, command line and Stripe endpoint. The service runs without its
 * worker, whose turns are commands.
 */
const stage = new PortalStage()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  const payments = { STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base }
  await stage.open({ NODE_ENV: '', ROLES: 'gateway,portal', ...payments })
})
afterAll(async () => {
  await stage.close()
  expect(stripe.faults).toEqual([])
  await stripe.close()
})

async function realOf(): Promise<Doors> {
  const member = await stage.member({ credits: 0 })
  await changeLimits(stage.pool, member.email, { perMinute: 100_000, perDay: 100_000 })
  const { visitor } = member
  const made = await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const start = async (amountPence: number, savesCard: boolean) =>
    dataOf(await visitor.call('billing.startTopUp', 'mutation', { key: newId('key'), amountPence, savesCard }))?.url ?? null
  const send: Play['send'] = async (event) => {
    const { body, signature } = sign(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    expect((await fetch(`${stage.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const room = openBilling(settingsOf(stripe), stage.pool, createLog('silent'))
  return { stage, room, stripe, start, send, balance: () => stage.balance(member.id), bought: [], held: [], member, key: dataOf(made).key }
}

/** Reads saved cards and switches off automatic top-ups, so that the worker turns of the next account do not affect this one. */
async function endOf({ room, member }: Doors): Promise<void> {
  await readSavedCards(room, new AbortController().signal)
  await stage.sql('UPDATE auto_top_up SET is_on = false WHERE account_id = $1', [member.id])
}

const steps = [...stripeCommands, ...calls, ...calls, fc.oneof(...mutations), fc.oneof(...mutations), anything, turn, turn, commandLine, unblock]
const commands = fc.commands(steps, { maxCommands: 60, size: 'max' })

test('no sequence of procedures, calls, commands and events makes ledger and balance disagree', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (play) => {
      const [model, real] = [new ModelAccount(), await realOf()]
      await fc.asyncModelRun(() => ({ model, real }), play)
      await deliverRest(real)
      expect(await real.balance()).toBe(model.balance)
      const page = await getLedgerPage(real.room, real.member.id, { cursor: null, request: null, limit: 1 }, operations)
      expect(page.lines[0]?.balanceCredits ?? 0).toBe(model.balance)
      await endOf(real)
    }),
    { numRuns: Number(process.env['SVC_RUNS'] ?? 6), endOnFailure: true },
  )
  expect((await verifyLedger(stage.pool)).differences).toEqual([])
}, 180_000)
