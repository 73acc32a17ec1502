import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { pressEnterOn } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { insertPastUsage } from './support/past-usage.ts'
import type { Portal } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('shows empty states to a new account', async ({ newMember }) => {
  const { page } = await newMember()
  await page.goto('/portal')
  await expect(page.getByRole('heading', { name: 'Make your first call' })).toBeVisible()
  await lookAt(page, '/portal', 'new')
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByText('No calls in these 7 days.')).toBeVisible()
  await lookAt(page, '/portal/usage', 'empty')
  await page.goto('/portal/requests')
  await expect(page.getByText('No requests in the last 30 days.')).toBeVisible()
  await lookAt(page, '/portal/requests', 'empty')
})

test('usage and requests can be explored by mouse and keyboard', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 400 })
  const { page } = member
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [live, sample] = [await portal.liveKey(member, { name: 'Price page' }), await portal.liveKey(member, { name: 'Trial', mode: 'test' })]
  await insertPastUsage(portal, member.id)
  await portal.call(live.key, '/rates?type=notice&limit=5')
  await portal.call(live.key, '/rates?tpye=notice')
  await portal.call(sample.key, '/providers')
  // Retries, because it can take up to a second for a call's parameters to be stored.
  await expect(async () => {
    await page.goto('/portal')
    await expect(page.getByRole('link', { name: '/rates?type=notice&limit=5' })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { name: 'Credits, last 14 days' })).toBeVisible()
  await lookAt(page, '/portal', 'full')

  await page.goto('/portal/keys')
  await expect(page.getByRole('row', { name: 'Price page' }).locator('svg rect')).toHaveCount(14)
  expect(await page.getByRole('row', { name: 'Price page' }).locator('svg').boundingBox()).toMatchObject({ width: 80, height: 20 })
  await lookAt(page, '/portal/keys', 'used')

  await page.goto('/portal/usage?days=30')
  const chart = page.getByRole('slider', { name: 'Daily credits' })
  // Retries until the key press takes effect, as the page's script may not have loaded yet.
  await expect
    .poll(async () => {
      await chart.press('Home')
      return chart.getAttribute('aria-valuenow')
    })
    .toBe('1')
  await chart.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuenow', '2')
  await chart.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', / credits? so far$/)
  await page.getByText('Show as table').click()
  await expect(page.getByRole('columnheader', { name: 'Other' })).toBeVisible()
  await lookAt(page, '/portal/usage', 'full')
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.waitForURL('**show=calls')
  await page.getByRole('link', { name: 'Key', exact: true }).click()
  await page.waitForURL('**by=key**')
  await lookAt(page, '/portal/usage', 'by key')
  const loading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await loading).suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)

  // Uses the time zone with the longest name, which must fit into every row.
  await portal.sql("UPDATE account SET time_zone = 'Pacific/Chatham' WHERE id = $1", [member.id])
  await page.goto('/portal/requests')
  await expect(page.getByRole('link', { name: '/rates?tpye=notice' })).toBeVisible()
  for (const time of await page.getByRole('table').getByRole('time').allTextContents()) expect(time).toMatch(/^\d+ \w+ \d\d:\d\d:\d\d GMT\+1[23]:45$/)
  await lookAt(page, '/portal/requests', 'full')
  await page.getByLabel('Status').selectOption('400')
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**status=400**')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: '/rates?tpye=notice' }).click()
  await expect(page.getByText('Did you mean "type"?')).toBeVisible()
  await lookAt(page, '/portal/requests/[requestId]', 'refused')
  await page.goto('/portal/requests')
  await page.getByRole('link', { name: '/rates?type=notice&limit=5' }).click()
  await expect(page.getByText(/^\d+ rows? × 1 credit = \d+$/)).toBeVisible()
  await lookAt(page, '/portal/requests/[requestId]', 'paid')
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      return page.evaluate(() => navigator.clipboard.readText())
    })
    .toBe(`curl "${portal.origin}/v1/rates?type=notice&limit=5" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
})

test('shows an error in place of a failed section and retries it', async ({ portal, newMember }) => {
  const { page } = await newMember()
  await portal.sql('ALTER TABLE usage_latency RENAME TO usage_latency_gone')
  await page.goto('/portal/usage')
  await expect(page.getByText("We couldn't load your usage. Your keys and credits are not affected.")).toBeVisible()
  await lookAt(page, '/portal/usage', 'failed')
  await portal.sql('ALTER TABLE usage_latency_gone RENAME TO usage_latency')
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByText('No calls in these 7 days.')).toBeVisible()
})

const manifest = join(import.meta.dirname, '../.next/server/app/portal/keys/page_client-reference-manifest.js')

/** Returns the URLs of the scripts that the build manifest lists for a file under app/. */
function getScripts(file: string): readonly string[] {
  const [, entries = ''] = readFileSync(manifest, 'utf8').split('"entryJSFiles":')
  const [, list] = new RegExp(`"\\[project\\]/app/${file}":(\\[[^\\]]+\\])`).exec(entries) ?? []
  if (list === undefined) throw new Error(`The build manifest has no scripts for app/${file}.`)
  return (JSON.parse(list) as string[]).map((script) => `/_next/${script}`)
}

/** Returns the log lines with this error reference. */
const logLines = (portal: Portal, reference: string): object[] =>
  portal.service
    .log()
    .split('\n')
    .filter((line) => line.includes(`"reference":"${reference}"`))
    .map((line) => JSON.parse(line) as object)

test("shows an error page with a retry link if sessions can't be loaded", async ({ portal, newMember, pageErrors }) => {
  // The browser logs the 500 response, and React logs the failed render.
  pageErrors.expect(/Failed to load resource.*500|Minified React error #441/)
  const { page } = await newMember()
  await portal.sql('ALTER TABLE portal_session RENAME TO portal_session_gone')
  const references = new Set<string>()
  for (const path of ['/portal', '/portal/keys']) {
    expect((await page.goto(path))?.status()).toBe(500)
    await expect(page.getByRole('heading', { name: 'There is a problem with the service' })).toBeVisible()
    references.add((await page.getByText('Reference').locator('code').textContent()) ?? '')
  }
  expect(references.size).toBe(2)
  for (const reference of references) expect(logLines(portal, reference)).toMatchObject([{ level: 50, err: { code: '42P01' } }])
  await lookAt(page, '/error')
  await portal.sql('ALTER TABLE portal_session_gone RENAME TO portal_session')
  await pressEnterOn(page, page.getByRole('link', { name: 'Try again' }))
  await expect(page.getByText('No keys yet. Test keys are free and return sample data.')).toBeVisible()
})

test("falls back to the global error page if the error page's script can't be loaded", async ({ portal, newMember, pageErrors }) => {
  pageErrors.expect(/Failed to load resource|Minified React error #441|Failed to load chunk/)
  const { page } = await newMember()
  const others = getScripts('global-error')
  const missing = getScripts('error').filter((script) => !others.includes(script))
  expect(missing).not.toHaveLength(0)
  let asked = 0
  await page.route(
    ({ pathname }) => missing.includes(pathname),
    (route) => {
      asked++
      return route.abort()
    },
  )
  await portal.sql('ALTER TABLE portal_session RENAME TO portal_session_gone')
  expect((await page.goto('/portal/keys'))?.status()).toBe(500)
  await expect(page.getByRole('heading', { name: 'There is a problem with the service' })).toBeVisible()
  // The requests for the error page's script were blocked, so this is the global error page.
  expect(asked).toBeGreaterThan(0)
  await lookAt(page, '/global-error')
  await portal.sql('ALTER TABLE portal_session_gone RENAME TO portal_session')
  await page.unrouteAll()
  await pressEnterOn(page, page.getByRole('link', { name: 'Try again' }))
  await expect(page.getByText('No keys yet. Test keys are free and return sample data.')).toBeVisible()
})
