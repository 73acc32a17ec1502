import { expect } from '@playwright/test'
import { webhookSecret } from '../tests/billing/support/stripe-objects.ts'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

/** Default settings of a fresh clone: without Stripe, payments are simulated by signed events. */
const test = portalTest({ NODE_ENV: '', STRIPE_WEBHOOK_SECRET: webhookSecret })

test("shows the total while an amount is typed, and explains why an amount can't be paid", async ({ portal, newMember }) => {
  const member = await newMember({ credits: 13 }, phone)
  const { page } = member
  await page.goto('/portal/billing/top-up')
  const amount = page.getByLabel('Other amount')
  await amount.fill('12.30')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.locator('dl')).toHaveText('Credits added123New balance136Total£12.30')
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

test('saves balance alerts, and keeps invalid input in the form', async ({ newMember }) => {
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

test('billing details are found by search before the first top-up, and shown on the receipt of the next payment', async ({ newMember }) => {
  const { page, email } = await newMember({ credits: 0 })
  for (const word of ['invoice', 'VAT', 'company']) {
    await page.goto('/portal')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(word)
    await expect(page.getByRole('option', { name: 'Billing details' })).toBeVisible()
  }
  await page.getByRole('option', { name: 'Billing details' }).click()
  await expect(page).toHaveURL('/portal/billing/receipts#details')
  const details = page.getByRole('region', { name: 'Billing details' })
  await expect(details.getByText('Not entered')).toHaveCount(3)
  await expect(details.getByText(email)).toBeVisible()
  await details.getByRole('button', { name: 'Edit billing details' }).click()
  await details.getByLabel('Company or name').fill('Acme Ltd')
  await details.getByLabel('VAT number').fill('123456789')
  await details.getByRole('button', { name: 'Save billing details' }).click()
  await expect(details.getByRole('alert')).toContainText('Enter the VAT number with its country code, such as GB123456789.')
  await lookAt(page, '/portal/billing/receipts', 'details refused')
  await details.getByLabel('Address line 1').fill('1 High Street')
  await details.getByLabel('Town or city').fill('Leeds')
  await details.getByLabel('VAT number').fill('GB123456789')
  await details.getByRole('button', { name: 'Save billing details' }).click()
  await expect(details.getByText('1 High Street, Leeds, United Kingdom')).toBeVisible()
  await page.goto('/portal/billing/top-up?amount=5')
  await page.getByRole('button', { name: 'Pay £5' }).click()
  await page.getByRole('button', { name: 'Simulate payment of £5' }).click()
  await expect(page.getByText('50 credits added.')).toBeVisible()
  await page.goto('/portal/billing/receipts')
  await page.getByRole('table', { name: 'Payments' }).getByRole('link').click()
  await expect(page.getByText('VAT GB123456789')).toBeVisible()
  await lookAt(page, '/portal/billing/top-ups/[id]', 'with details')
})

test('the top bar is the same on the billing pages as elsewhere', async ({ newMember }) => {
  const { page } = await newMember()
  const bar = page.getByRole('banner')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const places: unknown[] = []
    for (const path of ['/portal', '/portal/billing', '/portal/billing/top-up']) {
      await page.goto(path)
      await expect(bar.getByRole('link', { name: 'Top up' })).toBeVisible()
      places.push([
        await bar
          .getByText(/credits/)
          .first()
          .boundingBox(),
        await bar.getByRole('button', { name: 'Search' }).boundingBox(),
      ])
    }
    expect(places, `${width} pixels`).toEqual([places[0], places[0], places[0]])
  }
})
