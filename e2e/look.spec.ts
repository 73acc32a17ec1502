import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import { webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { insertPastRequests, insertPastUsage } from './support/past-usage.ts'
import type { Portal } from './support/portal.ts'
import { type Member, portalTest } from './support/portal-test.ts'
import { openStill } from './support/still-page.ts'

/** Default settings of a fresh clone: payments are simulated, so that top-ups work. */
const test = portalTest({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })

test.use({ timezoneId: 'UTC' })

/** Paths of the most visited pages, by screenshot name. */
const publicPages = {
  start: '/',
  guide: '/docs',
  operation: '/reference/rates-list',
  prices: '/docs/prices',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
} as const
const memberPages = {
  overview: '/portal',
  keys: '/portal/keys',
  usage: '/portal/usage?days=30',
  requests: '/portal/requests',
  billing: '/portal/billing',
  'top-up': '/portal/billing/top-up',
} as const

const views = [1280, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, height: width < 640 ? 844 : 900, theme })))

type View = (typeof views)[number]

const toFile = (name: string, { width, theme }: View) => `${name}-${width}-${theme}.png`

async function setView(page: Page, { width, height, theme }: View): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
}

/** Compares pages with their screenshots, and continues after a difference, so that one run shows all of them. */
async function expectScreenshots(page: Page, pages: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    await openStill(page, path)
    for (const view of views) {
      await setView(page, view)
      await expect.soft(page).toHaveScreenshot(toFile(name, view), { timeout: 5_000 })
    }
  }
}

const calls = [
  ['live', '/rates?type=fixed-rate&limit=2'],
  ['live', '/providers?limit=3'],
  ['live', '/rates?type=notice&limit=4'],
  ['live', '/rates?type=notice&limit=5'],
  ['live', '/rates?tpye=notice'],
  ['live', '/rates?type=easy-access&limit=3'],
  ['trial', '/providers'],
  ['live', '/rates/no-such-product'],
  ['trial', '/rates?type=fixed-rate&limit=10'],
  ['live', '/providers?limit=4'],
] as const

/** Days of the month so far in the screenshots, which show every date as the 12th. */
const daysOfMonth = 12

/**
 * Adds credits on two past days, so that the ledger matches the balance chart: the credits added equal the credits used since then plus the remaining balance.
 * `leftCredits` is the balance before today's calls.
 */
async function addPastCredits(portal: Portal, member: Member, leftCredits: number): Promise<void> {
  const used = "(SELECT coalesce(sum(credits), 0) FROM usage_day WHERE account_id = $1 AND day >= (now() AT TIME ZONE 'UTC')::date - $2::int)"
  const insert = `INSERT INTO ledger_entry (account_id, at, kind, credits, balance_after, actor, reason)
    SELECT $1, now() - $2::int * interval '1 day', 'adjustment', $3, $4::bigint + ${used}, 'operator', 'Prepaid.'`
  const [row] = await portal.sql<{ credits: number }>(`SELECT ${used}::int AS credits`, [member.id, 28])
  const [first, second] = [(row?.credits ?? 0) + leftCredits - 5_000, 5_000]
  await portal.sql(insert, [member.id, 28, first, leftCredits - second])
  await portal.sql(insert, [member.id, 9, second, leftCredits])
  await portal.sql('UPDATE wallet SET balance = $2 WHERE account_id = $1', [member.id, leftCredits])
}

/** Gives a member four keys, four weeks of usage and some calls today. */
async function addUsage(portal: Portal, member: Member): Promise<void> {
  await portal.sql("UPDATE account SET name = 'Harbour Street Labs', created_at = now() - interval '40 days' WHERE id = $1", [member.id])
  const old = await portal.liveKey(member, { name: 'Old laptop' })
  await portal.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [old.id])
  await portal.sql("UPDATE key_meter m SET ends_at = 'epoch' FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1", [old.id])
  const live = await portal.liveKey(member, { name: 'Price page', scopes: ['rates:read', 'providers:read'], spendCapCredits: 2_500 })
  const trial = await portal.liveKey(member, { name: 'Trial', mode: 'test' })
  await portal.liveKey(member, { name: 'Nightly report', expiresAt: new Date(Date.now() + 40 * 86_400_000) })
  await insertPastUsage(portal, member.id)
  // Adds enough usage today for the hatching of today's bar to be visible.
  await portal.sql(
    "INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date, id, 4, 200, 180, 180 FROM api_key WHERE account_id = $1 AND name = 'Price page'",
    [member.id],
  )
  await addPastCredits(portal, member, 4_000)
  for (const [key, path] of calls) await portal.call((key === 'live' ? live : trial).key, path)
  // The meters count those 180 calls and the earlier days of the month, too. The calls above made today and this month current in the account's meter.
  const earlier =
    "(SELECT coalesce(sum(credits), 0) FROM usage_day u WHERE u.account_id = $1 AND day < (now() AT TIME ZONE 'UTC')::date AND day > (now() AT TIME ZONE 'UTC')::date - $2::int"
  await portal.sql(`UPDATE wallet SET day_used = day_used + 180, month_spent = month_spent + 180 + ${earlier}) WHERE account_id = $1`, [member.id, daysOfMonth])
  await portal.sql(
    `UPDATE key_meter m SET month = w.month, month_spent = m.month_spent + CASE k.name WHEN 'Price page' THEN 180 ELSE 0 END + ${earlier} AND u.key_id = m.key_id)
       FROM wallet w, api_key k WHERE w.account_id = $1 AND k.id = m.key_id AND k.account_id = $1`,
    [member.id, daysOfMonth],
  )
  // Waits for the rows that are written shortly after the calls.
  const added = `SELECT sum(requests)::int AS requests, (SELECT count(*)::int FROM key_use WHERE at > now() - interval '30 minutes' AND key_id IN (SELECT id FROM api_key WHERE account_id = $1)) AS used,
      (SELECT count(*)::int FROM request_detail WHERE account_id = $1) AS noted
    FROM usage_day WHERE account_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`
  await expect.poll(() => portal.sql(added, [member.id]), { timeout: 60_000 }).toEqual([{ requests: calls.length + 180, used: 2, noted: calls.length }])
  await insertPastRequests(portal, member.id, 60)
}

const dayMs = 86_400_000
const neededMs = 120_000

test('public pages match their screenshots', async ({ page }) => {
  test.setTimeout(neededMs)
  await expectScreenshots(page, publicPages)
})

test('portal pages match their screenshots', async ({ portal, newMember }) => {
  test.setTimeout(2 * neededMs)
  // If the UTC day is about to end, waits for the next one: otherwise today's calls would count as yesterday's by the end of the test.
  const restOfDayMs = dayMs - (Date.now() % dayMs)
  if (restOfDayMs < neededMs) await sleep(restOfDayMs)
  const member = await newMember({ credits: 0 })
  await addUsage(portal, member)
  await expectScreenshots(member.page, memberPages)
})

test('every stored screenshot is used', () => {
  const used = [...Object.keys(publicPages), ...Object.keys(memberPages)].flatMap((name) => views.map((view) => toFile(name, view)))
  expect(readdirSync(join(import.meta.dirname, 'screenshots')).filter((file) => !used.includes(file))).toEqual([])
})

test('the comparison detects a button moved by one pixel or drawn in another colour', async ({ page }) => {
  await openStill(page, '/sign-in')
  const button = page.getByRole('button', { name: 'Sign in' })
  for (const view of views) {
    await setView(page, view)
    for (const style of ['translate: 1px 0', 'background: var(--color-accent-hover)']) {
      await button.evaluate((one, css) => one.setAttribute('style', css), style)
      await expect(page).not.toHaveScreenshot(toFile('sign-in', view))
    }
    await button.evaluate((one) => one.removeAttribute('style'))
    await expect(page).toHaveScreenshot(toFile('sign-in', view), { timeout: 5_000 })
  }
})
