import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { portalPages } from '../components/portal/portal-pages.ts'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Loads of a page of which the best counts: the machine has other work too, and a page is as fast as it can be. */
const mostLoads = 3
const slowedBy = 4
const mostShift = 0.05

type Facts = { readonly paintMs: number; readonly shift: number }

declare global {
  interface Window {
    speedFacts: { paintMs: number; shift: number }
  }
}

/** Has each page of this tab write down its largest paint and how far things moved, from its first moment on, and slows the processor down. */
async function measured(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    const facts = { paintMs: Number.POSITIVE_INFINITY, shift: 0 }
    window.speedFacts = facts
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) facts.paintMs = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) facts.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy })
  return page
}

async function load(page: Page, path: string): Promise<Facts> {
  // Until nothing is asked for any more: scripts have run by then, and what they move has moved.
  await page.goto(path, { waitUntil: 'networkidle' })
  expect(new URL(page.url()).pathname).toBe(path)
  return page.evaluate(() => window.speedFacts)
}

/** The best of a few loads; the first that is good enough ends them. */
async function best(page: Page, path: string, mostMs: number): Promise<Facts> {
  let found = await load(page, path)
  for (let loads = 1; loads < mostLoads && (found.paintMs > mostMs || found.shift > mostShift); loads++) {
    const next = await load(page, path)
    found = { paintMs: Math.min(found.paintMs, next.paintMs), shift: Math.min(found.shift, next.shift) }
  }
  return found
}

async function expectFast(page: Page, paths: readonly string[], mostMs: number): Promise<void> {
  const slow: string[] = []
  for (const path of paths) {
    const { paintMs, shift } = await best(page, path, mostMs)
    if (paintMs > mostMs || shift > mostShift) slow.push(`${path}: largest paint after ${Math.round(paintMs)} ms, shift ${shift.toFixed(3)}`)
  }
  expect(slow).toEqual([])
}

test('on a processor four times slower public pages are painted within 1.8 seconds, and nothing moves', async () => {
  const page = await measured(await site.newPage({ width: 390 }))
  await expectFast(
    page,
    ['/', '/docs', '/docs/prices', '/reference', '/reference/rates-list', '/console', '/changelog', '/status', '/sign-up', '/sign-in'],
    1_800,
  )
}, 120_000)

test('and pages of the portal within 2.2 seconds', async () => {
  const member = await portal.member({ view: { width: 390 } })
  const { id } = await portal.liveKey(member, { name: 'Price page' })
  const page = await measured(member.page)
  await expectFast(page, [...portalPages.map(({ href }) => href), '/portal/keys/new', `/portal/keys/${id}`, '/portal/welcome', '/portal/licence'], 2_200)
}, 120_000)
