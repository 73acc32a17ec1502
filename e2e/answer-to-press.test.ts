import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PortalSite } from './support/portal-site.ts'

const portal = new PortalSite()
const { site } = portal

/** Loads of a page of which the best counts: a page is as fast as it can be. This file runs after all others, because it measures. */
const mostLoads = 4
const slowedBy = 4
const mostMs = 150

declare global {
  interface Window {
    /** Milliseconds from the slowest press so far to the picture that answers it; null before the first. */
    slowestAnswerMs: () => number | null
  }
}

type Pressed = { readonly path: string; readonly press: (page: Page) => Promise<void> }

/** Has each page of this browser write down how long presses waited for their answer, from its first moment on. */
async function watched(page: Page): Promise<Page> {
  await page.context().addInitScript(() => {
    let slowest: number | null = null
    const note = (entries: PerformanceEntryList) => {
      for (const { duration, interactionId } of entries as PerformanceEventTiming[]) if (interactionId) slowest = Math.max(slowest ?? 0, duration)
    }
    const observer = new PerformanceObserver((list) => note(list.getEntries()))
    observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
    // The first press is told of however quick its answer was, so that it is known that there was one.
    observer.observe({ type: 'first-input', buffered: true })
    window.slowestAnswerMs = () => {
      note(observer.takeRecords())
      return slowest
    }
  })
  return page
}

/** A few frames after the last press its answer has been painted and told of. */
const slowestAnswer = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number | null>((resolve) => {
        const end = (frames: number) => {
          const slowest = window.slowestAnswerMs()
          if ((frames >= 5 && slowest !== null) || frames >= 300) resolve(slowest)
          else requestAnimationFrame(() => end(frames + 1))
        }
        requestIdleCallback(() => end(0), { timeout: 5_000 })
      }),
  )

/** Loads a page at full speed, waits until its script has come, and presses on a processor that is slower. */
async function answerMs(page: Page, { path, press }: Pressed): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await page.goto(path, { waitUntil: 'load' })
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 })))
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy })
  await press(page)
  const slowest = await slowestAnswer(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await devtools.detach()
  return slowest ?? expect.unreachable(`${path}: no press was measured.`)
}

async function expectQuick(page: Page, all: readonly Pressed[]): Promise<void> {
  const slow: string[] = []
  for (const one of all) {
    let best = await answerMs(page, one)
    for (let loads = 1; loads < mostLoads && best > mostMs; loads++) best = Math.min(best, await answerMs(page, one))
    if (best > mostMs) slow.push(`${one.path}: ${Math.round(best)} ms from a press to its answer`)
  }
  expect(slow).toEqual([])
}

test('on a processor four times slower public pages answer a press within 150 milliseconds', async () => {
  await expectQuick(await watched(await site.newPage({ width: 390 })), [
    { path: '/', press: (page) => page.getByRole('button', { name: 'Dark' }).click() },
    { path: '/docs', press: (page) => page.getByText('Python', { exact: true }).first().click() },
    { path: '/reference/rates-list', press: (page) => page.getByRole('button', { name: 'Light' }).click() },
    {
      path: '/console?endpoint=rates-list',
      press: async (page) => {
        await page.getByLabel('limit').pressSequentially('20')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByText('Status 200').waitFor()
        await page.getByText(/^\d+ headers$/).click()
      },
    },
    {
      path: '/sign-up',
      press: async (page) => {
        await page.getByLabel('Email address').pressSequentially('person@')
        await page.getByRole('button', { name: 'Create account' }).click()
        await page.getByRole('alert').getByText('There is a problem').waitFor()
      },
    },
  ])
}, 120_000)

test('and so do pages of the portal', async () => {
  const member = await portal.member({ view: { width: 390 } })
  const { id } = await portal.liveKey(member, { name: 'Price page' })
  await site.stage.sql("INSERT INTO usage_day SELECT account_id, (now() AT TIME ZONE 'UTC')::date - 1, id, 3, 200, 5, 5 FROM api_key WHERE account_id = $1", [
    member.id,
  ])
  await expectQuick(await watched(member.page), [
    {
      path: '/portal/keys/new',
      press: async (page) => {
        await page.getByLabel('Live').check()
        await page.getByLabel('Monthly cap in credits').pressSequentially('50')
        await page.getByText('Can spend up to 50 credits (£5) a month.').waitFor()
        await page.getByRole('button', { name: 'Create live key' }).click()
        await page.getByRole('alert').getByText('There is a problem').waitFor()
      },
    },
    {
      path: `/portal/keys/${id}`,
      press: async (page) => {
        await page.getByLabel('Type the name of this key').pressSequentially('Price')
        await page.getByRole('button', { name: 'Revoke key' }).click()
        await page.getByRole('alert').getByText('There is a problem').waitFor()
      },
    },
    {
      path: '/portal/usage?days=30',
      press: async (page) => {
        const chart = page.getByRole('slider', { name: 'Credits of each day' })
        for (const key of ['Home', 'ArrowRight', 'End']) await chart.press(key)
      },
    },
    {
      path: '/portal/settings',
      press: async (page) => {
        await page.getByRole('button', { name: 'Change password' }).click()
        await page.getByRole('alert').getByText('There is a problem').waitFor()
      },
    },
    { path: '/portal/requests', press: (page) => page.getByLabel('Request').pressSequentially('req_') },
  ])
}, 120_000)
