import { existsSync } from 'node:fs'
import bundledChromium from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const args = [
  // Chromium's own sandbox cannot be had as root, and what is opened is our own service alone.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // No host but this machine can be found. To hold requests up one by one would do as well, and would turn off the cache of the browser.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Where systems keep a Chromium or a Chrome of their own. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const ofSystem = async () => installed.find((path) => existsSync(path)) ?? null

/** Chromium as an npm package, which unpacks itself once. It is there for Linux on x64. */
export const ofPackage = async () => (process.platform === 'linux' && process.arch === 'x64' ? await bundledChromium.executablePath() : null)

const ofPlaywright = async () => (existsSync(chromium.executablePath()) ? chromium.executablePath() : null)

/**
 * Starts a browser: the one that npm brings, which is the same everywhere and takes half the time of a whole one, else that of the system, else one that
 * Playwright has installed. The first that starts is used.
 * @throws Error when none does: a test without a browser has failed, it is not skipped.
 */
export async function launchBrowser(): Promise<Browser> {
  const faults: string[] = []
  for (const find of [ofPackage, ofSystem, ofPlaywright]) {
    try {
      const executablePath = await find()
      if (executablePath !== null) return await chromium.launch({ executablePath, args, timeout: 30_000 })
    } catch (fault) {
      faults.push(String(fault))
    }
  }
  throw new Error(`There is no browser to test with. Install Chromium, or run npm install for the one that comes with it.\n${faults.join('\n')}`)
}
