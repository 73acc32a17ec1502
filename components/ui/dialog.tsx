'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type Props = {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** Name for screen readers. */
  label: string
  children: ReactNode
}

/** Modal dialog near the top of the window. Escape and a click outside close it and return the focus. */
export function Dialog({ isOpen, setOpen, label, children }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => setOpen(open)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none" />
        <Base.Popup
          aria-label={label}
          className="fixed inset-x-3 top-3 z-50 mx-auto flex max-h-[calc(100dvh-1.5rem)] max-w-160 flex-col overflow-hidden rounded-panel bg-surface text-ink shadow-dialog outline-none transition-[opacity,scale] duration-160 ease-out data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 motion-reduce:transition-none sm:top-[12vh] sm:max-h-[76vh]"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
