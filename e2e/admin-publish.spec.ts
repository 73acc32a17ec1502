import { expect, type Page } from '@playwright/test'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()

/** Opens an endpoint to live keys, starting from the list of endpoints. */
async function openEndpoint(page: Page): Promise<void> {
  await page.goto('/admin/endpoints')
  await lookAt(page, '/admin/endpoints')
  expect(await linesOnPhone(page, 'Endpoints')).toBeLessThan(3)
  await page.getByRole('link', { name: 'GET /market/overview' }).click()
  await heading(page, 'GET /market/overview')
  await lookAt(page, '/admin/endpoints/[id]', 'as it is')
  await page.getByRole('link', { name: 'Open to live keys' }).click()
  await expect(page.getByText('Before: Test only. After: Open.')).toBeVisible()
  await button(page, /^Open to live keys and email 1 account$/).click()
  await expect(page.getByRole('alert').getByRole('link', { name: 'Enter a reason.' })).toBeVisible()
  await lookAt(page, '/admin/endpoints/[id]', 'refused')
  await page.getByLabel('Why').fill('The data has been checked.')
  await button(page, /^Open to live keys and email 1 account$/).click()
  await expect(page.getByText('Open (override)')).toBeVisible()
}

/** Returns the median row height of a table on a phone, in lines of text. */
async function linesOnPhone(page: Page, table: string): Promise<number> {
  await page.setViewportSize({ width: 390, height: 844 })
  const heights = await page
    .getByRole('table', { name: table })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
  await page.setViewportSize({ width: 1280, height: 900 })
  const lineHeight = 22
  return (heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)] ?? 0) / lineHeight
}

/** Drafts, previews and publishes a changelog entry. */
async function publishEntry(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Changelog' }).click()
  await heading(page, 'Changelog')
  await page.getByRole('link', { name: 'New entry' }).click()
  await heading(page, 'New entry')
  await lookAt(page, '/admin/changelog/new')
  await page.getByLabel('Title', { exact: true }).fill('Rates name their `source`')
  await page.getByLabel('Text', { exact: true }).fill('Each has one. See [prices](/docs/prices).')
  await page.getByLabel('Why').fill('Requested by customers.')
  await button(page, 'Save and preview').click()
  await heading(page, 'Draft entry')
  await expect(page.getByText('Changelog: Rates name their source')).toBeVisible()
  await lookAt(page, '/admin/changelog/[id]')
  await page.locator('#publish-reason').fill('It is live.')
  await button(page, 'Publish and email 1 account').click()
  await expect(page.getByText('No drafts.')).toBeVisible()
  await lookAt(page, '/admin/changelog')
  expect((await page.request.get('/changelog.xml')).ok()).toBe(true)
  await page.goto('/changelog')
  await expect(page.getByRole('heading', { name: 'Rates name their source' })).toBeVisible()
}

/** Drafts and publishes a version of the licence. */
async function publishLicence(page: Page): Promise<void> {
  await page.goto('/admin/licences')
  await lookAt(page, '/admin/licences')
  await page.getByRole('link', { name: 'New version' }).click()
  await heading(page, 'New version')
  await lookAt(page, '/admin/licences/new')
  await page.getByLabel('Version').fill('v2097-01')
  await page.getByLabel('What changed').fill('Attribution may be shorter.')
  await page.getByLabel('Grace period ends').fill('2097-01-31')
  await page.getByLabel('Text').fill('This licence says what you may do.\n\n## 1. Attribution\n\nThe line may be **shorter** now.')
  await page.getByLabel('Why').fill('It was agreed.')
  await button(page, 'Save and preview').click()
  await heading(page, 'Draft v2097-01')
  await lookAt(page, '/admin/licences/[id]')
  await page.locator('#publish-reason').fill('It is signed.')
  await button(page, 'Publish v2097-01 and email 1 account').click()
  await heading(page, 'Licences')
  await page.getByRole('link', { name: 'v2097-01' }).click()
  await heading(page, 'Data Licence v2097-01')
}

test('emails key holders when an endpoint opens, a changelog entry appears or the licence changes', async ({ portal, newMember, newAdministrator }) => {
  const [{ page }, caller] = [await newAdministrator(), await newMember()]
  const { key } = await portal.liveKey(caller, { scopes: ['rates:read', 'market:read'] })
  const calls = async () => (await portal.call(key, '/market/overview')).status
  expect(await calls()).toBe(403)
  await openEndpoint(page)
  expect(await calls()).toBe(200)
  await publishEntry(page)
  await publishLicence(page)
  await expect.poll(() => portal.mailbox.to(caller.email).map(({ subject }) => subject), { timeout: 20_000 }).toHaveLength(3)
  expect(
    portal.mailbox
      .to(caller.email)
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual([
    'Changelog: GET /market/overview is open to live keys',
    'Changelog: Rates name their source',
    'Data Licence v2097-01: accept it by 31 January 2097',
  ])
  await portal.sql("UPDATE licence_version SET grace_ends_at = now() - interval '1 minute' WHERE label = 'v2097-01'")
  await portal.sql('UPDATE service_state SET version = version + 1')
  expect(await portal.call(key, '/ping')).toMatchObject({ status: 403, body: { error: 'licence_reacceptance_required' } })
  const { page: theirs } = caller
  await theirs.goto('/licence/v2097-01')
  await theirs.getByText('Show differences').click()
  await lookAt(theirs, '/licence/[version]', 'changed')
  await theirs.goto('/licence/v2026-09')
  await expect(theirs.getByText('This version has been superseded')).toBeVisible()
  await theirs.goto('/portal/licence')
  await expect(theirs.getByText('Attribution may be shorter.')).toBeVisible()
  await button(theirs, 'Accept v2097-01').click()
  await expect(theirs.getByText('You have accepted this version.')).toBeVisible()
  expect((await portal.call(key, '/ping')).status).toBe(200)
})
