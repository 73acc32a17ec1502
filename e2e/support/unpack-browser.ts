import { ofPackage } from './browser.ts'

/**
 * Has the browser unpacked before any test starts it: one that is still being written cannot be started, and two processes would write it at once. Where it
 * cannot be unpacked another one may do: `launchBrowser` looks, and says why if none does.
 */
export async function setup(): Promise<void> {
  await ofPackage().catch(() => null)
}
