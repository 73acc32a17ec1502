import { existsSync } from 'node:fs'
import bundledChromium from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const args = [
  // Chromium's sandbox doesn't work as root, and the browser only opens our own service.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // Lets the browser reach only this machine. Intercepting requests instead would disable the browser cache.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Common paths of system-wide Chromium and Chrome installations. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const findSystemBrowser = async () => installed.find((path) => existsSync(path)) ?? null

/** Returns the path of the Chromium in an npm package, unpacking it on first use, or null unless this is Linux on x64. */
export const findPackageBrowser = async () => (process.platform === 'linux' && process.arch === 'x64' ? await bundledChromium.executablePath() : null)

const findPlaywrightBrowser = async () => (existsSync(chromium.executablePath()) ? chromium.executablePath() : null)

/**
 * Starts a browser: preferably the npm package, which is the same everywhere and twice as fast as a full browser, else the system's, else Playwright's.
 * @throws Error if none starts: tests without a browser fail rather than being skipped
 */
export async function launchBrowser(): Promise<Browser> {
  const errors: string[] = []
  for (const find of [findPackageBrowser, findSystemBrowser, findPlaywrightBrowser]) {
    try {
      const executablePath = await find()
      if (executablePath !== null) return await chromium.launch({ executablePath, args, timeout: 30_000 })
    } catch (error) {
      errors.push(String(error))
    }
  }
  throw new Error(`No browser found. Run npm install for the bundled one, or install Chromium.\n${errors.join('\n')}`)
}
