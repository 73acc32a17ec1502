import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any page has; a page that swallows the focus ends the walk here. */
const mostStops = 150

/** Where the focus is, whether a ring says so, whether it can be seen on the screen, and whether it has come to `target`. */
const stopAt = (target: Locator) =>
  target.evaluate((wanted) => {
    const at = document.activeElement ?? document.body
    // A choice between examples is a row of labels: they wear the ring of the radio button that they stand for.
    const shown = at.matches('.code-tabs > input') ? (at.nextElementSibling ?? at) : at
    const { outlineStyle, outlineWidth } = getComputedStyle(shown)
    const { top, bottom } = shown.getBoundingClientRect()
    return {
      what: `${at.tagName} ${at.getAttribute('name') ?? ''} ${at.textContent?.trim().slice(0, 40) ?? ''}`,
      isThere: at === wanted,
      stop: { hasRing: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2, isOnScreen: bottom > 0 && top < innerHeight },
    }
  })

/** Goes on with the tab key until `target` has the focus. Every stop on the way wears a ring and can be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < mostStops; stops++) {
    await page.keyboard.press('Tab')
    const { what, isThere, stop } = await stopAt(target)
    if (what.startsWith('BODY')) continue
    expect(stop, `${page.url()}: ${what}`).toEqual({ hasRing: true, isOnScreen: true })
    if (isThere) return
  }
  throw new Error(`${page.url()}: the tab key never comes to ${target}.`)
}

/** Goes to a field and types. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Goes to a link or a button and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}
