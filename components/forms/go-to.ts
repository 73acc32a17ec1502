/**
 * Goes to another page. Resolves only if the browser stays on this one or returns to it with the back button, so that a form stays pending until the other page
 * has loaded.
 */
export function goTo(path: string): Promise<undefined> {
  location.assign(path)
  return new Promise((resolve) => addEventListener('pageshow', () => resolve(undefined), { once: true }))
}
