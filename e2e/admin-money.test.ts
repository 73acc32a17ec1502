import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deadDelivery } from '../tests/admin/support/dead-delivery.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Fills in the reason and clicks a button. */
async function submitWithReason(page: Page, reason: string, name: string): Promise<void> {
  await page.getByLabel('Why').first().fill(reason)
  await button(page, name).click()
}

test('adjusts credits: small amounts by one administrator, large ones by two', async () => {
  const [{ page }, other, member] = [await portal.administrator(), await portal.administrator(), await portal.member({ credits: 13 })]
  await page.goto(`/admin/accounts/${member.publicId}/credits`)
  await page.getByText('None yet.').waitFor()
  await lookAt(page, '/admin/accounts/[id]/credits')
  await typeInto(page, page.getByLabel('Credits'), '50')
  await pressEnterOn(page, button(page, 'Preview'))
  await page.getByText('Adds 50. New balance 63. Can be reversed but not edited.').waitFor()
  await pressEnterOn(page, button(page, 'Add 50 credits'))
  await page.getByRole('alert').getByRole('link', { name: 'Enter a reason. It is recorded in the audit log.' }).waitFor()
  await lookAt(page, '/admin/accounts/[id]/credits', 'refused')
  await typeInto(page, page.getByLabel('Note to the customer'), 'For the outage.')
  await typeInto(page, page.getByLabel('Why'), 'Ticket 4711.')
  await pressEnterOn(page, button(page, 'Add 50 credits'))
  await page.getByText('Credits adjusted. See the latest entry below.').waitFor()
  await page.getByText('has 63 credits.').waitFor()
  await member.page.goto('/portal/billing')
  await member.page.getByText('For the outage').waitFor()

  await page.getByLabel('Credits').fill('5000')
  await button(page, 'Preview').click()
  await page.getByRole('heading', { name: 'Second administrator required' }).waitFor()
  await lookAt(page, '/admin/accounts/[id]/credits', 'proposal')
  await submitWithReason(page, 'A migration.', 'Propose: add 5,000 credits')
  await page.getByText('Proposed. Another administrator has to approve it').waitFor()
  await page.goto('/admin/credits')
  await page.getByText('You proposed this. Another administrator has to decide.').waitFor()

  await other.page.goto('/admin/credits')
  await other.page.getByText('Balance 63. Adds 5,000. New balance 5,063. Can be reversed but not edited.').waitFor()
  await lookAt(other.page, '/admin/credits')
  await submitWithReason(other.page, 'Agreed.', 'Approve: add 5,000 credits')
  await other.page.getByText('Approved. Credits adjusted.').waitFor()
  await other.page.getByText('Nothing to approve.').waitFor()
  await member.page.reload()
  await member.page.getByRole('banner').getByText('5,063 credits').waitFor()

  await other.page.goto('/admin/audit')
  await other.page.getByLabel('Account', { exact: true }).fill(member.publicId)
  await button(other.page, 'Find changes').click()
  await other.page.getByText('balanceCredits: 63 → 5063').waitFor()
  await lookAt(other.page, '/admin/audit', 'found')
})

test('views the portal as a customer and stops viewing', async () => {
  const [{ page }, member] = [await portal.administrator(), await portal.member({ credits: 17 })]
  await page.goto('/admin')
  await lookAt(page, '/admin')
  await page.goto(`/admin/accounts/${member.publicId}/viewing`)
  await lookAt(page, '/admin/accounts/[id]/viewing')
  await typeInto(page, page.getByLabel('Why'), 'They see no credits.')
  await pressEnterOn(page, button(page, 'View as this account'))
  await page.waitForURL('**/portal')
  await page.getByText(`You see this portal as ${member.publicId} does. Nothing can be changed.`).waitFor()
  await page.getByRole('banner').getByText('17 credits').waitFor()
  await lookAt(page, '/portal', 'viewed')
  await page.goto('/portal/settings')
  expect(await button(page, 'Save name').isDisabled()).toBe(true)
  await lookAt(page, '/portal/settings', 'viewed')
  await site.fixture.sql('UPDATE view_as SET ends_at = now()')
  await page.goto('/portal/billing')
  await page.getByText(`Viewing as ${member.publicId} ended`).waitFor()
  await lookAt(page, '/admin/viewing')
  await tabTo(page, button(page, 'Go back to my own portal'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'View as this account' }).waitFor()
  await page.goto('/portal')
  await page.getByRole('banner').getByText('100 credits').waitFor()
  expect(await page.getByText('Nothing can be changed.').count()).toBe(0)
})

test('finds dead deliveries across accounts, shows one and redelivers them', async () => {
  const [{ page }, member] = [await portal.administrator(), await portal.member()]
  const endpoint = 'whe_ofTheJourney0001'
  const { fixture } = site
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true)', [member.id])
  await fixture.sql(
    `INSERT INTO webhook_endpoint (public_id, account_id, url, types, secret, since_seq, created_at, lease, leased_until)
     VALUES ($1, $2, 'https://hooks.example.com/', '{rate.changed}', '\\x00', 0, now(), gen_random_uuid(), now() + interval '1 day')`,
    [endpoint, member.id],
  )
  for (const day of ['01', '02']) await deadDelivery(fixture, endpoint, `2026-11-${day}T09:00:00Z`)
  await page.goto('/admin/deliveries')
  await page.getByText('1 endpoint with dead deliveries, oldest since').waitFor()
  await lookAt(page, '/admin/deliveries')
  await page.getByRole('link', { name: endpoint }).click()
  await page.getByRole('heading', { level: 1, name: endpoint }).waitFor()
  await lookAt(page, '/admin/deliveries/[id]')
  await page.getByRole('link', { name: 'rate.changed' }).first().click()
  await page.getByText('The receiver returned 500.').waitFor()
  await lookAt(page, '/admin/deliveries/[id]/[deliveryId]')
  await submitWithReason(page, 'Their server is back.', 'Redeliver')
  await page.getByText('Delivery queued again.').waitFor()
  await page.goto(`/admin/deliveries/${endpoint}`)
  await submitWithReason(page, 'Their server is back.', 'Redeliver all dead deliveries')
  await page.getByText('Redelivering 1 delivery.').waitFor()
})
