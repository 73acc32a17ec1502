'use client'

import { lazy, Suspense, useRef, useState } from 'react'
import { useReadOnly } from '#components/ui/form-context.tsx'
import type { KeyMenuData } from './key-menu-items.tsx'

const load = () => import('./key-menu-items.tsx')
const KeyMenuItems = lazy(async () => ({ default: (await load()).KeyMenuItems }))

/** Button that opens the menu of a key; hidden while forms are read-only. The menu's code is loaded on first use. */
export function KeyMenu({ name, ...key }: KeyMenuData & { name: string }) {
  const isReadOnly = useReadOnly()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  const toggle = () => {
    setLoaded(true)
    setOpen((was) => !was)
  }
  if (isReadOnly) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        onClick={toggle}
        onPointerEnter={() => void load()}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Actions for ${name === '' ? 'unnamed key' : name}`}
        className="-my-1.5 -mr-3 inline-flex size-11 cursor-pointer items-center justify-center rounded-control text-h2 font-semibold text-ink-2 hover:bg-hover hover:text-ink sm:-mr-1.5 sm:size-8 noscript:hidden"
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isLoaded ? (
        <Suspense fallback={null}>
          <KeyMenuItems {...key} anchor={button} isOpen={isOpen} setOpen={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
