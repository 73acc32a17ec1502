import { expect } from '@playwright/test'
import { importFeed } from '#server/market/import/import-feed.ts'
import { type Line, ndjson, product, provider } from '../tests/market/feeds.ts'
import { lookAt } from './support/look-at.ts'
import type { Portal } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Imports a partial feed with these lines. */
const importLines = (portal: Portal, ...lines: Line[]) =>
  importFeed(portal.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', partial: true })

test('creates an alert from an example, gets an email about a new product and unsubscribes with one click', async ({ portal, newMember, newPage }) => {
  const member = await newMember()
  const { page } = member
  await importLines(portal, provider('harrow'))
  await page.goto('/portal/alerts')
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^Use example/ }) })).toHaveCount(3)
  await lookAt(page, '/portal/alerts', 'empty')
  await page.getByRole('link', { name: 'Use example Easy access rates' }).click()
  await page.waitForURL('**/portal/alerts/new?example=easy-access')
  await expect(page.getByText(/^Matches \d+ products? now\.$/)).toBeVisible()
  await page.getByLabel('Minimum rate in percent').fill('44')
  await expect(page.getByText('Matches 0 products now.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Provider/ }).fill('nobody')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('alert').getByRole('link', { name: /^There is no provider "nobody"/ })).toBeVisible()
  await lookAt(page, '/portal/alerts/new', 'refused')
  await page.getByRole('textbox', { name: /^Provider/ }).fill('harrow')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Easy access rates' })).toBeVisible()
  await expect(page.getByText('Easy access, at least 44%, provider harrow')).toBeVisible()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Minimum rate in percent').fill('4.6')
  await lookAt(page, '/portal/alerts/[id]/edit')
  await page.getByRole('button', { name: 'Save alert' }).click()
  await page.waitForURL(/\/portal\/alerts\/alr_\w+$/)
  const address = page.url()

  await importLines(portal, product('alert-journey', { rate: '4.75', baseRate: '4.75', boostRate: '0.00', boostDuration: null }))
  const email = await portal.mailbox.next(member.email)
  expect(email.subject).toBe('Easy access rates: 1 change')
  expect(email.text).toContain('harrow Bank Easy Access Saver: New: 4.75%')
  const raw = email.raw.replace(/\r\n\s+/g, ' ')
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const oneClick = /List-Unsubscribe: <([^>]+)>/.exec(raw)?.[1] ?? ''
  await page.reload()
  const found = page.getByRole('region', { name: 'Changes found' }).getByRole('listitem').filter({ hasText: 'harrow Bank Easy Access Saver' })
  await expect(found.last()).toHaveText('harrow Bank Easy Access Saver New 4.75%')
  await lookAt(page, '/portal/alerts/[id]', 'found')

  // Opening the link without signing in changes nothing.
  const reader = await newPage()
  await reader.goto(oneClick)
  await expect(reader.getByRole('button', { name: 'Stop these emails' })).toBeVisible()
  await lookAt(reader, '/alerts/unsubscribe/[token]')
  const answer = await fetch(oneClick, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), redirect: 'manual' })
  expect(answer.status).toBe(303)
  await reader.reload()
  await expect(reader.getByText("You won't get any more emails from this alert.")).toBeVisible()
  await page.goto(address)
  await expect(page.getByText('Portal only')).toBeVisible()

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Alert paused', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('Alert resumed', { exact: true })).toBeVisible()
  await page.goto('/portal/alerts')
  await expect(page.getByRole('table', { name: 'Alerts' }).getByRole('link', { name: 'Easy access rates' })).toBeVisible()
  await lookAt(page, '/portal/alerts', 'list')
  await page.goto(address)
  await page.locator('summary', { hasText: 'Delete this alert' }).click()
  await page.getByRole('button', { name: 'Delete alert' }).click()
  await page.waitForURL('**/portal/alerts')
  await expect(page.getByText('Get notified when the market changes')).toBeVisible()
})
