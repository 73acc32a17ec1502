import { expect, type Page } from '@playwright/test'
import { deadDelivery } from '../tests/admin/support/dead-delivery.ts'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Fills in the reason and clicks a button. */
async function submitWithReason(page: Page, reason: string, name: string): Promise<void> {
  await page.getByLabel('Why').first().fill(reason)
  await button(page, name).click()
}

test('a small credit adjustment needs one administrator; a large one needs two', async ({ newMember, newAdministrator }) => {
  const [{ page }, other, member] = [await newAdministrator(), await newAdministrator(), await newMember({ credits: 13 })]
  await page.goto(`/admin/accounts/${member.publicId}/credits`)
  await expect(page.getByText('None yet.')).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/credits')
  await typeInto(page, page.getByRole('textbox', { name: 'Credits' }), '50')
  await pressEnterOn(page, button(page, 'Preview'))
  await expect(page.getByText('Adds 50. New balance 63. Can be reversed but not edited.')).toBeVisible()
  await expect(page.getByText('No email is sent.')).toBeVisible()
  await pressEnterOn(page, button(page, 'Add 50 credits'))
  await expect(page.getByRole('alert').getByRole('link', { name: 'Enter a reason. It is recorded in the audit log.' })).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/credits', 'refused')
  await typeInto(page, page.getByLabel('Note to the customer'), 'For the outage.')
  await typeInto(page, page.getByLabel('Why'), 'Ticket 4711.')
  await pressEnterOn(page, button(page, 'Add 50 credits'))
  await expect(page.getByText('Credits adjusted. See the latest entry below.')).toBeVisible()
  await expect(page.getByText('has 63 credits.')).toBeVisible()
  await member.page.goto('/portal/billing')
  await expect(member.page.getByText('For the outage')).toBeVisible()

  await page.getByRole('textbox', { name: 'Credits' }).fill('5000')
  await button(page, 'Preview').click()
  await expect(page.getByText('Second administrator required.')).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/credits', 'proposal')
  await submitWithReason(page, 'A migration.', 'Propose: add 5,000 credits')
  await expect(page.getByText('Proposed. Another administrator must approve it')).toBeVisible()
  await page.goto('/admin/credits')
  await expect(page.getByText('You proposed this. Another administrator must approve or decline it.')).toBeVisible()

  await other.page.goto('/admin/credits')
  await expect(other.page.getByText('Balance 63. Adds 5,000. New balance 5,063. Can be reversed but not edited.')).toBeVisible()
  await lookAt(other.page, '/admin/credits')
  await submitWithReason(other.page, 'Agreed.', 'Approve: add 5,000 credits')
  await expect(other.page.getByText('Approved. Credits adjusted.')).toBeVisible()
  await expect(other.page.getByText('Nothing to approve.')).toBeVisible()
  await member.page.reload()
  await expect(member.page.getByRole('banner').getByText('5,063 credits')).toBeVisible()

  await other.page.goto('/admin/audit')
  await other.page.getByLabel('Account', { exact: true }).fill(member.email)
  await button(other.page, 'Find entries').click()
  await other.page.waitForURL(`**/admin/audit?account=${member.publicId}`)
  await expect(other.page.getByText('Approved an adjustment: balance from 63 credits to 5,063 credits')).toBeVisible()
  await other.page.getByRole('group').filter({ hasText: 'credits.approve' }).locator('summary').click()
  await expect(other.page.getByText('balance credits: 63 → 5063')).toBeVisible()
  await lookAt(other.page, '/admin/audit', 'found')

  await other.page.goto('/admin/audit')
  await other.page.getByLabel('Account', { exact: true }).fill('nobody-of-this-name')
  await button(other.page, 'Find entries').click()
  await expect(other.page.getByRole('alert').getByText('No account matches “nobody-of-this-name”.')).toBeVisible()
  await expect(other.page.getByRole('table')).toBeHidden()
  await other.page.getByLabel('Account', { exact: true }).fill(member.email.split('@')[0] ?? '')
  await button(other.page, 'Find entries').click()
  await other.page.waitForURL(`**/admin/audit?account=${member.publicId}`)
})

test('views the portal as a customer and stops viewing', async ({ portal, newMember, newAdministrator }) => {
  const [{ page }, member] = [await newAdministrator(), await newMember({ credits: 17 })]
  await page.goto('/admin')
  await lookAt(page, '/admin')
  await page.goto(`/admin/accounts/${member.publicId}/viewing`)
  await lookAt(page, '/admin/accounts/[id]/viewing')
  await typeInto(page, page.getByLabel('Why'), 'They see no credits.')
  await pressEnterOn(page, button(page, 'View as this account'))
  await page.waitForURL('**/portal')
  await expect(page.getByText(`You're seeing the portal as ${member.email} sees it and can't change anything.`)).toBeVisible()
  await expect(page.getByRole('banner').getByText('17 credits')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Top up' })).toHaveCount(0)
  await lookAt(page, '/portal', 'viewed')
  await button(page, 'Stop viewing').click()
  await page.waitForURL(`**/admin/accounts/${member.publicId}`)
  await page.goto(`/admin/accounts/${member.publicId}/viewing`)
  await page.getByLabel('Why').fill('They see no credits.')
  await button(page, 'View as this account').click()
  await page.waitForURL('**/portal')
  await page.goto('/portal/settings')
  await expect(button(page, 'Save name')).toBeDisabled()
  await page.goto('/portal/keys')
  await expect(page.getByRole('link', { name: 'Create key' })).toBeHidden()
  await page.goto('/portal/settings')
  await lookAt(page, '/portal/settings', 'viewed')
  await portal.sql('UPDATE view_as SET ends_at = now()')
  await page.goto('/portal/billing')
  await expect(page.getByText(`Viewing as ${member.publicId} ended`)).toBeVisible()
  await lookAt(page, '/admin/viewing')
  await tabTo(page, button(page, 'Go back to my own portal'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'View as this account' })).toBeVisible()
  await page.goto('/portal')
  await expect(page.getByRole('banner').getByText('100 credits')).toBeVisible()
  await expect(page.getByText(/can't change anything/)).toHaveCount(0)
})

test('lists endpoints with failed deliveries across all accounts, and redelivers one delivery or all of them', async ({
  portal,
  newMember,
  newAdministrator,
}) => {
  const [{ page }, member] = [await newAdministrator(), await newMember()]
  const endpoint = 'whe_ofTheJourney0001'
  await portal.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true)', [member.id])
  await portal.sql(
    `INSERT INTO webhook_endpoint (public_id, account_id, url, types, secret, since_seq, created_at, lease, leased_until)
     VALUES ($1, $2, 'https://hooks.example.com/', '{rate.changed}', '\\x00', 0, now(), gen_random_uuid(), now() + interval '1 day')`,
    [endpoint, member.id],
  )
  for (const day of ['01', '02']) await deadDelivery(portal, endpoint, `2026-11-${day}T09:00:00Z`)
  await page.goto('/admin/deliveries')
  await expect(page.getByText('1 endpoint with failed deliveries, the oldest from')).toBeVisible()
  await lookAt(page, '/admin/deliveries')
  await page.getByRole('link', { name: 'https://hooks.example.com/' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'https://hooks.example.com/' })).toBeVisible()
  await expect(page.getByRole('button', { name: endpoint })).toBeVisible()
  await lookAt(page, '/admin/deliveries/[id]')
  await page.getByRole('link', { name: 'rate.changed' }).first().click()
  await expect(page.getByText('The receiver returned 500.')).toBeVisible()
  await lookAt(page, '/admin/deliveries/[id]/[deliveryId]')
  await submitWithReason(page, 'Their server is back.', 'Redeliver')
  await expect(page.getByText('Delivery queued again.')).toBeVisible()
  await page.goto(`/admin/deliveries/${endpoint}`)
  await page.getByRole('checkbox', { name: /^Select rate\.changed/ }).check()
  await lookAt(page, '/admin/deliveries/[id]', 'selected')
  await page.locator('#selected-reason').fill('Their server is back.')
  await button(page, 'Redeliver 1 selected').click()
  await expect(page.getByText('Redelivering 1 delivery.').first()).toBeVisible()
  await expect(page.getByText('No deliveries match.')).toBeVisible()
})
