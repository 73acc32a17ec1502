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
export function PhoneMenu({ className, children }: { className: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useDismiss(menu)
  return (
    <details ref={menu} className="group lg:hidden">
      <summary
        className={`flex cursor-pointer list-none items-center gap-2 px-1 font-medium max-sm:-mr-2 max-sm:min-w-11 max-sm:justify-center [&::-webkit-details-marker]:hidden ${className}`}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 shrink-0 stroke-current">
          <path d="M3 5h14M3 10h14M3 15h14" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
        <span className="max-sm:sr-only">Menu</span>
      </summary>
      {children}
    </details>
  )
}
