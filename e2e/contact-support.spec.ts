import { expect } from '@playwright/test'
import { lookAt } from './support/look-at.ts'
import { portalTest } from './support/portal-test.ts'

const test = portalTest()

test('a customer contacts support, and an administrator replies', async ({ newMember, newAdministrator }) => {
  const [{ page }, admin] = [await newMember(), await newAdministrator()]
  await page.goto('/portal/help')
  await expect(page.getByText('No messages yet.')).toBeVisible()
  await lookAt(page, '/portal/help')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('link', { name: 'Choose a topic.' })).toBeVisible()
  await page.getByLabel('A payment or an invoice').check()
  await page.getByRole('textbox', { name: 'Message' }).fill('I paid £20 this morning, but the credits are missing.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText("We've received your message.")).toBeVisible()
  await lookAt(page, '/portal/help/[id]')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  await admin.page.goto('/admin/support')
  await lookAt(admin.page, '/admin/support')
  await admin.page.locator(`a[href="/admin/support/${id}"]`).click()
  await expect(admin.page.getByText('the credits are missing')).toBeVisible()
  await lookAt(admin.page, '/admin/support/[id]')
  await admin.page.getByRole('textbox', { name: 'Message' }).fill('They arrived at 10:02.')
  await admin.page.getByRole('button', { name: 'Send reply' }).click()
  await expect(admin.page.getByText('Reply sent.')).toBeVisible()

  await page.reload()
  await expect(page.getByText('They arrived at 10:02.')).toBeVisible()
  await expect(page.getByText('Answered', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Found them, thanks.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Waiting for our reply', { exact: true })).toBeVisible()
})
