/**
 * Runs the commands of the ledger model against a running service: portal procedures, API, command line and Stripe endpoint. The service runs without its
 * worker; its jobs run as commands.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeLimits } from '#server/accounts/accounts.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { getLedgerPage } from '#server/billing/ledger-lines.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { readSavedCards } from '#server/billing/saved-cards.ts'
import { createLog } from '#server/observability/log.ts'
import { PortalFixture } from '../portal/support/portal-fixture.ts'
import { getData } from '../portal/support/visitor.ts'
import { getSettings } from './support/billing-fixture.ts'
import { commandLine, unblock } from './support/entry-point-commands.ts'
import { anything, calls, type EntryPoints, mutations, turn } from './support/entry-point-steps.ts'
import { ModelAccount } from './support/ledger-model.ts'
import { deliverRest, type Play, stripeCommands } from './support/ledger-play.ts'
import { newId, sign, webhookSecret } from './support/stripe-objects.ts'
import { StripeServer, testKey } from './support/stripe-server.ts'

const fixture = new PortalFixture()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  const payments = { STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base }
  await fixture.open({ NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true', ROLES: 'gateway,portal', ...payments })
})
afterAll(async () => {
  await fixture.close()
  // A checkout can be paid just before the service closes it, because its billing details have changed.
  const isPaidMeanwhile = /^POST \/v1\/checkout\/sessions\/\w+\/expire: .*"This Checkout Session is complete, only an open one can be expired\."/
  expect(stripe.faults.filter((text) => !isPaidMeanwhile.test(text))).toEqual([])
  await stripe.close()
})

async function getReal(): Promise<EntryPoints> {
  const member = await fixture.member({ credits: 0 })
  await changeLimits(fixture.pool, member.email, { perMinute: 100_000, perDay: 100_000 })
  const { visitor } = member
  const made = await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'A', scopes: ['rates:read'], addresses: '', cap: '', expires: '' })
  const start = async (amountPence: number, savesCard: boolean) =>
    getData(await visitor.call('billing.startTopUp', 'mutation', { key: newId('key'), amountPence, savesCard }))?.url ?? null
  const send: Play['send'] = async (event) => {
    const { body, signature } = sign(event)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    expect((await fetch(`${fixture.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const deps = openBilling(getSettings(stripe), fixture.pool, createLog('silent'))
  return { fixture, deps, stripe, start, send, balance: () => fixture.balance(member.id), bought: [], held: [], member, key: getData(made).key }
}

/** Reads saved cards and turns off automatic top-ups, so that worker jobs run for the next account don't affect this one. */
async function finishAccount({ deps, member }: EntryPoints): Promise<void> {
  await readSavedCards(deps, new AbortController().signal)
  await fixture.sql('UPDATE auto_top_up SET is_on = false WHERE account_id = $1', [member.id])
}

const steps = [...stripeCommands, ...calls, ...calls, fc.oneof(...mutations), fc.oneof(...mutations), anything, turn, turn, commandLine, unblock]
const commands = fc.commands(steps, { maxCommands: 60, size: 'max' })

test('keeps ledger and balance equal for any sequence of procedures, calls, commands and events', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (play) => {
      const [model, real] = [new ModelAccount(), await getReal()]
      await fc.asyncModelRun(() => ({ model, real }), play)
      await deliverRest(real)
      expect(await real.balance()).toBe(model.balance)
      const page = await getLedgerPage(real.deps, real.member.id, { cursor: null, request: null, limit: 1 }, operations)
      expect(page.lines[0]?.balanceCredits ?? 0).toBe(model.balance)
      await finishAccount(real)
    }),
    { numRuns: Number(process.env['SVC_RUNS'] ?? 6), endOnFailure: true },
  )
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
}, 180_000)
