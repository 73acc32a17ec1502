import { expect, test } from 'vitest'
import { pressEnterOn } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { getScriptsOnly } from './support/own-scripts.ts'
import { insertPastUsage } from './support/past-usage.ts'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

test('shows empty states to a new account', async () => {
  const { page } = await portal.member()
  await page.goto('/portal')
  await page.getByRole('heading', { name: 'Make your first call' }).waitFor()
  await lookAt(page, '/portal', 'new')
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Usage' }).click()
  await page.getByText('No calls in these 7 days.').waitFor()
  await lookAt(page, '/portal/usage', 'empty')
  await page.goto('/portal/requests')
  await page.getByText('No requests in the last 30 days.').waitFor()
  await lookAt(page, '/portal/requests', 'empty')
})

test('usage and requests can be explored by mouse and keyboard', async () => {
  const member = await portal.member({ credits: 400 })
  const { page } = member
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [live, sample] = [await portal.liveKey(member, { name: 'Price page' }), await portal.liveKey(member, { name: 'Trial', mode: 'test' })]
  await insertPastUsage(site, member.id)
  await portal.call(live.key, '/rates?type=notice&limit=5')
  await portal.call(live.key, '/rates?tpye=notice')
  await portal.call(sample.key, '/providers')
  await page.goto('/portal')
  await page.getByRole('heading', { name: 'Credits, last 14 days' }).waitFor()
  await page.getByRole('link', { name: '/rates?type=notice&limit=5' }).waitFor()
  await lookAt(page, '/portal', 'full')

  await page.goto('/portal/keys')
  expect(await page.getByRole('row', { name: 'Price page' }).locator('svg rect').count()).toBe(14)
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
  expect(await chart.getAttribute('aria-valuenow')).toBe('2')
  await chart.press('End')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/ credits? so far$/)
  await page.getByText('Show as table').click()
  await page.getByRole('columnheader', { name: 'Other' }).waitFor()
  await lookAt(page, '/portal/usage', 'full')
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.waitForURL('**show=calls')
  await page.getByRole('link', { name: 'Key', exact: true }).click()
  await page.waitForURL('**by=key**')
  await lookAt(page, '/portal/usage', 'by key')
  const loading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await loading).suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)

  // Every row must have room for the longest zone name.
  await site.fixture.sql("UPDATE account SET time_zone = 'Pacific/Chatham' WHERE id = $1", [member.id])
  await page.goto('/portal/requests')
  await page.getByRole('link', { name: '/rates?tpye=notice' }).waitFor()
  for (const time of await page.getByRole('table').getByRole('time').allTextContents()) expect(time).toMatch(/^\d+ \w+ \d\d:\d\d:\d\d GMT\+1[23]:45$/)
  await lookAt(page, '/portal/requests', 'full')
  await page.getByLabel('Status').selectOption('400')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**status=400**')
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByRole('link', { name: '/rates?tpye=notice' }).click()
  await page.getByText('Did you mean "type"?').waitFor()
  await lookAt(page, '/portal/requests/[requestId]', 'refused')
  await page.goto('/portal/requests')
  await page.getByRole('link', { name: '/rates?type=notice&limit=5' }).click()
  await page.getByText(/^\d+ rows? × 1 credit = \d+$/).waitFor()
  await lookAt(page, '/portal/requests/[requestId]', 'paid')
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      return page.evaluate(() => navigator.clipboard.readText())
    })
    .toBe(`curl "${site.origin}/v1/rates?type=notice&limit=5" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
}, 120_000)

test('shows an error in place of a failed section and retries it', async () => {
  const { page } = await portal.member()
  await site.fixture.sql('ALTER TABLE usage_latency RENAME TO usage_latency_gone')
  await page.goto('/portal/usage')
  await page.getByText("We couldn't load your usage. Your keys and credits are not affected.").waitFor()
  await lookAt(page, '/portal/usage', 'failed')
  await site.fixture.sql('ALTER TABLE usage_latency_gone RENAME TO usage_latency')
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByText('No calls in these 7 days.').waitFor()
})

/** Returns the log lines with this error reference. */
const logLines = (reference: string): object[] =>
  site.fixture.service
    .log()
    .split('\n')
    .filter((line) => line.includes(`"reference":"${reference}"`))
    .map((line) => JSON.parse(line) as object)

test("shows an error page with a retry link while sessions can't be loaded", async () => {
  const { page } = await portal.member()
  await site.fixture.sql('ALTER TABLE portal_session RENAME TO portal_session_gone')
  const references = new Set<string>()
  for (const path of ['/portal', '/portal/keys']) {
    expect((await page.goto(path))?.status()).toBe(500)
    await page.getByRole('heading', { name: 'There is a problem with the service' }).waitFor()
    references.add((await page.getByText('Reference').locator('code').textContent()) ?? '')
  }
  expect(references.size).toBe(2)
  for (const reference of references) expect(logLines(reference)).toMatchObject([{ level: 50, err: { code: '42P01' } }])
  await lookAt(page, '/error')
  await site.fixture.sql('ALTER TABLE portal_session_gone RENAME TO portal_session')
  await pressEnterOn(page, page.getByRole('link', { name: 'Try again' }))
  await page.getByText('No keys yet. Test keys are free and return sample data.').waitFor()
  // The browser logs the 500 response, and React the failed render; both are expected.
  expect(site.faults.splice(0).filter((fault) => !/Failed to load resource.*500|Minified React error #441/.test(fault))).toEqual([])
})

test("falls back to the global error page if the script of the error page can't be loaded", async () => {
  const { page } = await portal.member()
  const missing = getScriptsOnly('error', 'global-error')
  expect(missing.size).toBeGreaterThan(0)
  let asked = 0
  await page.route(
    ({ pathname }) => missing.has(pathname),
    (route) => {
      asked++
      return route.abort()
    },
  )
  await site.fixture.sql('ALTER TABLE portal_session RENAME TO portal_session_gone')
  expect((await page.goto('/portal/keys'))?.status()).toBe(500)
  await page.getByRole('heading', { name: 'There is a problem with the service' }).waitFor()
  // The requests for the error page's script were blocked, so this is the global error page.
  expect(asked).toBeGreaterThan(0)
  await lookAt(page, '/global-error')
  await site.fixture.sql('ALTER TABLE portal_session_gone RENAME TO portal_session')
  await page.unrouteAll()
  await pressEnterOn(page, page.getByRole('link', { name: 'Try again' }))
  await page.getByText('No keys yet. Test keys are free and return sample data.').waitFor()
  const expected = /Failed to load resource|Minified React error #441|Failed to load chunk/
  expect(site.faults.splice(0).filter((fault) => !expected.test(fault))).toEqual([])
})
