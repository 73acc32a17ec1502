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
  await expect(page.getByText('No calls in the last 7 days.')).toBeVisible()
  await lookAt(page, '/portal/usage', 'empty')
  await page.goto('/portal/requests')
  await expect(page.getByText('No requests in the last 30 days.')).toBeVisible()
  await lookAt(page, '/portal/requests', 'empty')
})

test('usage can be explored by mouse and keyboard', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 400 })
  const { page } = member
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
  await page.getByRole('button', { name: 'How days left are estimated' }).click()
  await expect(page.getByText('Based on the last 14 full days. Credits never expire.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Based on the last 14 full days. Credits never expire.')).toBeHidden()
  await lookAt(page, '/portal', 'full')
  await page.getByRole('link', { name: 'Show errors' }).click()
  await page.waitForURL('/portal/requests?status=failed&last=24h')
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('failed')
  await expect(page.getByRole('link', { name: '/rates?tpye=notice' })).toBeVisible()
  await expect(page.getByRole('link', { name: '/rates?type=notice&limit=5' })).toBeHidden()

  await page.goto('/portal/keys')
  await expect(page.getByRole('row', { name: 'Price page' }).locator('svg rect')).toHaveCount(14)
  expect(await page.getByRole('row', { name: 'Price page' }).locator('svg').boundingBox()).toMatchObject({ width: 80, height: 20 })
  await lookAt(page, '/portal/keys', 'used')

  await page.goto('/portal/usage?days=30')
  const chart = page.getByRole('slider', { name: 'Daily credits' })
  await expect(page.getByRole('heading', { name: 'Credits per day by endpoint' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Key', exact: true })).toBeHidden()
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
  const box = await chart.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 40)
  await expect(chart).toHaveAttribute('aria-valuenow', '2')
  await page.getByText('Show as table').first().click()
  const columns = page.getByRole('table', { name: 'Credits per day', exact: true }).getByRole('columnheader')
  await expect(columns.filter({ hasText: 'GET /' })).toHaveCount(4)
  await expect(columns.filter({ hasText: '2 more endpoints' })).toHaveCount(1)
  await expect(columns.last()).toHaveText('Total')
  const failed = page.getByRole('table', { name: 'Failed calls by error and key' }).getByRole('row', { name: 'invalid_request' })
  await expect(failed.getByRole('link', { name: 'invalid_request' })).toHaveAttribute('href', '/docs/errors/invalid_request')
  await expect(failed).toContainText('Unknown parameter "tpye". Did you mean "type"?')
  await expect(failed.getByRole('link', { name: '1', exact: true })).toHaveAttribute('href', new RegExp(`key=${live.id}`))
  await lookAt(page, '/portal/usage', 'full')
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.waitForURL('**show=calls')
  await page.getByRole('link', { name: 'Key', exact: true }).click()
  await page.waitForURL('**by=key**')
  await expect(page.getByRole('table', { name: 'Usage by key' }).getByRole('link', { name: 'Price page', exact: true })).toBeVisible()
  await lookAt(page, '/portal/usage', 'by key')
  await page.getByRole('link', { name: 'Show errors' }).click()
  await page.waitForURL('**by=status**')
  await expect(page.getByRole('table', { name: 'Usage by status' })).toBeVisible()
  await page.goBack()

  // Each change of period, range or filter is a new URL, and the back button restores the previous one.
  await page.getByRole('link', { name: 'Hour', exact: true }).click()
  await page.waitForURL('**grain=hour**')
  await expect(page.getByRole('slider', { name: 'Hourly calls' })).toHaveAttribute('aria-valuemax', /^1[4-6]\d$/)
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Today')
  await expect(page.getByRole('slider', { name: 'Hourly calls' })).toHaveAttribute('aria-valuemax', String(new Date().getUTCHours() + 1))
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Yesterday')
  await page.waitForURL('**days=yesterday**')
  await expect(page.getByRole('slider', { name: 'Hourly calls' })).toHaveAttribute('aria-valuemax', '24')
  await page.getByRole('combobox', { name: 'Range' }).selectOption('24 hours')
  await expect(page.getByRole('slider', { name: 'Hourly calls' })).toHaveAttribute('aria-valuemax', '24')
  await lookAt(page, '/portal/usage', 'by hour')
  await page.getByRole('link', { name: 'Month', exact: true }).click()
  await expect(page.getByRole('slider', { name: 'Monthly calls' })).toHaveAttribute('aria-valuemax', '12')
  await expect(page.getByRole('slider', { name: 'Monthly latency' })).toHaveAttribute('aria-valuetext', /p50 \d/)
  await page.goBack()
  await expect(page.getByRole('slider', { name: 'Hourly calls' })).toHaveAttribute('aria-valuemax', '24')
  await page.getByRole('combobox', { name: 'Range' }).selectOption('7 days')
  await page.getByText('Filter', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Key', exact: true }).selectOption({ label: 'Price page' })
  await page.waitForURL('**key=key_**')
  await expect(page.getByRole('rowheader', { name: 'Price page' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Trial' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Endpoint', exact: true }).click()
  await page.getByRole('combobox', { name: 'Endpoint', exact: true }).selectOption('rates.list')
  await page.waitForURL('**endpoint=rates.list**')
  await expect(page.getByRole('table', { name: 'Usage by endpoint' }).getByRole('rowheader')).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('4xx')
  await page.waitForURL('**status=4xx**')
  await expect(page.getByText('No charges in this period.')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Custom range')
  const lastWeek = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('From', { exact: true }).fill(lastWeek)
  await page.getByLabel('To', { exact: true }).fill(lastWeek)
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(`**from=${lastWeek}&to=${lastWeek}**`)
  await expect(page.getByRole('slider', { name: 'Daily calls' })).toHaveAttribute('aria-valuemax', '1')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Key', exact: true })).toHaveValue(live.id)
  await lookAt(page, '/portal/usage', 'filtered')
  const loading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await loading).suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
})

test('shows an error in place of a failed section and retries it', async ({ portal, newMember, pageErrors }) => {
  pageErrors.expect(/Failed to load resource.*500/)
  const { page } = await newMember()
  await portal.sql('ALTER TABLE usage_latency RENAME TO usage_latency_gone')
  await page.goto('/portal/usage')
  await expect(page.getByText("We couldn't load your usage. Your keys and credits are not affected.")).toBeVisible()
  await lookAt(page, '/portal/usage', 'failed')
  await portal.sql('ALTER TABLE usage_latency_gone RENAME TO usage_latency')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No calls in the last 7 days.')).toBeVisible()
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
