import { findPackageBrowser } from './browser.ts'

/**
 * Unpacks the browser before any test starts, because no process can start it while another one is unpacking it. Failures are ignored: `launchBrowser` tries
 * other browsers and reports why none starts.
 */
export async function setup(): Promise<void> {
  await findPackageBrowser().catch(() => null)
}
