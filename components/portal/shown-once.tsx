'use client'

import { useEffect } from 'react'

/** Says once the page stands that its key was shown, so that no other page shows it again. */
export function ShownOnce({ at }: { at: string }) {
  useEffect(() => {
    // When it does not arrive, the cookie that holds the key still ends within minutes.
    fetch(at, { method: 'POST', keepalive: true }).catch(() => undefined)
  }, [at])
  return null
}
