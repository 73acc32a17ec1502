import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings } from './axe.ts'

/** What axe finds on the page as it stands: nothing at all is right. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page), page.url()).toEqual([])
}

/** The page itself does not scroll sideways; what is too wide inside of it may. */
export async function expectNarrow(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(needed, `${page.url()} is ${needed} wide`).toBeLessThanOrEqual(given ?? 0)
}

/** Keeps a picture of the page for whoever wants to look: set E2E_SCREENSHOTS to a folder. Nothing happens without it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['E2E_SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
