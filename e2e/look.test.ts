import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { givePast } from './support/past-usage.ts'
import { compareWithKept, pictureFault, strangers } from './support/pictures.ts'
import { PortalSite } from './support/portal-site.ts'
import { openStill } from './support/still-page.ts'

/** Said when a picture is other: letters are drawn otherwise by another browser, so the pictures are those of the one that npm brings, which is the same everywhere. */
const renewal = 'If they are meant to look like this, on Linux: SVC_WRITE_SCREENSHOTS=1 npx vitest run e2e/look.test.ts'

/** As a clone starts: payments are simulated, so that one can top up. */
const portal = new PortalSite({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })
const { site } = portal

/** The pages that people are on most, by the names of their pictures. */
const ofAnybody = {
  start: '/',
  guide: '/docs',
  operation: '/reference/rates-list',
  prices: '/docs/prices',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
} as const
const ofMember = {
  overview: '/portal',
  keys: '/portal/keys',
  usage: '/portal/usage?days=30',
  requests: '/portal/requests',
  billing: '/portal/billing',
  'top-up': '/portal/billing/top-up',
} as const

const views = [1280, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, height: width < 640 ? 844 : 900, theme })))
const pictureNames = [...Object.keys(ofAnybody), ...Object.keys(ofMember)].flatMap((page) => views.map(({ width, theme }) => `${page}-${width}-${theme}`))

async function pictureOf(page: Page, { width, height, theme }: (typeof views)[number]): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  return page.screenshot({ animations: 'disabled' })
}

/** What is other than in the pictures that are kept, a line each. */
async function faultsOf(page: Page, pages: Readonly<Record<string, string>>): Promise<string[]> {
  const faults: string[] = []
  for (const [name, path] of Object.entries(pages)) {
    await openStill(page, path)
    for (const view of views) {
      const fault = pictureFault(`${name}-${view.width}-${view.theme}`, await pictureOf(page, view))
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

/** Somebody who has been there for a while: four keys, four weeks of use, and some calls of today. */
async function regular(): Promise<Page> {
  const member = await portal.member({ credits: 4_000, view: { timeZone: 'UTC' } })
  const { stage } = site
  await stage.sql("UPDATE account SET name = 'Harbour Street Labs', created_at = now() - interval '40 days' WHERE id = $1", [member.id])
  const old = await portal.liveKey(member, { name: 'Old laptop' })
  await stage.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [old.id])
  await stage.sql("UPDATE key_meter m SET ends_at = '-infinity' FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1", [old.id])
  const live = await portal.liveKey(member, { name: 'Price page', scopes: ['rates:read', 'providers:read'], spendCapCredits: 250 })
  const trial = await portal.liveKey(member, { name: 'Trial', mode: 'test' })
  await portal.liveKey(member, { name: 'Nightly report', expiresAt: new Date(Date.now() + 40 * 86_400_000) })
  await givePast(site, member.id)
  // Enough of today that its hatching is seen.
  await stage.sql(
    "INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date, id, 4, 200, 180, 180 FROM api_key WHERE account_id = $1 AND name = 'Price page'",
    [member.id],
  )
  for (const [key, path] of calls) await portal.call((key === 'live' ? live : trial).key, path)
  // Each of these is written by itself, a moment behind the calls.
  const added = `SELECT sum(requests)::int AS requests, (SELECT count(*)::int FROM key_use WHERE key_id IN (SELECT id FROM api_key WHERE account_id = $1)) AS used,
      (SELECT count(*)::int FROM request_detail WHERE account_id = $1) AS noted
    FROM usage_day WHERE account_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`
  await expect.poll(() => stage.sql(added, [member.id]), { timeout: 60_000 }).toEqual([{ requests: calls.length + 180, used: 2, noted: calls.length }])
  return member.page
}

test('the pages that anybody sees look as they did', async () => {
  const faults = await faultsOf(await site.newPage({ timeZone: 'UTC' }), ofAnybody)
  expect(faults, renewal).toEqual([])
}, 240_000)

test('the pages of an account look as they did', async () => {
  const day = today()
  let faults = await faultsOf(await regular(), ofMember)
  // What was called yesterday is on other lines than what was called today: a day that ended meanwhile is no fault.
  if (today() !== day) faults = await faultsOf(await regular(), ofMember)
  expect(faults, renewal).toEqual([])
}, 240_000)

test('every picture that is kept is compared with', () => {
  expect(strangers(pictureNames), renewal).toEqual([])
})

test('a button that is moved by one pixel, or has another colour, is found', async () => {
  const page = await site.newPage()
  await openStill(page, '/sign-in')
  for (const view of views) {
    const isAsKept = async () => compareWithKept(`sign-in-${view.width}-${view.theme}`, await pictureOf(page, view))?.isSame
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
