import { findPackageBrowser } from './browser.ts'

/**
 * Unpacks the browser before any test starts, because no other process can start or unpack it in the meantime. Failures are ignored: `launchBrowser` tries
 * other browsers and reports why none starts.
 */
export async function setup(): Promise<void> {
  await findPackageBrowser().catch(() => null)
}
