'use client'

import { useEffect } from 'react'
import { clearTestKey } from '#components/docs/test-key.ts'

/** Removes the test key from the tab: the next person to sign in there may be somebody else. */
export function ClearTestKey() {
  useEffect(clearTestKey, [])
  return null
}
