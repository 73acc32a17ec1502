import { expect, type Page } from '@playwright/test'
import { pressEnterOn, tabTo, typeInto } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import type { Portal } from './support/portal.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

const button = (page: Page, name: string) => page.locator('form').getByRole('button', { name, exact: true })
const answer = async (portal: Portal, key: string, path?: string) => {
  const { status, body } = await portal.call(key, path)
  return [status, body['reason'] ?? body['error'] ?? null]
}

/** Opens the form of an admin action by keyboard. */
async function unfold(page: Page, title: string): Promise<void> {
  await pressEnterOn(page, page.locator('summary', { hasText: title }))
}

/** Fills in the reason for an admin action, previews its effect and submits the form. */
async function previewAndSubmit(page: Page, form: string, submit: string, effect: RegExp): Promise<void> {
  const preview = page.getByRole('status').filter({ hasText: 'Preview' })
  await page.locator(`#${form}-reason`).fill('Requested by the customer.')
  await page
    .locator('form', { has: page.locator(`#${form}-reason`) })
    .getByRole('button', { name: 'Preview' })
    .click()
  await expect(preview.getByText(effect).first()).toBeVisible()
  await pressEnterOn(page, button(page, submit))
}

test('reviews, blocks and unblocks an account, and shows its calls and ledger', async ({ portal, newMember, newAdministrator, pageErrors }) => {
  pageErrors.expect(/no-such-page: Failed to load resource.*404/)
  const [{ page }, member] = [await newAdministrator(), await newMember({ isApproved: false })]
  const { key } = await portal.liveKey(member)
  expect(await answer(portal, key)).toEqual([403, 'review_pending'])
  await page.goto('/admin')
  await expect(page.getByText('Oldest:').first()).toBeVisible()
  await lookAt(page, '/admin', 'waiting')
  await pressEnterOn(page, page.getByRole('link', { name: '1 account to review' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Review' })).toBeVisible()
  await lookAt(page, '/admin/review', 'waiting')
  await pressEnterOn(page, page.getByRole('link', { name: member.email }))
  await expect(page.getByRole('heading', { level: 1, name: member.email })).toBeVisible()
  await expect(page.getByText(`To ${member.email}:`)).toBeVisible()
  await page.locator('#decline-customerMessage').fill('We could not tell who you are.')
  await page
    .locator('form', { has: page.locator('#decline-customerMessage') })
    .getByRole('button', { name: 'Preview' })
    .click()
  await expect(page.getByText('Reason: We could not tell who you are.')).toBeVisible()
  await lookAt(page, '/admin/review/[id]', 'refusal shown')
  await typeInto(page, page.locator('#approve-reason'), 'Their website confirms who they are.')
  await pressEnterOn(page, button(page, 'Approve account'))
  await page.waitForURL('**/admin/review?done=approve')
  await expect(page.getByText('No accounts to review.')).toBeVisible()
  expect((await portal.mailbox.next(member.email, 1)).subject).toBe('Your account is approved')
  expect(await answer(portal, key)).toEqual([200, null])
  expect(await answer(portal, key, '/rates?tpye=isa')).toEqual([400, 'invalid_request'])

  await pressEnterOn(page, page.getByRole('link', { name: 'Accounts', exact: true }))
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  await lookAt(page, '/admin/accounts')
  await page.getByLabel('Find an account').fill('svc_live_nothing')
  await pressEnterOn(page, button(page, 'Find'))
  await expect(page.getByRole('alert').getByText('No matches.')).toBeVisible()
  await page.getByLabel('Find an account').fill(key)
  await pressEnterOn(page, button(page, 'Find'))
  await page.waitForURL(`**/admin/accounts/${member.publicId}`)
  await expect(page.getByRole('row', { name: 'GET /rates' }).getByText('400 invalid_request')).toBeVisible()
  await unfold(page, 'Block account')
  await page.locator('#block-customerMessage').fill('A check is under way.')
  await previewAndSubmit(page, 'block', 'Block account', /Reason: A check is under way\./)
  await expect(page.getByText('Account blocked.')).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]', 'blocked')
  expect(await answer(portal, key)).toEqual([403, 'A check is under way.'])
  await unfold(page, 'Unblock account')
  await typeInto(page, page.locator('#unblock-reason'), 'The check is over.')
  await pressEnterOn(page, button(page, 'Unblock account'))
  await expect(page.getByText('Account unblocked.')).toBeVisible()
  expect(await answer(portal, key)).toEqual([200, null])
  await visitDetails(page)
})

/** Changes the plan of the displayed account, adds a note, and checks the pages with its calls and its ledger. */
async function visitDetails(page: Page): Promise<void> {
  const account = new URL(page.url()).pathname
  await unfold(page, 'Change plan')
  await page.getByLabel('Business').check()
  await previewAndSubmit(page, 'plan', 'Change plan', /60 → 300/)
  await expect(page.getByText('Plan changed.')).toBeVisible()
  await tabTo(page, page.locator('#note-reason'))
  await page.keyboard.type('Wrote to us about invoices.')
  await pressEnterOn(page, button(page, 'Add note'))
  await expect(page.getByText('Note added.')).toBeVisible()
  await expect(page.getByText('Wrote to us about invoices.').first()).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]', 'noted')
  await page.getByRole('row', { name: 'GET /rates' }).first().getByRole('link').click()
  await expect(page.getByText('Not charged.')).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/requests/[requestId]', 'failed')
  await page.goto(`${account}/requests`)
  await expect(page.getByRole('link', { name: 'Show rejected (4xx) and failed (5xx) calls only' })).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/requests')
  await page.goto(`${account}/ledger`)
  await expect(page.getByText('Brought forward')).toBeVisible()
  await lookAt(page, '/admin/accounts/[id]/ledger')
  expect((await page.goto('/admin/no-such-page'))?.status()).toBe(404)
  await expect(page.getByRole('link', { name: 'Go to admin' })).toBeVisible()
  await lookAt(page, '/admin/not-found')
}
