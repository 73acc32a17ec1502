const item = 'slash-shortcut'

/** Returns true unless the reader turned the slash shortcut off in this browser. WCAG 2.1.4: shortcuts of one character can be turned off. */
export function isSlashOn(): boolean {
  try {
    return localStorage.getItem(item) !== 'off'
  } catch {
    // Storage is disabled in this browser, so the shortcut couldn't be turned off.
    return false
  }
}

/** Turns the slash shortcut on or off in this browser. */
export function setSlash(isOn: boolean): void {
  if (isOn) localStorage.removeItem(item)
  else localStorage.setItem(item, 'off')
}
