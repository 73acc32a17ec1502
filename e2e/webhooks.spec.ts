import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { importFeed } from '#server/market/import/import-feed.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { type Line, ndjson, product, provider } from '../tests/market/feeds.ts'
import { changeInOrder } from '../tests/support/change-in-order.ts'
import { type ReceivedDelivery, Receiver } from '../tests/webhooks/support/receiver.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import type { Portal } from './support/portal.ts'
import { type Member, portalTest } from './support/portal-test.ts'

const test = portalTest({ NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' })
let receiver: Receiver

test.beforeAll(async () => {
  receiver = await Receiver.open()
})
test.afterAll(() => receiver.close())

const pollOptions = { intervals: [50] }
/** Longer than the interval at which open pages update. */
const liveOptions = { timeout: 15_000 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Imports a partial feed with these lines. */
const importLines = (portal: Portal, ...lines: Line[]) =>
  importFeed(portal.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', partial: true })
const saver = (rate: string, baseRate: string) => product('journey', { rate, baseRate })

/** Waits until the given number of webhooks has arrived and returns the last one. */
async function arrived(count: number): Promise<ReceivedDelivery> {
  await expect.poll(() => receiver.got.length, pollOptions).toBe(count)
  return receiver.got[count - 1] as ReceivedDelivery
}

/** Waits until the newest event of a type has this delivery state and number of attempts. */
async function settled(portal: Portal, type: string, ...wanted: [state: string, attempts: number]): Promise<void> {
  const newest = `SELECT d.state, d.attempts FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE v.type = $1 ORDER BY d.id DESC LIMIT 1`
  const read = async () => (await portal.sql<{ state: string; attempts: number }>(newest, [type]))[0]
  await expect.poll(read, pollOptions).toEqual({ state: wanted[0], attempts: wanted[1] })
}

/** Makes the next delivery attempt due now, and enqueues a job for it, because the existing job is scheduled for the original due time. */
async function makeDue({ pool }: Portal): Promise<void> {
  await changeInOrder(pool, 'webhook_delivery', "due_at = now() - interval '1 second'", "state = 'waiting'")
  await changeInOrder(pool, 'webhook_endpoint', "next_at = now() - interval '1 second'", 'true')
  await pool.query("SELECT send_job('webhooks.deliver')")
}

const isSignedWith = (secret: string, { headers, raw }: ReceivedDelivery): boolean => {
  const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? []
  return createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex') === signature
}

/** Adds an endpoint using only the keyboard. Checks that the next page no longer contains the secret, and returns the secret. */
async function addEndpoint(page: Page): Promise<string> {
  await pressEnterOn(page, page.getByRole('link', { name: 'Add endpoint' }))
  await page.waitForURL('**/portal/webhooks/new')
  await tabTo(page, page.getByRole('checkbox', { name: 'rate.changed' }))
  await page.keyboard.press('Space')
  await pressEnterOn(page, button(page, 'Add endpoint'))
  await expect(page.getByRole('alert').getByRole('link', { name: 'Choose at least one event.' })).toBeVisible()
  await lookAt(page, '/portal/webhooks/new', 'refused')
  await typeInto(page, page.getByLabel('URL', { exact: true }), receiver.url())
  await typeInto(page, page.getByLabel('Name'), 'Price page')
  for (const type of ['rate.changed', 'product.added']) {
    await tabTo(page, page.getByRole('checkbox', { name: type }))
    await page.keyboard.press('Space')
  }
  await typeInto(page, page.getByLabel('Minimum rate change in percentage points'), '0.05')
  await pressEnterOn(page, button(page, 'Add endpoint'))
  await expect(page.getByRole('heading', { name: 'Your signing secret' })).toBeVisible()
  const secret = (await page.locator('[data-key]').textContent()) ?? ''
  await lookAt(page, '/portal/webhooks/new', 'secret')
  await pressEnterOn(page, button(page, "I've saved this secret"))
  await expect(page.getByText('Done.')).toBeVisible()
  await pressEnterOn(page, page.getByRole('link', { name: 'View endpoint' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Price page' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(secret)
  return secret
}

/** Checks the retries in the portal while the receiver returns 500, until the delivery fails. */
async function observeRetries(portal: Portal, page: Page): Promise<void> {
  await settled(portal, 'rate.changed', 'waiting', 1)
  // The page updates itself.
  await expect(page.getByText(/^No delivery has succeeded since .*\. We'll keep retrying\.$/)).toBeVisible(liveOptions)
  await expect(page.getByText(/^Last attempt .*, status 500: Your server had an error\. Check its logs\.$/)).toBeVisible()
  await page.getByText('Show as table').click()
  await lookAt(page, '/portal/webhooks/[id]', 'failing')
  const newest = page.getByRole('row', { name: 'rate.changed' }).first()
  await expect(newest.getByText('Retrying')).toBeVisible()
  await newest.getByRole('link').click()
  await expect(page.getByText('The receiver returned 500.')).toBeVisible()
  await expect(page.getByText('Next attempt', { exact: true })).toBeVisible()
  for (let attempt = 2; attempt <= 6; attempt++) {
    await makeDue(portal)
    await settled(portal, 'rate.changed', attempt === 6 ? 'dead' : 'waiting', attempt)
  }
  await page.reload()
  for (let attempt = 1; attempt <= 6; attempt++) await expect(page.getByRole('heading', { name: new RegExp(`^Attempt ${attempt}\\s*500$`) })).toBeVisible()
  await expect(page.getByText('Failed', { exact: true })).toBeVisible()
  await expect(page.getByText('Not charged yet: events are charged on the first 2xx response')).toBeVisible()
  await page.getByText('Response from your server').first().click()
  await expect(page.getByText('out of order').first()).toBeVisible()
  await lookAt(page, '/portal/webhooks/[id]/deliveries/[deliveryId]', 'dead')
}

/** Enables webhooks for an account as an administrator, after the account requested them. */
async function switchOn({ page }: Member, account: string): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('link', { name: '1 webhook access request' }).click()
  await page.getByRole('table', { name: 'Accounts' }).getByRole('link').click()
  await page.waitForURL(`**/admin/accounts/${account}`)
  await page.locator('summary', { hasText: 'Enable webhooks' }).click()
  await page.locator('#webhooks-reason').fill('Requested by the customer.')
  await page.locator('form').getByRole('button', { name: 'Enable webhooks' }).click()
  await expect(page.getByText('Webhooks enabled.')).toBeVisible()
}

test('enables webhooks, adds an endpoint by keyboard, retries failed deliveries and redelivers missed events', async ({ portal, newMember }) => {
  const member = await newMember()
  const { page } = member
  await importLines(portal, provider('harrow'))
  await page.goto('/portal/webhooks')
  await expect(page.getByText(/^5 credits per event, charged on the first 2xx response\. .* Enabling webhooks is free\.$/)).toBeVisible()
  await lookAt(page, '/portal/webhooks', 'off')
  await pressEnterOn(page, button(page, 'Enable webhooks'))
  await expect(page.getByText('Webhooks enabled', { exact: true })).toBeVisible()
  await expect(page.getByText('No endpoints yet.')).toBeVisible()
  const secret = await addEndpoint(page)
  const address = page.url()

  await pressEnterOn(page, button(page, 'Send test event (free)'))
  await expect(page.getByText(/^Delivered\. Your server returned 200 in \d+ ms\./)).toBeVisible(liveOptions)
  await expect(page.getByRole('row', { name: 'rate.changed' }).getByText('Delivered')).toBeVisible()
  await lookAt(page, '/portal/webhooks/[id]', 'tested')
  expect(isSignedWith(secret, await arrived(1))).toBe(true)
  await settled(portal, 'rate.changed', 'delivered', 1)
  await importLines(portal, saver('4.50', '3.25'))
  const added = await arrived(2)
  expect([isSignedWith(secret, added), added.body]).toMatchObject([true, { type: 'product.added', attempt: 1, data: { sourceKey: 'journey' } }])
  await settled(portal, 'product.added', 'delivered', 1)
  // New deliveries appear without a reload.
  await expect(page.getByRole('row', { name: 'product.added' }).getByText('Delivered')).toBeVisible(liveOptions)
  await expect(page.getByText('100.0% of 2 attempts succeeded (2xx).')).toBeVisible(liveOptions)
  await page.goto(address)
  await expect(page.getByRole('banner').getByText('95 credits')).toBeVisible()

  receiver.usual = (response) => response.writeHead(500).end('out of order')
  await importLines(portal, saver('4.60', '3.35'))
  const missed = await arrived(3)
  await observeRetries(portal, page)

  receiver.usual = 200
  await pressEnterOn(page, button(page, 'Redeliver'))
  await expect(page.getByText('Redelivering now.')).toBeVisible()
  const again = await arrived(9)
  expect(again.body).toEqual({ ...missed.body, attempt: 1 })
  expect(again.headers['x-svc-delivery']).toBe(missed.headers['x-svc-delivery'])
  await settled(portal, 'rate.changed', 'delivered', 1)
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Attempt 1, redelivered once\s*200$/ })).toBeVisible()
  await expect(page.getByText('5 credits', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner').getByText('90 credits')).toBeVisible()

  await change(page, address)
  await page.goto('/portal/webhooks')
  await expect(page.getByRole('row', { name: 'Prices, harrow' }).getByText('Active', { exact: true })).toBeVisible()
  await lookAt(page, '/portal/webhooks')

  await page.goto(address)
  await page.locator('summary', { hasText: 'Delete this endpoint' }).click()
  await expect(page.getByText('Delete Prices, harrow?')).toBeVisible()
  await lookAt(page, '/portal/webhooks/[id]', 'deleting')
  await button(page, 'Delete endpoint').click()
  await page.waitForURL('**/portal/webhooks')
  await expect(page.getByText('No endpoints yet.')).toBeVisible()
})

test('shows why a test event fails, and lets an administrator disable webhooks', async ({ portal, newMember, newAdministrator }) => {
  const member = await newMember()
  const { page } = member
  await page.goto('/portal/webhooks')
  await button(page, 'Enable webhooks').click()
  await page.getByRole('link', { name: 'Add endpoint' }).click()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url('/missing'))
  await button(page, 'Add endpoint').click()
  await button(page, "I've saved this secret").click()
  await page.getByRole('link', { name: 'View endpoint' }).click()
  receiver.next.push((response) => response.writeHead(404).end())
  await button(page, 'Send test event (free)').click()
  await expect(page.getByText('Not delivered. Your server returned 404.')).toBeVisible(liveOptions)
  await expect(page.getByText('Your server has nothing at this URL. Check the path.').first()).toBeVisible()
  await button(page, 'Pause').click()
  await expect(page.getByText('Endpoint paused', { exact: true })).toBeVisible()
  await expect(button(page, 'Send test event (free)')).toHaveCount(0)
  await button(page, 'Resume').click()
  await expect(button(page, 'Send test event (free)')).toBeVisible()

  await switchWebhooks({ pool: portal.pool }, member.email, false)
  await page.goto('/portal/webhooks')
  await expect(page.getByText("We've disabled webhooks for your account.")).toBeVisible()
  await expect(button(page, 'Enable webhooks')).toHaveCount(0)
  await lookAt(page, '/portal/webhooks', 'disabled')
  await pressEnterOn(page, button(page, 'Request webhooks'))
  await expect(page.getByText("We've received your request.")).toBeVisible()
  await expect(page.getByText(/^You requested webhooks on .+ UTC\. You can send one request a day\.$/)).toBeVisible()
  await lookAt(page, '/portal/webhooks', 'asked')
  await switchOn(await newAdministrator(), member.publicId)
  await page.reload()
  await expect(page.getByRole('table', { name: 'Endpoints' })).toBeVisible()
})

/** Edits the endpoint's name and provider filter, and redelivers a time range. */
async function change(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edit endpoint' })).toBeVisible()
  await expect(page.getByLabel('Minimum rate change in percentage points')).toHaveValue('0.05')
  await page.getByLabel('Name').fill('Prices, harrow')
  await page.getByLabel('Only these providers').fill('Harrow Bank')
  await button(page, 'Save endpoint').click()
  await expect(page.getByRole('alert').getByRole('link', { name: 'Enter slugs such as harrow-bank, one per line.' })).toBeVisible()
  await lookAt(page, '/portal/webhooks/[id]/edit', 'refused')
  await page.getByLabel('Only these providers').fill('harrow')
  await button(page, 'Save endpoint').click()
  await page.waitForURL(address)
  await expect(page.getByRole('definition').filter({ hasText: /^harrow$/ })).toBeVisible()

  await page.getByRole('heading', { name: 'Redeliver', exact: true }).click()
  await page.getByLabel('From (UTC)').fill('2026-01-01T00:00')
  await page.getByLabel('To (UTC)').fill('2025-01-01T00:00')
  await pressEnterOn(page, button(page, 'Redeliver this range'))
  await expect(page.getByRole('alert').getByRole('link', { name: 'End must be after start.' })).toBeVisible()
  await page.getByLabel('To (UTC)').fill('2100-01-01T00:00')
  await pressEnterOn(page, button(page, 'Redeliver this range'))
  await expect(page.getByText('Redelivering 2 deliveries.')).toBeVisible()
  expect((await arrived(11)).body.type).toBe('rate.changed')
  await expect(page.getByRole('banner').getByText('90 credits')).toBeVisible()
}
