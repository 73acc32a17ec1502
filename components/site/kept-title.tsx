'use client'

import { useEffect } from 'react'

/**
 * Keeps the title of a page until the next one has come. Next takes it away with the old page and brings the new one a moment after the new page; whatever
 * asks in between where it is, such as a screen reader, would be told nothing.
 */
export function KeptTitle() {
  useEffect(() => {
    let last = document.title
    let kept: HTMLTitleElement | null = null
    const look = () => {
      const others = [...document.head.querySelectorAll('title')].filter((title) => title !== kept)
      if (others.length > 0) {
        kept?.remove()
        kept = null
        last = document.title
      } else if (kept === null && last !== '') {
        kept = document.createElement('title')
        kept.textContent = last
        document.head.append(kept)
      }
    }
    const observer = new MutationObserver(look)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return null
}
