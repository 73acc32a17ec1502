/** Tests the pages and downloads of statements, with a test Stripe server on this machine that sends its events over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortalFixture } from '../portal/support/portal-fixture.ts'
import { PortalPurchases } from './support/portal-purchases.ts'
import { webhookSecret } from './support/stripe-objects.ts'
import { StripeServer, testKey } from './support/stripe-server.ts'

const fixture = new PortalFixture()
let stripe: StripeServer

beforeAll(async () => {
  stripe = await StripeServer.open()
  const payments = { NODE_ENV: '', STRIPE_SECRET_KEY: testKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: stripe.base }
  await fixture.open({ ...payments, VAT_PERCENT: '20', STRIPE_TAX_RATE: 'txr_vat20' })
})
afterAll(async () => {
  await fixture.close()
  expect(stripe.faults).toEqual([])
  await stripe.close()
})
const purchases = new PortalPurchases(fixture, () => stripe)

const month = new Date().toISOString().slice(0, 7)

test('old billing URLs redirect to the pages that replaced them', async () => {
  const { visitor } = await fixture.member()
  for (const [query, page] of [
    ['request=req_1', 'statement?request=req_1'],
    ['before=1_0_', 'statement?before=1_0_'],
    ['payments=7', 'receipts?before=7'],
  ])
    expect((await visitor.open(`/portal/billing?${query}`)).path).toBe(`/portal/billing/${page}`)
})

test('shows statements on a page and as downloads', async () => {
  const member = await fixture.member({ credits: 30 })
  await purchases.buy(member, 5)
  expect((await member.visitor.open('/portal/billing/statement')).html).toContain(`href="/portal/billing/statements/${month}/ledger.csv"`)
  const { text } = await member.visitor.open(`/portal/billing/statements/${month}`)
  expect(text).toMatch(/Brought forward 0 Adjustment \+30 Top-up \+50 Balance on .{1,40} UTC 80/)
  expect(text).toContain('Credits 50 Net £4.17 VAT £0.83 Paid £5')
  const csv = await member.visitor.send(`/portal/billing/statements/${month}/ledger.csv`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="ledger-${month}.csv"`)
  expect((await csv.text()).split('\r\n').slice(1, -1)).toEqual([
    expect.stringContaining(',adjustment,30,30,operator,'),
    expect.stringContaining(',top_up,50,80,account,'),
  ])
  const json = await member.visitor.send(`/portal/billing/statements/${month}/ledger.json`)
  expect(await json.json()).toMatchObject([{ credits: 30 }, { credits: 50, balanceCredits: 80 }])
})

test('returns statements only to the account that owns them, and only for past and current months', async () => {
  const { visitor } = await fixture.member()
  const away = await fixture.visitor().send(`/portal/billing/statements/${month}/ledger.csv`)
  expect([away.status, away.headers.get('location')]).toEqual([307, expect.stringContaining('/sign-in?next=')])
  for (const path of ['2999-01/ledger.csv', 'x/ledger.json', `${month}/ledger.xml`]) {
    expect((await visitor.send(`/portal/billing/statements/${path}`)).status, path).toBe(404)
  }
  expect(await visitor.open('/portal/billing/statements/2020-01')).toMatchObject({ status: 404, text: expect.stringContaining('Page not found') })
})

test('the billing page shows the charges of each day as one line, between the other entries', async () => {
  const { visitor, id } = await fixture.member({ credits: 100 })
  await fixture.sql(
    `INSERT INTO usage_day (account_id, day, key_id, endpoint, status, requests, credits)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, 1, endpoint, 200, 10, 15 * ago FROM unnest(ARRAY[1, 2]) ago, unnest(ARRAY[3, 4]) endpoint`,
    [id],
  )
  const { text, html } = await visitor.open('/portal/billing')
  const day = String.raw`\d{1,2} \w+ \d{4}`
  expect(text).toMatch(new RegExp(`Adjustment .{1,80} \\+100 100 ${day} Calls and webhooks −30 0 ${day} Calls and webhooks −60 30 Brought forward 90`))
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  expect(html).toContain(`/portal/requests?from=${yesterday}&amp;to=${yesterday}`)
})
