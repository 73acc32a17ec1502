import type { Page, Response } from 'playwright-core'

/** Loads a page with JavaScript disabled, then enables it again for axe. */
export async function openPlain(page: Page, path: string): Promise<Response | null> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true })
  const response = await page.goto(path, { waitUntil: 'load' })
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: false })
  await devtools.detach()
  return response
}
