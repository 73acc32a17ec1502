import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { getEvent, newId, type StripeEvent, sign, webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import type { Portal } from './support/portal.ts'
import { type Member, portalTest } from './support/portal-test.ts'

/** Default settings of a fresh clone: without Stripe, payments are simulated by signed events. */
const test = portalTest({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })

const portalBudgetKilobytes = 260
const shownTimeoutMs = 1_000

/** Returns the gzipped size, in kilobytes, of all scripts that a page has loaded so far. Measures the files of the build. */
async function scriptKilobytes(page: Page): Promise<number> {
  const paths = await page.locator('script[src]').evaluateAll((scripts) => scripts.map((script) => new URL((script as HTMLScriptElement).src).pathname))
  const files = [...new Set(paths)].map((path) => readFileSync(join(import.meta.dirname, '..', path.replace(/^\/_next\//, '.next/'))))
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1_000
}

type TopUpRow = { public_id: string; payment_intent_id: string | null; checkout_session_id: string; state: string }

const getTopUps = (portal: Portal, { id }: Member) =>
  portal.sql<TopUpRow>('SELECT public_id, payment_intent_id, checkout_session_id, state FROM top_up WHERE account_id = $1 ORDER BY id', [id])
const topBar = (page: Page) => page.getByRole('banner')

async function send(portal: Portal, event: StripeEvent): Promise<void> {
  const { body, signature } = sign(event)
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  expect((await fetch(`${portal.origin}/api/stripe/webhook`, { method: 'POST', headers, body })).status).toBe(200)
}

/** Tops up using only the keyboard, and waits until the credits arrive. */
async function buy(page: Page, pounds: number, { savesCard = false } = {}): Promise<void> {
  await page.goto(`/portal/billing/top-up?amount=${pounds}`)
  if (savesCard) {
    await tabTo(page, page.getByRole('checkbox', { name: /^Save this card/ }))
    await page.keyboard.press('Space')
  }
  await pressEnterOn(page, page.getByRole('button', { name: `Pay £${pounds}` }))
  await pressEnterOn(page, page.getByRole('button', { name: `Simulate payment of £${pounds}` }))
  await expect(page.getByText(`${pounds * 10} credits added.`)).toBeVisible()
}

/** Sends Stripe's event for the payment of the member's newest top-up. */
async function pay(portal: Portal, member: Member): Promise<void> {
  const row = (await getTopUps(portal, member)).at(-1)
  const money = { amount_total: 2_000, currency: 'gbp', payment_status: 'paid', payment_intent: newId('pi') }
  await send(portal, getEvent('checkout.session.completed', { id: row?.checkout_session_id, client_reference_id: row?.public_id, metadata: {}, ...money }))
}

/** Starts a top-up of £20 and opens the return page before the payment event arrives. */
async function comeBack(portal: Portal, member: Member): Promise<void> {
  const { page } = member
  await page.goto('/portal/billing/top-up')
  await page.getByRole('button', { name: 'Pay £20' }).click()
  await expect(page.getByRole('heading', { name: 'Simulated checkout' })).toBeVisible()
  await page.goto(`/portal/billing/return?topUp=${(await getTopUps(portal, member)).at(-1)?.public_id}`)
}

test('a call without credits fails, and succeeds after topping up at the URL given in the error', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 0 })
  const [{ page }, key] = [member, (await portal.liveKey(member)).key]
  const refused = await portal.call(key)
  expect(refused).toMatchObject({ status: 402, body: { error: 'insufficient_credits', balance: 0 } })
  await page.goto('/portal/billing')
  await expect(page.getByText('Your balance is 0. Live calls return 402 until you top up. Test calls still work.')).toBeVisible()
  await lookAt(page, '/portal/billing', 'empty')
  await page.goto(String(refused.body['topUp']))
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.locator('dl')).toHaveText('Credits added200New balance200Total£20')
  await expect(summary.getByText("This is a one-off payment. It won't renew.")).toBeVisible()
  await expect(summary.getByText("Simulated: you won't be charged.")).toBeVisible()
  await page.getByRole('checkbox', { name: /^Save this card/ }).check()
  await expect(page.getByRole('region', { name: 'Payment method' }).getByText('We only see its brand, last four digits and expiry date.')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Save this card/ }).uncheck()
  await lookAt(page, '/portal/billing/top-up')
  await page.getByRole('button', { name: /^£5 50 credits · about 5 pages of 10 rates$/ }).click()
  await page.getByRole('button', { name: 'Pay £5', exact: true }).dblclick()
  await expect(page.getByRole('heading', { name: 'Simulated checkout' })).toBeVisible()
  expect(await getTopUps(portal, member)).toHaveLength(1)
  await lookAt(page, '/simulated-checkout/[topUpId]')
  await page.getByRole('button', { name: 'Simulate payment of £5' }).dblclick()
  await expect(page.getByText('50 credits added.')).toBeVisible()
  await expect(topBar(page).getByText('50 credits')).toBeVisible()
  await lookAt(page, '/portal/billing/return', 'received')
  expect((await portal.call(key)).status).toBe(200)
  await page.getByRole('link', { name: 'Back to billing' }).click()
  const lines = page.getByRole('table', { name: 'Latest transactions with the balance after each' }).getByRole('row')
  await expect(lines.filter({ hasText: 'Calls and webhooks' }).getByText('−3')).toBeVisible()
  await expect(lines.nth(1)).toContainText('Calls and webhooks')
  await expect(lines.nth(1).getByRole('cell').last()).toHaveText('47')
  const chart = page.getByRole('slider', { name: 'Daily balance' })
  await expect(chart).toHaveAttribute('aria-valuetext', /: 47 credits now, topped up 50$/)
  await expect(page.getByText('▲').first()).toBeVisible()
  await page.locator('figure').getByText('Show as table').click()
  await expect(
    page.getByRole('table', { name: 'Balance at the end of each UTC day, newest first' }).getByRole('cell', { name: '47', exact: true }),
  ).toBeVisible()
  await expect(topBar(page).getByText('47 credits')).toBeVisible()
  await lookAt(page, '/portal/billing')
  expect(await scriptKilobytes(page)).toBeLessThanOrEqual(portalBudgetKilobytes)
})

test('shows and announces the new balance within a second of the payment event', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 13 })
  const { page } = member
  await comeBack(portal, member)
  await expect(page.getByText('Payment received. Adding 200 credits.')).toBeVisible()
  await pay(portal, member)
  const sentAt = performance.now()
  await expect(page.getByText('200 credits added.')).toBeVisible()
  await expect(topBar(page).getByText('213 credits')).toBeVisible()
  expect(performance.now() - sentAt).toBeLessThan(shownTimeoutMs)
  await expect(page.locator('main [aria-live=polite]')).toHaveCount(1)
  expect(await scriptKilobytes(page)).toBeLessThanOrEqual(portalBudgetKilobytes)
})

test('shows a notice after waiting 30 seconds for the bank, and keeps polling', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  await page.clock.install()
  await comeBack(portal, member)
  await expect(page.getByText('Payment received. Adding 200 credits.')).toBeVisible()
  await expect
    .poll(async () => {
      await page.clock.fastForward(31_000)
      return page.getByText("We're still waiting for your payment to be confirmed. Don't pay again: we'll email you once it is.").count()
    })
    .toBe(1)
  await pay(portal, member)
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return page.getByText('200 credits added.').count()
    })
    .toBe(1)
})

test('allows another attempt after a card is declined, and charges nothing if payment is cancelled', async ({ newMember }) => {
  const member = await newMember()
  const { page } = member
  await page.goto('/portal/billing/top-up?amount=50')
  await page.getByRole('button', { name: 'Pay £50' }).click()
  await page.getByRole('button', { name: 'Simulate a declined card' }).click()
  await expect(page.getByText('Card declined')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('You were not charged.')).toBeVisible()
  await lookAt(page, '/portal/billing/return', 'cancelled')
  await expect(topBar(page).getByText('100 credits')).toBeVisible()
})

test('tops up automatically below the threshold, up to the monthly limit', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 0 })
  const { page } = member
  await buy(page, 5, { savesCard: true })
  const savedCards = () => portal.sql('SELECT 1 FROM payment_customer WHERE account_id = $1 AND payment_method_id IS NOT NULL', [member.id])
  await expect.poll(savedCards, { timeout: 15_000 }).toHaveLength(1)
  await page.goto('/portal/billing/alerts')
  await expect(page.getByRole('button', { name: 'Remove card' })).toBeVisible()
  // VAT is not configured, so the page must not mention it.
  await expect(page.locator('main')).not.toContainText('VAT')
  await tabTo(page, page.getByRole('radio', { name: 'Off' }))
  await page.keyboard.press('ArrowUp')
  await typeInto(page, page.getByLabel('Threshold'), '60')
  await typeInto(page, page.getByLabel('Top-up amount'), '10')
  await typeInto(page, page.getByLabel('Monthly limit'), '9')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').getByText(/^The monthly limit must be at least the amount of one top-up/)).toBeVisible()
  await lookAt(page, '/portal/billing/alerts', 'refused')
  await expect(page.getByRole('radio', { name: 'On' })).toBeChecked()
  await typeInto(page, page.getByLabel('Monthly limit'), '15')
  await pressEnterOn(page, page.getByRole('button', { name: 'Save automatic top-ups' }))
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect.poll(() => getTopUps(portal, member), { timeout: 15_000 }).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  await page.goto('/portal/billing')
  await expect(topBar(page).getByText('150 credits')).toBeVisible()
  await expect(page.getByText('£10 of £15 used this month.')).toBeVisible()
  await lookAt(page, '/portal/billing', 'automatic')
  await page.getByRole('navigation', { name: 'Billing' }).getByRole('link', { name: 'Receipts and invoices' }).click()
  await expect(page.getByRole('cell', { name: 'Automatic' })).toBeVisible()
  await lookAt(page, '/portal/billing/receipts')
  expect((await portal.mailbox.next(member.email)).subject).toBe('Automatic top-up: 100 credits added')
})

test('shows a statement and downloads it as CSV and JSON', async ({ newMember }) => {
  const member = await newMember({ credits: 30 })
  const { page } = member
  await buy(page, 20)
  await page.goto('/portal/billing/statement')
  await lookAt(page, '/portal/billing/statement')
  const month = new Date().toISOString().slice(0, 7)
  await pressEnterOn(page, page.locator(`a[href="/portal/billing/statements/${month}"]`))
  await expect(page.getByRole('heading', { level: 1, name: /^Statement for / })).toBeVisible()
  await lookAt(page, '/portal/billing/statements/[month]')
  for (const [format, has] of [
    ['CSV', ',top_up,200,230,account,'],
    ['JSON', '"kind":"top_up","credits":200,"balanceCredits":230,'],
  ] as const) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: new RegExp(`as ${format}$`) }).click()])
    expect(file.suggestedFilename()).toBe(`ledger-${month}.${format.toLowerCase()}`)
    expect(readFileSync(await file.path(), 'utf8')).toContain(has)
  }
})

test('a dispute can make the balance negative, which blocks calls until the dispute is won', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 0 })
  const [{ page }, key] = [member, (await portal.liveKey(member)).key]
  await buy(page, 5)
  expect((await portal.call(key)).status).toBe(200)
  const intent = (await getTopUps(portal, member))[0]?.payment_intent_id
  const dispute = { id: newId('dp'), object: 'dispute', amount: 500, currency: 'gbp', payment_intent: intent, status: 'needs_response' }
  await send(portal, getEvent('charge.dispute.created', dispute))
  await page.goto('/portal/billing')
  await expect(page.getByText('A £5 dispute left your balance at −3 credits. Top up to use live keys.')).toBeVisible()
  await expect(page.getByText('A payment was disputed: 50 credits deducted until the bank decides.')).toBeVisible()
  await lookAt(page, '/portal/billing', 'dispute')
  expect(await portal.call(key)).toMatchObject({ status: 402, body: { reason: 'debt', balance: -3 } })
  await page.goto('/portal/billing/receipts')
  await expect(page.getByRole('cell', { name: 'Disputed' })).toBeVisible()
  await page.goto('/portal/billing/statement')
  await page.getByRole('table', { name: 'Ledger with the balance after each transaction' }).getByRole('link', { name: 'Dispute' }).click()
  await expect(page.getByText('This payment was disputed with your bank: 50 credits deducted from your balance.')).toBeVisible()
  await lookAt(page, '/portal/billing/top-ups/[id]', 'disputed')
  await send(portal, getEvent('charge.dispute.closed', { ...dispute, status: 'won' }))
  await page.goto('/portal/billing/receipts')
  await expect(topBar(page).getByText('47 credits')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Paid', exact: true })).toBeVisible()
  expect((await portal.call(key)).status).toBe(200)
})
