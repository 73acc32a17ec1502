/** Goes to another page. Never resolves, so that a form stays pending. If the browser returns to this page with the back button, it is loaded again. */
export function goTo(path: string): Promise<never> {
  addEventListener('pageshow', () => location.reload(), { once: true })
  location.assign(path)
  return new Promise(() => undefined)
}
