/** Goes to another page. Resolves only if the browser stays on this one, so that a form stays pending until the other page has loaded. */
export function goTo(path: string): Promise<never> {
  location.assign(path)
  return new Promise(() => undefined)
}
