import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')

/** Returns the gzipped size in kilobytes of all scripts that a page has loaded so far, measured on the build output. */
export async function scriptKilobytes(page: Page): Promise<number> {
  const addresses = await page.locator('script[src]').evaluateAll((scripts) => scripts.map((script) => new URL((script as HTMLScriptElement).src).pathname))
  const files = [...new Set(addresses)].map((path) => readFileSync(join(root, path.replace(/^\/_next\//, '.next/'))))
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1_000
}
