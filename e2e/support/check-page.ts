import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings } from './axe.ts'

/** Expects no accessibility violations. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page), page.url()).toEqual([])
}

/** Expects that the page itself does not scroll horizontally. Elements in it may scroll. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(needed, `${page.url()} is ${needed} wide`).toBeLessThanOrEqual(given ?? 0)
}

/** Saves a screenshot if E2E_SCREENSHOTS is set to a folder. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['E2E_SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
