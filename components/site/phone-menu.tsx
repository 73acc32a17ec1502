'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Closes an open menu by Escape, which gives the focus back to its word, and by a press beside it. */
function useWaysOut(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    const onPress = ({ target }: PointerEvent) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [menu])
}

/** The way around behind a word, where there is no room for it beside the page. It opens without a script. */
export function PhoneMenu({ word, className, children }: { word: ReactNode; className: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useWaysOut(menu)
  return (
    <details ref={menu} className="group lg:hidden">
      <summary className={`flex cursor-pointer list-none items-center gap-2 px-1 font-medium [&::-webkit-details-marker]:hidden ${className}`}>{word}</summary>
      {children}
    </details>
  )
}
