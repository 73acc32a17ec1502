import { expect } from '@playwright/test'
import { webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

/** Default settings of a fresh clone: without Stripe, payments are simulated by signed events. */
const test = portalTest({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })

test('shows the total while an amount is typed, and says why an amount cannot be paid', async ({ portal, newMember }) => {
  const member = await newMember({ credits: 13 }, phone)
  const { page } = member
  await page.goto('/portal/billing/top-up')
  const amount = page.getByLabel('Amount', { exact: true })
  await amount.fill('12.30')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.locator('dl')).toHaveText('Credits123New balance136 creditsTotal£12.30')
  await amount.fill('3')
  const pay = page.getByRole('button', { name: 'Pay', exact: true })
  await expect(pay).toHaveAttribute('aria-disabled', 'true')
  await expect(pay).toHaveAccessibleDescription(/Amount must be £5 or more\.$/)
  await amount.press('Enter')
  await pay.click({ force: true })
  await lookAt(page, '/portal/billing/top-up', 'refused')
  expect(await portal.sql('SELECT FROM top_up WHERE account_id = $1', [member.id])).toEqual([])
  await amount.fill('7')
  await page.getByRole('button', { name: 'Pay £7' }).click()
  await page.getByRole('button', { name: 'Simulate payment of £7' }).click()
  await expect(page.getByText('70 credits added.')).toBeVisible()
})

test('saves balance alerts, and keeps what was typed if it is wrong', async ({ newMember }) => {
  const { page } = await newMember()
  await page.goto('/portal/billing/alerts')
  const thresholds = page.getByLabel('Email me when my balance falls to')
  await thresholds.fill('20, many')
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await expect(page.getByRole('alert').getByText(/^Enter whole numbers of credits/)).toBeVisible()
  await expect(thresholds).toHaveValue('20, many')
  await thresholds.fill('1,000, 50')
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(thresholds).toHaveValue('1,000 50')
  await lookAt(page, '/portal/billing/alerts')
})
