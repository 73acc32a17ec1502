'use client'

import { useEffect } from 'react'

/** Reports once the page has loaded that its key was shown, so that no other page shows it again. */
export function ShownOnce({ at }: { at: string }) {
  useEffect(() => {
    // If the request fails, the cookie with the key still expires within minutes.
    fetch(at, { method: 'POST', keepalive: true }).catch(() => undefined)
  }, [at])
  return null
}
