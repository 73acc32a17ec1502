import { expect, type Locator, type Page } from '@playwright/test'

/** Higher than the number of tab stops on any page. Reaching this limit means that the page traps the focus. */
const maxStops = 150

/** Describes the focused element: whether it has a focus ring, is on screen, and is `target`. */
const describeFocus = (target: Locator) =>
  target.evaluate((wanted) => {
    const at = document.activeElement ?? document.body
    // In code tabs, the focus ring of a radio button is shown on its label.
    const shown = at.matches('.code-tabs > input') ? (at.nextElementSibling ?? at) : at
    const { outlineStyle, outlineWidth } = getComputedStyle(shown)
    const { top, bottom } = shown.getBoundingClientRect()
    return {
      what: `${at.tagName} ${at.getAttribute('name') ?? ''} ${at.textContent?.trim().slice(0, 40) ?? ''}`,
      isThere: at === wanted,
      stop: { hasRing: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2, isOnScreen: bottom > 0 && top < innerHeight },
    }
  })

/** Presses Tab until `target` has the focus. Expects every stop to have a visible focus ring. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press('Tab')
    const { what, isThere, stop } = await describeFocus(target)
    if (what.startsWith('BODY')) continue
    expect(stop, `${page.url()}: ${what}`).toEqual({ hasRing: true, isOnScreen: true })
    if (isThere) return
  }
  throw new Error(`${page.url()}: the tab key never reaches ${target}.`)
}

/** Tabs to a field and types. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Tabs to a link or button and presses Enter. */
export async function pressEnterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}
