'use client'

import { useEffect } from 'react'
import { clearTestKey } from '#components/docs/test-key.ts'

/** Removes the test key stored for this tab, because the next person to sign in may be someone else. */
export function ClearTestKey() {
  useEffect(clearTestKey, [])
  return null
}
