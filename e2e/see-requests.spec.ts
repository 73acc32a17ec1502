import { expect } from '@playwright/test'
import { expectAccessible, lookAt } from './support/look-at.ts'
import { insertPastRequests } from './support/past-usage.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('requests can be filtered, searched, followed live and opened in a drawer', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 400 })
  const { page } = member
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [live, sample] = [await portal.liveKey(member, { name: 'Price page' }), await portal.liveKey(member, { name: 'Trial', mode: 'test' })]
  await portal.call(live.key, '/rates?type=notice&limit=5')
  await portal.call(live.key, '/rates?tpye=notice')
  await portal.call(sample.key, '/providers')
  // Retries, because it can take up to a second for a call's parameters to be stored.
  await expect(async () => {
    await page.goto('/portal/requests')
    await expect(page.getByRole('link', { name: '/rates?type=notice&limit=5' })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 15_000 })

  // Uses the time zone with the longest name, which must fit into the heading.
  await portal.sql("UPDATE account SET time_zone = 'Pacific/Chatham' WHERE id = $1", [member.id])
  await page.goto('/portal/requests')
  await expect(page.getByRole('link', { name: '/rates?tpye=notice' })).toBeVisible()
  for (const time of await page.getByRole('table').getByRole('time').allTextContents()) expect(time).toMatch(/^\d\d:\d\d:\d\d$/)
  await expect(page.getByRole('columnheader', { name: /^Time \(GMT\+1[23]:45\)$/ })).toBeVisible()
  await lookAt(page, '/portal/requests', 'full')
  const requests = page.getByRole('table').getByRole('rowheader').getByRole('link')
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('400')
  await page.waitForURL('**status=400**')
  await expect(requests).toHaveCount(1)
  await requests.click()
  const drawer = page.getByRole('dialog', { name: 'Request details' })
  await expect(drawer.getByText('Did you mean "type"?')).toBeVisible()
  await page.waitForURL('**request=req_**')
  await expectAccessible(page)
  const id =
    (await drawer
      .getByText(/^req_[0-9a-f]{32}$/)
      .first()
      .textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)

  const search = page.getByLabel('Request ID, path or parameter')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await search.fill(id)
  await search.press('Enter')
  await page.waitForURL(`**search=${id}**`)
  await expect(requests).toHaveCount(1)
  await search.fill('type=notice')
  await search.press('Enter')
  await page.waitForURL('**search=type*notice**')
  await expect(page.getByRole('link', { name: '/rates?type=notice&limit=5' })).toBeVisible()
  await expect(requests).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('1h')
  await page.waitForURL('**last=1h**')
  await page.reload()
  await expect(requests).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.getByRole('button', { name: 'Live tail' }).click()
  await expect(page.getByRole('button', { name: 'Live tail' })).toHaveAttribute('aria-pressed', 'true')
  await portal.call(live.key, '/rates/followed-live')
  await expect(page.getByRole('link', { name: '/rates/followed-live' })).toBeVisible({ timeout: 10_000 })
  await lookAt(page, '/portal/requests', 'live')

  await page.getByRole('link', { name: '/rates?type=notice&limit=5' }).click()
  await expect(drawer.getByRole('link', { name: 'Try it in the API reference' })).toHaveAttribute('href', '/reference/rates-list?type=notice&limit=5')
  await page.goto(`/portal/requests/${id}`)
  await expect(page.getByText('Did you mean "type"?')).toBeVisible()
  await lookAt(page, '/portal/requests/[requestId]', 'refused')
  await page.goto('/portal/requests')
  await page.getByRole('link', { name: '/rates?type=notice&limit=5' }).click()
  await drawer.getByRole('link', { name: 'Open full page' }).click()
  await expect(page.getByText(/^\d+ rows? × 1 credit = \d+$/)).toBeVisible()
  await lookAt(page, '/portal/requests/[requestId]', 'paid')
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      return page.evaluate(() => navigator.clipboard.readText())
    })
    .toBe(`curl "${portal.origin}/v1/rates?type=notice&limit=5" \\\n  -H "Authorization: Bearer $SVC_API_KEY"`)
})

test('loads more requests into the list, until a live tail starts', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 400 })
  const { page } = member
  await portal.liveKey(member, { name: 'Price page' })
  await insertPastRequests(portal, member.id, 120)
  await portal.sql("INSERT INTO usage_day SELECT $1, (now() AT TIME ZONE 'UTC')::date, id, 3, 200, 120, 360 FROM api_key WHERE account_id = $1", [member.id])
  await page.goto('/portal/requests')
  const requests = page.getByRole('table', { name: 'Requests, newest first' }).getByRole('rowheader').getByRole('link')
  const more = page.getByRole('link', { name: 'Load more' })
  await expect(page.getByText('Showing 50 of 120')).toBeVisible()
  await expect(requests).toHaveCount(50)
  await more.click()
  await expect(page.getByText('Showing 100 of 120')).toBeVisible()
  await lookAt(page, '/portal/requests', 'more')
  await more.click()
  await expect(page.getByText('Showing 120 requests')).toBeVisible()
  await expect(more).toHaveCount(0)
  const ids = await requests.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(new Set(ids).size).toBe(120)
  await page.getByRole('button', { name: 'Live tail' }).click()
  await expect(requests).toHaveCount(50)
  await page.getByRole('button', { name: 'Live tail' }).click()
  // Without scripts, or in another tab, the link opens the next page by itself.
  await page.goto((await more.getAttribute('href')) ?? '')
  await expect(requests).toHaveCount(50)
  await expect(page.getByRole('link', { name: 'Newest requests' })).toBeVisible()
})
