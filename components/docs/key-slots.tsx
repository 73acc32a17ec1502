'use client'

import { useEffect } from 'react'
import { readTestKey } from './test-key.ts'

/** Puts this tab's test key into the examples on the page. Renders nothing. */
export function KeySlots() {
  useEffect(() => {
    const key = readTestKey()
    if (key === null) return
    for (const slot of document.querySelectorAll('[data-key-slot]')) slot.textContent = key
  }, [])
  return null
}
