import { expect, test } from 'vitest'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite({ TRUST_PROXY: '127.0.0.1,::1' })
const { site } = portal

test("follows a form's redirect behind a TLS-terminating proxy", async () => {
  const { page } = await portal.member()
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' })
  await page.goto('/portal/billing')
  await page.locator('input[name="thresholds"]').fill('70, 7')
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await page.waitForURL('**/portal/billing?done=alerts**')
  expect(site.fixture.service.log()).not.toContain('The portal failed')
})
