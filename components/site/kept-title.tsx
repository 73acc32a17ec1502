'use client'

import { useEffect } from 'react'

/**
 * Keeps the page title during navigation. Next removes the title with the old page, and adds the new title a moment after the new page. In between, screen
 * readers would find no title.
 */
export function KeptTitle() {
  useEffect(() => {
    let last = document.title
    let kept: HTMLTitleElement | null = null
    const restoreTitle = () => {
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
    const observer = new MutationObserver(restoreTitle)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return null
}
