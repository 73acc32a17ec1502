'use client'

import { useEffect } from 'react'

/** Scrolls a long navigation to the current page. Renders nothing. `menu` is the id of the navigation. */
export function NavScroll({ menu }: { menu: string }) {
  useEffect(() => {
    const box = document.getElementById(menu)
    const link = box?.querySelector<HTMLElement>('[aria-current=page]')
    if (box && link) box.scrollTop = link.offsetTop - box.offsetTop - box.clientHeight / 2
  }, [menu])
  return null
}
