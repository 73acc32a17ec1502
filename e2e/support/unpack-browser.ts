import { ofPackage } from './browser.ts'

/** Has the browser unpacked before any test starts it: one that is still being written cannot be started, and two processes would write it at once. */
export async function setup(): Promise<void> {
  await ofPackage()
}
