'use client'

import { useEffect } from 'react'

/** Marks the section being read in a table of contents. Renders nothing. `menu` is the id of the table of contents. */
export function ActivePart({ menu }: { menu: string }) {
  useEffect(() => {
    const links = [...(document.getElementById(menu)?.querySelectorAll<HTMLAnchorElement>('a[href^="#"]') ?? [])]
    const mark = () => {
      const isRead = ({ hash }: HTMLAnchorElement) =>
        (document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top ?? 0) < innerHeight / 3
      const active = links.findLast(isRead) ?? links[0]
      for (const link of links) {
        if (link === active) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
    }
    mark()
    document.addEventListener('scroll', mark, { passive: true })
    return () => document.removeEventListener('scroll', mark)
  }, [menu])
  return null
}
