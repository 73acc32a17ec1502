'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Closes an open menu on Escape, returning the focus to the button, and on a click outside the menu. */
function useDismiss(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    const onPointerDown = ({ target }: PointerEvent) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [menu])
}

/** Navigation as a disclosure on narrow screens. Works without JavaScript. */
export function PhoneMenu({ word, className, children }: { word: ReactNode; className: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useDismiss(menu)
  return (
    <details ref={menu} className="group lg:hidden">
      <summary className={`flex cursor-pointer list-none items-center gap-2 px-1 font-medium [&::-webkit-details-marker]:hidden ${className}`}>{word}</summary>
      {children}
    </details>
  )
}
