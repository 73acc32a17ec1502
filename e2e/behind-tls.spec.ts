import { expect } from '@playwright/test'
import { portalTest } from './support/portal-test.ts'

const test = portalTest({ TRUST_PROXY: '127.0.0.1,::1' })

test('saves a form behind a TLS-terminating proxy', async ({ portal, newMember }) => {
  const { page } = await newMember()
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' })
  await page.goto('/portal/billing/alerts')
  await page.locator('input[name="thresholds"]').fill('70, 7')
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  expect(portal.service.log()).not.toContain('The portal failed')
})
