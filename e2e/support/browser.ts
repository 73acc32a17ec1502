import { spawnSync } from 'node:child_process'
import bundledChromium from '@sparticuz/chromium'

/** Common paths of system-wide Chromium and Chrome installations. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const doesRun = (path: string) => spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0

/**
 * Returns the path of the browser for the tests: preferably the one from npm, which is the same on every machine and twice as fast as a full browser,
 * otherwise the one installed on the system. Unpacks the npm browser on first use.
 * @throws Error if none runs: tests without a browser fail rather than being skipped
 */
export async function findBrowser(): Promise<string> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64'
  const path = [...(isPackaged ? [await bundledChromium.executablePath()] : []), ...installed].find(doesRun)
  if (path === undefined) throw new Error('No browser found. Run npm install for the bundled one, or install Chromium.')
  return path
}
