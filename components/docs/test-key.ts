/** What stands in examples where a key belongs: a variable of the shell. */
export const keyPlaceholder = '$SVC_API_KEY'

/** Name under which this tab, and no other, keeps a test key that was just made. Live keys are never kept. */
export const testKeyItem = 'svc-test-key'

const testKey = /^svc_test_[0-9A-Za-z]+$/

/** The test key of this tab, or null. Only in the browser. */
export function readTestKey(): string | null {
  try {
    const kept = sessionStorage.getItem(testKeyItem)
    return kept !== null && testKey.test(kept) ? kept : null
  } catch {
    // Storage is switched off in this browser, so there is no key in it.
    return null
  }
}

/** Removes the test key from this tab. Only in the browser. */
export function clearTestKey(): void {
  try {
    sessionStorage.removeItem(testKeyItem)
  } catch {
    // Storage is switched off in this browser, so there is no key in it.
  }
}

/** A text to be copied, with the test key of this tab where a key belongs. */
export function withTestKey(text: string): string {
  const key = readTestKey()
  return key === null ? text : text.replaceAll(keyPlaceholder, key)
}
