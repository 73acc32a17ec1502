/** Placeholder for the key in examples: a shell variable. */
export const keyPlaceholder = '$SVC_API_KEY'

/** Name of the sessionStorage item with a newly created test key, which is kept for this tab only. Live keys are never stored. */
export const testKeyItem = 'svc-test-key'

const testKey = /^svc_test_[0-9A-Za-z]+$/

/** Returns this tab's test key, or null. Browser only. */
export function readTestKey(): string | null {
  try {
    const stored = sessionStorage.getItem(testKeyItem)
    return stored !== null && testKey.test(stored) ? stored : null
  } catch {
    // Storage is disabled in this browser.
    return null
  }
}

/** Removes this tab's test key. Browser only. */
export function clearTestKey(): void {
  try {
    sessionStorage.removeItem(testKeyItem)
  } catch {
    // Storage is disabled in this browser.
  }
}

/** Replaces the key placeholder in a string with this tab's test key. */
export function withTestKey(text: string): string {
  const key = readTestKey()
  return key === null ? text : text.replaceAll(keyPlaceholder, key)
}
