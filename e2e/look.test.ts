import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { insertPastUsage } from './support/past-usage.ts'
import { compareWithKept, describeDifference, unusedPictures } from './support/pictures.ts'
import { PortalSite } from './support/portal-site.ts'
import { openStill } from './support/still-page.ts'

/** Appended to failure messages. The screenshots need the browser that npm installs, because each browser renders fonts differently. */
const renewal = 'If the change is intended, update them on Linux: SVC_WRITE_SCREENSHOTS=1 npx vitest run e2e/look.test.ts'

/** Default settings of a fresh clone: payments are simulated, so that top-ups work. */
const portal = new PortalSite({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })
const { site } = portal

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
const pictureNames = [...Object.keys(publicPages), ...Object.keys(memberPages)].flatMap((page) => views.map(({ width, theme }) => `${page}-${width}-${theme}`))

async function takeScreenshot(page: Page, { width, height, theme }: (typeof views)[number]): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  return page.screenshot({ animations: 'disabled' })
}

/** Compares pages with their screenshots and returns one line per difference. */
async function findDifferences(page: Page, pages: Readonly<Record<string, string>>): Promise<string[]> {
  const faults: string[] = []
  for (const [name, path] of Object.entries(pages)) {
    await openStill(page, path)
    for (const view of views) {
      const fault = describeDifference(`${name}-${view.width}-${view.theme}`, await takeScreenshot(page, view))
      if (fault !== null) faults.push(fault)
    }
  }
  return faults
}

const today = () => new Date().toISOString().slice(0, 10)

const calls = [
  ['live', '/rates?type=notice&limit=5'],
  ['live', '/rates?tpye=notice'],
  ['live', '/rates?type=easy-access&limit=3'],
  ['trial', '/providers'],
  ['live', '/rates/no-such-product'],
  ['trial', '/rates?type=fixed-rate&limit=10'],
  ['live', '/providers?limit=4'],
] as const

/** Creates a member with four keys, four weeks of usage and some calls today. */
async function createRegularMember(): Promise<Page> {
  const member = await portal.member({ credits: 4_000, view: { timeZone: 'UTC' } })
  const { fixture } = site
  await fixture.sql("UPDATE account SET name = 'Harbour Street Labs', created_at = now() - interval '40 days' WHERE id = $1", [member.id])
  const old = await portal.liveKey(member, { name: 'Old laptop' })
  await fixture.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [old.id])
  await fixture.sql("UPDATE key_meter m SET ends_at = '-infinity' FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1", [old.id])
  const live = await portal.liveKey(member, { name: 'Price page', scopes: ['rates:read', 'providers:read'], spendCapCredits: 250 })
  const trial = await portal.liveKey(member, { name: 'Trial', mode: 'test' })
  await portal.liveKey(member, { name: 'Nightly report', expiresAt: new Date(Date.now() + 40 * 86_400_000) })
  await insertPastUsage(site, member.id)
  // Adds enough usage today for the hatching of today's bar to be visible.
  await fixture.sql(
    "INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date, id, 4, 200, 180, 180 FROM api_key WHERE account_id = $1 AND name = 'Price page'",
    [member.id],
  )
  for (const [key, path] of calls) await portal.call((key === 'live' ? live : trial).key, path)
  // Waits for the rows that are written shortly after the calls.
  const added = `SELECT sum(requests)::int AS requests, (SELECT count(*)::int FROM key_use WHERE key_id IN (SELECT id FROM api_key WHERE account_id = $1)) AS used,
      (SELECT count(*)::int FROM request_detail WHERE account_id = $1) AS noted
    FROM usage_day WHERE account_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`
  await expect.poll(() => fixture.sql(added, [member.id]), { timeout: 60_000 }).toEqual([{ requests: calls.length + 180, used: 2, noted: calls.length }])
  return member.page
}

test('public pages match their screenshots', async () => {
  const faults = await findDifferences(await site.newPage({ timeZone: 'UTC' }), publicPages)
  expect(faults, renewal).toEqual([])
}, 240_000)

test('portal pages match their screenshots', async () => {
  const day = today()
  let faults = await findDifferences(await createRegularMember(), memberPages)
  // Retries if the UTC day changed during the test, because today's calls then count as yesterday's.
  if (today() !== day) faults = await findDifferences(await createRegularMember(), memberPages)
  expect(faults, renewal).toEqual([])
}, 240_000)

test('every stored screenshot is used', () => {
  expect(unusedPictures(pictureNames), renewal).toEqual([])
})

test('detects a button moved by one pixel or drawn in another colour', async () => {
  const page = await site.newPage()
  await openStill(page, '/sign-in')
  for (const view of views) {
    const isAsKept = async () => compareWithKept(`sign-in-${view.width}-${view.theme}`, await takeScreenshot(page, view))?.isSame
    const button = page.getByRole('button', { name: 'Sign in' })
    const style = (text: string) => button.evaluate((one, css) => one.setAttribute('style', css), text)
    await style('translate: 1px 0')
    expect(await isAsKept()).toBe(false)
    await style('background: var(--color-accent-hover)')
    expect(await isAsKept()).toBe(false)
    await style('')
    expect(await isAsKept()).toBe(true)
  }
})
