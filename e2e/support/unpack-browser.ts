import { findPackageBrowser } from './browser.ts'

/**
 * Unpacks the browser before any test starts, as it can't be started or unpacked by another process meanwhile. Failures are ignored: `launchBrowser` tries other
 * browsers and reports why none starts.
 */
export async function setup(): Promise<void> {
  await findPackageBrowser().catch(() => null)
}
