import { expect, type Page } from '@playwright/test'
import { lookAt } from './support/look-at.ts'
import { phone, portalTest } from './support/portal-test.ts'

const test = portalTest()

/** Every kind of page that is served from memory. */
const paths = ['/', '/?type=notice', '/docs', '/docs/webhooks', '/docs/prices', '/docs/errors/not_found', '/reference', '/reference/rates-list']
const more = ['/reference/simulate', '/status', '/changelog', '/changelog?kind=added', '/licence', '/terms', '/privacy', '/help', '/providers/brindlequay']

const all = [...paths, ...more, '/products/brindlequay-cash-isa-84f2']

declare global {
  interface Window {
    /** Sum of all layout shifts of the page so far. */
    layoutShift: number
  }
}

/** Runs in the page. */
function recordShifts(): void {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) window.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

const isHydrated = (page: Page) => expect(page.getByRole('button', { name: 'System' })).toHaveAttribute('aria-pressed', 'true')

test('the price page estimates the monthly cost from the sliders or from typed numbers', async ({ page }) => {
  await page.goto('/docs/prices')
  await isHydrated(page)
  const result = page.getByRole('region', { name: 'Estimate your cost' }).getByRole('status')
  await expect(result).toContainText('£100 a month')
  const slider = page.getByRole('slider', { name: 'Rows per call, slider' })
  await slider.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', '11 rows')
  await expect(page.getByRole('textbox', { name: 'Rows per call' })).toHaveValue('11')
  await page.getByRole('textbox', { name: 'Calls a month' }).fill('60,000')
  await expect(result).toContainText('£66,000 a month 660,000 credits 60,000 calls × 11 rows × 1 credit. About 2,000 calls a day; Business allows 20,000.')
  await page.getByRole('textbox', { name: 'Calls a month' }).fill('many')
  await expect(result).toHaveText('– a month Enter both numbers.')
  await expect(page.getByRole('textbox', { name: 'Calls a month' })).toHaveAccessibleDescription('Enter a whole number from 1 to 10,000,000.')
  await lookAt(page, '/docs/prices', 'wrong number')
})

test('runs the scripts of every cached page, without the security policy blocking any', async ({ page }) => {
  // Blocked scripts are reported on the console, which fails the test. The second visit revalidates the page that the browser has kept.
  for (const visit of ['first', 'second']) {
    for (const path of all) {
      const response = await page.goto(path)
      expect([visit, path, response?.status()]).toEqual([visit, path, 200])
      expect(await response?.headerValue('content-security-policy')).toMatch(/script-src 'self' ('sha256-[^']+' )+'strict-dynamic'/)
      await isHydrated(page)
    }
  }
})

test('blocks a script that is injected into a cached page', async ({ page, pageErrors }) => {
  pageErrors.expect(/Content Security Policy/)
  await page.route('**/docs', async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace('</body>', '<script>document.title = "stolen"</script></body>')
    await route.fulfill({ response, body: html })
  })
  await page.goto('/docs')
  await isHydrated(page)
  expect(await page.title()).not.toBe('stolen')
})

test('shows a signed-in reader the balance and the account link on every page, without layout shift', async ({ newMember }) => {
  const { page } = await newMember({ credits: 1_240 })
  await page.addInitScript(recordShifts)
  for (const path of ['/docs', '/', '/reference/rates-list']) {
    await page.goto(path)
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: 'Your account' })).toHaveAttribute('href', '/portal')
    await expect(header.getByRole('link', { name: /^1,\d{3} credits$/ })).toBeVisible()
    await expect(header.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
    expect(await page.evaluate(() => window.layoutShift)).toBeLessThan(0.01)
  }
})

test('shows the links to sign in again once the session has ended', async ({ portal, newMember, pageErrors }) => {
  // The browser reports the rejected query.
  pageErrors.expect(/401/)
  const { page, id } = await newMember()
  await page.goto('/docs')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Your account' })).toBeVisible()
  await portal.sql('DELETE FROM portal_session WHERE account_id = $1', [id])
  await page.goto('/docs/limits')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('does not move text when the fonts arrive on a slow phone', async ({ newPage }) => {
  test.slow()
  for (const path of ['/', '/reference/simulate', '/docs', '/reference/rates-list', '/sign-up']) {
    const page = await newPage(phone)
    await page.addInitScript(recordShifts)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    // 1.6 Mbit/s with 150 ms of latency: the text font arrives after the first paint.
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto(path, { waitUntil: 'load' })
    await page.evaluate(() => document.fonts.ready.then(() => new Promise((resolve) => setTimeout(resolve, 300))))
    const shift = await page.evaluate(() => window.layoutShift)
    expect([path, shift < 0.05 ? 'below 0.05' : shift]).toEqual([path, 'below 0.05'])
  }
})

test('the sign-up form loads its submission code on first focus, and keeps typed values if that fails', async ({ page, pageErrors, portal }) => {
  // The browser logs the blocked scripts.
  pageErrors.expect(/Failed to load resource/)
  await page.goto('/sign-up', { waitUntil: 'networkidle' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.route('**/_next/**/*.js', (route) => route.abort())
  const [email, submit] = [page.getByLabel('Email address'), page.getByRole('button', { name: 'Create account' })]
  const address = portal.newEmail()
  await email.fill(address)
  await expect.poll(() => requests.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0)
  await submit.click()
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('The service could not be reached.')
  await expect(email).toHaveValue(address)
  await page.unroute('**/_next/**/*.js')
  await submit.click()
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Accept the Data Licence')
  await expect(page.getByRole('alert', { name: 'There is a problem' })).not.toContainText('could not be reached')
  await expect(email).toHaveValue(address)
})
